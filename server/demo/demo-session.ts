import type { SessionUser } from '#domain/accounts/accounts.ts'
import { permissionsOf, type Role } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'

/** A demo account as a signed-in user, so that its startup actions are audited like any other. */
export const toSessionUser = (id: string, email: string, roles: readonly Role[] = []): SessionUser => ({
  id,
  email,
  sessionId: 'start',
  firstName: null,
  lastName: null,
  roles,
  permissions: new Set(permissionsOf(roles)),
  hasSecondFactor: false,
  factorVerifiedAt: null,
})

/**
 * Runs a step of the demo. What the shop's rules refuse is logged and left out, because a demo that
 * was changed by hand must still start.
 */
export async function orSkip<T>(ctx: Context, what: string, run: () => Promise<T>): Promise<T | null> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'UNAVAILABLE') throw error
    ctx.log.info({ err: error, what }, 'demo step skipped')
    return null
  }
}
