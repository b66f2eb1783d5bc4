import { findRole, setAdmin as setRole } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { lockActorAndUser, userNotFound } from './lock-actor.ts'
import { requireAdmin } from '../require-user.ts'

/** Admins cannot change their own role, so at least one always remains. */
export const adminSelfRoleMessage = 'You can’t change your own role. Ask another administrator.'

/**
 * Grants or removes the admin role. Returns false when the user already has that role. Throws
 * UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and CONFLICT when an admin changes their own role.
 */
export async function setAdmin(
  ctx: Context,
  { userId, isAdmin }: { userId: string; isAdmin: boolean },
): Promise<boolean> {
  requireAdmin(ctx)
  return inTransaction(ctx, (ctx) => changeRole(ctx, { userId, isAdmin }))
}

/** The same, in the caller's transaction. */
export async function changeRole(
  ctx: Context,
  { userId, isAdmin }: { userId: string; isAdmin: boolean },
): Promise<boolean> {
  const actor = requireAdmin(ctx)
  await lockActorAndUser(ctx, userId)
  const role = await findRole(ctx.db, userId)
  if (!role) throw new AppError('NOT_FOUND', userNotFound)
  if (role.isAdmin === isAdmin) return false
  if (userId === actor.id) throw new AppError('CONFLICT', adminSelfRoleMessage)
  await setRole(ctx.db, userId, isAdmin)
  await recordAudit(ctx, { action: 'role.changed', subjectId: userId })
  return true
}
