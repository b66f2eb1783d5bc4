import { goToSchema } from '#domain/go-to.ts'
import { goTo } from '../dashboard/go-to.ts'
import { router, staffProcedure } from './init.ts'

export const goToRouter = router({
  /** A mutation, so that a name that is typed is in a body and in no address. */
  find: staffProcedure.input(goToSchema).mutation(({ ctx, input }) => goTo(ctx, input.text)),
})
