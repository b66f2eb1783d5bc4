import { findSecondFactor } from '#db/accounts/second-factors.ts'
import { isSuspended, lockUser } from '#db/accounts/users.ts'
import { findPasswordHash } from '#db/accounts/credentials.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { mergeCarts } from '../cart/merge-carts.ts'
import { inTransaction, type Context } from '../context.ts'
import { endSession } from './end-session.ts'
import { rememberDevice, type DeviceTokens } from './known-device.ts'
import { createOneTimeToken } from './one-time-token.ts'
import { recordAccountEvent } from './record-account-event.ts'
import { recordRefusal } from './record-refusal.ts'
import { wrongPasswordError, type VerifiedUser } from './sign-in.ts'
import { startSession } from './start-session.ts'

type Verified = Pick<VerifiedUser, 'userId' | 'passwordHash'> & { hasGivenFactor: boolean }
type SignIn = Verified & {
  userAgent: string | null
  cartToken: string | null
  /** The tokens of this browser. */
  devices?: DeviceTokens
}

/**
 * Signs a browser in as a verified user: ends the browser's previous session, starts a new one,
 * merges the browser's cart into the account's, and makes the browser a known device. Returns the
 * new session's token, the browser's device tokens, and how many lines joined the account's cart.
 * Throws NOT_FOUND when the account was deleted, FORBIDDEN when it is suspended, INVALID when the
 * password has changed since it was verified, UNAUTHENTICATED when it has changed since the second
 * factor was given, or the account has turned on a second factor since then.
 */
export const completeSignIn = (
  ctx: Context,
  { userAgent, cartToken, devices = [], ...verified }: SignIn,
): Promise<{ token: string; devices: string[]; joinedLines: number }> =>
  withVerifiedUser(ctx, verified, async (ctx) => {
    const { userId, hasGivenFactor } = verified
    if (!hasGivenFactor && (await findSecondFactor(ctx.db, userId))?.totpConfirmedAt) {
      throw new AppError('UNAUTHENTICATED', 'Sign in again.')
    }
    await endSession(ctx)
    const id = newId(ctx.now.getTime())
    const token = await startSession(ctx, { id, userId, userAgent, hasGivenFactor })
    await recordAccountEvent(ctx, { action: 'sign-in.completed', userId, actorId: userId, objectId: id })
    // A cart that belongs to the previously signed-in user is not this browser's.
    const joinedLines = cartToken === null ? 0 : await mergeCarts(ctx, { userId, cartToken })
    return {
      token,
      devices: await rememberDevice(ctx, { userId, tokens: devices, hasGivenFactor }),
      joinedLines,
    }
  })

/** Returns the token for the second step of a sign-in. Throws what `completeSignIn` throws. */
export const startSecondStep = (
  ctx: Context,
  { userId, passwordHash }: Pick<VerifiedUser, 'userId' | 'passwordHash'>,
): Promise<string> =>
  withVerifiedUser(ctx, { userId, passwordHash, hasGivenFactor: false }, (ctx) =>
    createOneTimeToken(ctx, { purpose: 'second-factor', userId }),
  )

/**
 * Runs a step of a sign-in with the user's row locked. Every way to sign in comes through here, so
 * this is where a suspended account is refused: after its password, so that a stranger does not
 * learn that it is suspended or exists.
 */
async function withVerifiedUser<Result>(
  ctx: Context,
  verified: Verified,
  step: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const done = await inTransaction(ctx, async (ctx) => {
    await lockVerifiedUser(ctx, verified)
    return (await isSuspended(ctx.db, verified.userId)) ? null : { result: await step(ctx) }
  })
  if (done) return done.result
  await recordRefusal(ctx, { action: 'sign-in.suspended', of: verified, actorId: null })
  throw new AppError(
    'FORBIDDEN',
    `This account is suspended. If you think this is a mistake, email ${ctx.shop.supportEmail}.`,
  )
}

/**
 * Locks the user's row and compares the password hash again. A password change that committed after
 * the first comparison has ended every session, and this sign-in must not start a new one.
 */
async function lockVerifiedUser(
  ctx: Context,
  { userId, passwordHash, hasGivenFactor }: Verified,
): Promise<void> {
  if (!(await lockUser(ctx.db, userId))) throw new AppError('NOT_FOUND', 'This account no longer exists.')
  if (passwordHash !== undefined && (await findPasswordHash(ctx.db, userId)) !== passwordHash) {
    throw hasGivenFactor ? new AppError('UNAUTHENTICATED', 'Sign in again.') : wrongPasswordError()
  }
}
