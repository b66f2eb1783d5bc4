import type { Db } from '#db/engine/client.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import type { Order } from '#domain/orders/orders.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { startCheckout } from '#server/checkout/start-checkout.ts'
import type { Context } from '#server/context.ts'
import { addVariant } from './catalog.ts'
import { pay, shipTo } from './checkouts.ts'
import { signedIn, testContext } from './context.ts'

export const homeAddress = shipTo.text

type OrderOverrides = {
  items?: { productVariantId: string; quantity: number }[]
  prescriptionId?: string | null
  user?: Partial<SessionUser>
  /** Overrides of the context, such as the clock. */
  ctx?: Partial<Context>
}

/** Places a paid order through the use cases. By default, it creates a variant and orders two. */
export async function placeOrder(db: Db, userId: string, overrides: OrderOverrides = {}): Promise<Order> {
  const ctx = testContext(db, { user: signedIn(userId, overrides.user), ...overrides.ctx })
  const items = overrides.items ?? [{ productVariantId: await addVariant(db), quantity: 2 }]
  const prescriptionId = overrides.prescriptionId ?? null
  const { payment } = await startCheckout(ctx, { items, shipTo, prescriptionId })
  await pay(db, payment)
  return (await finalizeCheckout(ctx, payment.id)).order
}
