import { findIdDocument } from '#db/accounts/users.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'

/**
 * Whether the signed-in user has an ID document on file. It reveals nothing about the document, so
 * the read is not audited.
 */
export const hasIdDocument = async (ctx: Context): Promise<boolean> =>
  (await findIdDocument(ctx.db, requireUser(ctx).id)) !== null
