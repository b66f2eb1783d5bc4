import { casesRouter } from './cases.ts'
import { goToRouter } from './go-to.ts'
import { gridsRouter } from './grids.ts'
import { importsRouter } from './imports.ts'
import { router } from './init.ts'
import { sessionRouter } from './session.ts'
import { inventoryRouter } from './inventory.ts'
import { manufacturersRouter } from './manufacturers.ts'
import { messagesRouter } from './messages.ts'
import { pharmaciesRouter } from './pharmacies.ts'
import { usersRouter } from './users.ts'
import { prescriptionsRouter } from './prescriptions.ts'
import { productsRouter } from './products.ts'
import { variantsRouter } from './variants.ts'
import { ordersRouter } from './orders.ts'
import { recallsRouter } from './recalls.ts'

/** The calls of the back office's pages; each procedure calls one use case. */
export const appRouter = router({
  cases: casesRouter,
  goTo: goToRouter,
  grids: gridsRouter,
  inventory: inventoryRouter,
  imports: importsRouter,
  manufacturers: manufacturersRouter,
  messages: messagesRouter,
  pharmacies: pharmaciesRouter,
  users: usersRouter,
  prescriptions: prescriptionsRouter,
  products: productsRouter,
  session: sessionRouter,
  recalls: recallsRouter,
  variants: variantsRouter,
  orders: ordersRouter,
})

export type AppRouter = typeof appRouter
