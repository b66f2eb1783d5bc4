import { codeSchema } from '#domain/accounts/account-security.ts'
import { confirmWithCode } from '../accounts/recent-code.ts'
import { router, staffProcedure } from './init.ts'

export const sessionRouter = router({
  confirm: staffProcedure.input(codeSchema).mutation(({ ctx, input }) => confirmWithCode(ctx, input)),
})
