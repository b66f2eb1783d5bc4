import type { SessionUser } from '#domain/accounts/accounts.ts'
import {
  can,
  isStaff,
  lacksRequiredFactor,
  missingFactorMessage,
  type Permission,
} from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from './context.ts'
import { noteRefusal } from './note-refusal.ts'

/** The signed-in user. Throws UNAUTHENTICATED. */
export function requireUser(ctx: Pick<Context, 'user'>): SessionUser {
  if (!ctx.user) throw new AppError('UNAUTHENTICATED')
  return ctx.user
}

/**
 * The signed-in user, who holds this permission. Throws UNAUTHENTICATED, and FORBIDDEN for any
 * other user.
 */
export function requirePermission(
  ctx: Pick<Context, 'user' | 'refusals'>,
  permission: Permission,
): SessionUser {
  const user = requireUser(ctx)
  if (!can(user, permission)) refuse(ctx, user)
  return user
}

/** The signed-in member of the staff, of any role. Throws UNAUTHENTICATED, FORBIDDEN. */
export function requireStaff(ctx: Pick<Context, 'user' | 'refusals'>): SessionUser {
  const user = requireUser(ctx)
  if (!isStaff(user) || lacksRequiredFactor(user)) refuse(ctx, user)
  return user
}

function refuse(ctx: Pick<Context, 'user' | 'refusals'>, user: SessionUser): never {
  noteRefusal(ctx)
  throw new AppError('FORBIDDEN', lacksRequiredFactor(user) ? missingFactorMessage : undefined)
}
