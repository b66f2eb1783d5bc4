import type { SessionUser } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from './context.ts'
import { noteRefusal } from './note-refusal.ts'

/** The signed-in user. Throws UNAUTHENTICATED. */
export function requireUser(ctx: Pick<Context, 'user'>): SessionUser {
  if (!ctx.user) throw new AppError('UNAUTHENTICATED')
  return ctx.user
}

/** The signed-in admin. Throws UNAUTHENTICATED, and FORBIDDEN for any other user. */
export function requireAdmin(ctx: Pick<Context, 'user' | 'refusals'>): SessionUser {
  const user = requireUser(ctx)
  if (!user.canAdminister) noteRefusal(ctx)
  if (!user.isAdmin) throw new AppError('FORBIDDEN')
  if (!user.canAdminister) {
    throw new AppError('FORBIDDEN', 'Set up two-step sign-in before you use the back office.')
  }
  return user
}
