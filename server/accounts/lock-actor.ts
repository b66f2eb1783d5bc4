import { findRoles, isSuspended, lockUser } from '#db/accounts/users.ts'
import { permissionsOf, type Permission } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import { requirePermission, requireUser } from '../require-user.ts'

/**
 * Locks the rows of the acting user and the affected user, in id order, and checks that the actor
 * may still sign in and holds the permission. When two admins demote, suspend or delete each other
 * at the same time, one remains.
 * Call it in the transaction that changes the affected user. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND.
 */
export async function lockActorAndUser(ctx: Context, userId: string, permission: Permission): Promise<void> {
  const actor = requireUser(ctx)
  if (!isId(userId)) throw new AppError('NOT_FOUND', userNotFound)
  for (const id of [...new Set([actor.id, userId])].toSorted()) {
    if (await lockUser(ctx.db, id)) continue
    throw id === actor.id ? new AppError('UNAUTHENTICATED') : new AppError('NOT_FOUND', userNotFound)
  }
  if (userId === actor.id) return
  requirePermission(ctx, permission)
  if (await isSuspended(ctx.db, actor.id)) throw new AppError('UNAUTHENTICATED')
  const roles = (await findRoles(ctx.db, actor.id)) ?? []
  if (!permissionsOf(roles).includes(permission)) throw new AppError('FORBIDDEN')
}

/** Specification, section 8. */
export const userNotFound = 'User not found'
