import type { SessionUser } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from './context.ts'

/** Whoever is signed in. Throws UNAUTHENTICATED when nobody is. */
export function requireUser(ctx: Pick<Context, 'user'>): SessionUser {
  if (!ctx.user) throw new AppError('UNAUTHENTICATED')
  return ctx.user
}

/** The admin who is signed in. Throws UNAUTHENTICATED when nobody is, FORBIDDEN when it is no admin. */
export function requireAdmin(ctx: Pick<Context, 'user'>): SessionUser {
  const user = requireUser(ctx)
  if (!user.isAdmin) throw new AppError('FORBIDDEN')
  if (!user.mayAdminister) {
    throw new AppError('FORBIDDEN', 'Set up a second factor before you administer the shop.')
  }
  return user
}
