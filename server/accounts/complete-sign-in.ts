import { findSecondFactor } from '#db/accounts/second-factors.ts'
import { findPasswordHash, lockUser } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { mergeCarts } from '../cart/merge-carts.ts'
import { inTransaction, type Context } from '../context.ts'
import { endSession } from './end-session.ts'
import { createOneTimeToken } from './one-time-token.ts'
import { wrongPasswordError, type VerifiedUser } from './sign-in.ts'
import { startSession } from './start-session.ts'

type Verified = Pick<VerifiedUser, 'userId' | 'passwordHash'>
type SignIn = Verified & { hasGivenFactor: boolean; userAgent: string | null; cartToken: string | null }

/**
 * Signs a browser in as a verified user: ends the browser's previous session, starts a new one, and
 * merges the browser's cart into the account's. Returns the new session's token and how many lines
 * joined the account's cart. Throws NOT_FOUND when the account was deleted, INVALID when the
 * password has changed since it was verified, UNAUTHENTICATED when the account has turned on
 * a second factor since then.
 */
export const completeSignIn = (
  ctx: Context,
  { userAgent, cartToken, hasGivenFactor, ...verified }: SignIn,
): Promise<{ token: string; joinedLines: number }> =>
  inTransaction(ctx, async (ctx) => {
    await lockVerifiedUser(ctx, verified)
    const { userId } = verified
    if (!hasGivenFactor && (await findSecondFactor(ctx.db, userId))?.totpConfirmedAt) {
      throw new AppError('UNAUTHENTICATED', 'Sign in again.')
    }
    await endSession(ctx)
    const token = await startSession(ctx, { userId, userAgent, hasGivenFactor })
    // A cart that belongs to the previously signed-in user is not this browser's.
    const joinedLines = cartToken === null ? 0 : await mergeCarts(ctx, { userId, cartToken })
    return { token, joinedLines }
  })

/** Returns the token for the second step of a sign-in. Throws what `completeSignIn` throws. */
export const startSecondStep = (ctx: Context, verified: Verified): Promise<string> =>
  inTransaction(ctx, async (ctx) => {
    await lockVerifiedUser(ctx, verified)
    return createOneTimeToken(ctx, { purpose: 'second-factor', userId: verified.userId })
  })

/**
 * Locks the user's row and compares the password hash again. A password change that committed after
 * the first comparison has ended every session, and this sign-in must not start a new one.
 */
async function lockVerifiedUser(ctx: Context, { userId, passwordHash }: Verified): Promise<void> {
  if (!(await lockUser(ctx.db, userId))) throw new AppError('NOT_FOUND', 'This account no longer exists.')
  if (passwordHash !== undefined && (await findPasswordHash(ctx.db, userId)) !== passwordHash) {
    throw wrongPasswordError()
  }
}
