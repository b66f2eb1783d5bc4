import { findIdDocument } from '#db/accounts/users.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'

/** Whether one's own ID document is on file, as a prescription needs it; says nothing of it, so nothing is written down. */
export const hasIdDocument = async (ctx: Context): Promise<boolean> =>
  (await findIdDocument(ctx.db, requireUser(ctx).id)) !== null
