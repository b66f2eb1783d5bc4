import { findRole, setAdmin as setRole } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { lockActorAndUser, userNotFound } from './lock-actor.ts'
import { requireAdmin } from '../require-user.ts'

/** What an admin is told who would take their own role: so the last one always stays. */
export const adminsKeepTheirRole = 'An administrator cannot change their own role. Another administrator can.'

/**
 * Makes somebody an admin, or no longer one; returns false when that is what they are already. Nobody takes their own role, so one admin
 * is always left. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and CONFLICT to an admin about themself.
 */
export async function setAdmin(
  ctx: Context,
  { userId, isAdmin }: { userId: string; isAdmin: boolean },
): Promise<boolean> {
  requireAdmin(ctx)
  return inTransaction(ctx, (ctx) => changeRole(ctx, { userId, isAdmin }))
}

/** The same in the transaction of the caller. */
export async function changeRole(
  ctx: Context,
  { userId, isAdmin }: { userId: string; isAdmin: boolean },
): Promise<boolean> {
  const actor = requireAdmin(ctx)
  await lockActorAndUser(ctx, userId)
  const role = await findRole(ctx.db, userId)
  if (!role) throw new AppError('NOT_FOUND', userNotFound)
  if (role.isAdmin === isAdmin) return false
  if (userId === actor.id) throw new AppError('CONFLICT', adminsKeepTheirRole)
  await setRole(ctx.db, userId, isAdmin)
  await recordAudit(ctx, { action: 'role.changed', subjectId: userId })
  return true
}
