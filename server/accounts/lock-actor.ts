import { findRole, lockUser } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import { requireAdmin, requireUser } from '../require-user.ts'

/**
 * Takes the rows of whoever acts and of whom it is about, in one order, and looks whether the one is still what they were when their
 * session was read: of two admins who take each other's role, or delete each other, at once one is left. Throws UNAUTHENTICATED,
 * FORBIDDEN, NOT_FOUND. To be called in the transaction that changes the second.
 */
export async function lockActorAndUser(ctx: Context, userId: string): Promise<void> {
  const actor = requireUser(ctx)
  if (!isId(userId)) throw new AppError('NOT_FOUND', userNotFound)
  for (const id of [...new Set([actor.id, userId])].toSorted()) {
    if (await lockUser(ctx.db, id)) continue
    throw id === actor.id ? new AppError('UNAUTHENTICATED') : new AppError('NOT_FOUND', userNotFound)
  }
  if (userId === actor.id) return
  requireAdmin(ctx)
  if (!(await findRole(ctx.db, actor.id))?.isAdmin) throw new AppError('FORBIDDEN')
}

/** What somebody is told who asks for a user that is none (specification, section 8). */
export const userNotFound = 'User not found'
