import { findSecondFactor, consumeTotpStep } from '#db/accounts/second-factors.ts'
import { findPasswordHash } from '#db/accounts/credentials.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { toAppError } from '../errors.ts'
import { consumeRate, refundRate } from '../limit-rate.ts'
import { bindings } from '../crypto/bindings.ts'
import { unseal } from '../crypto/sealing.ts'
import { findKnownDevice, type DeviceTokens } from './known-device.ts'
import { peekOneTimeToken, consumeOneTimeToken } from './one-time-token.ts'
import { consumeRecoveryCode } from './recovery-codes.ts'
import { recordRefusal } from './record-refusal.ts'
import type { VerifiedUser } from './sign-in.ts'
import { findTimeStep } from './totp.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { requireUser } from '../require-user.ts'

const wrongCodeMessage = 'This code is incorrect or was already used.'

/** The same error for every code that is not accepted. */
export const wrongCodeError = () =>
  new AppError('INVALID', wrongCodeMessage, { fields: { code: wrongCodeMessage } })

const noCodeError = () => new AppError('INVALID', 'Enter a code.', { fields: { code: 'Enter a code.' } })

/** Codes are often typed in groups. */
export const normalizeCode = (code: string): string => code.replace(/[\s-]/g, '')

/**
 * Consumes a code of a user's second factor, from the app or a recovery code, in the transaction of
 * what it allows. Throws INVALID when it is missing, wrong, expired or already used.
 */
export async function consumeCode(ctx: Context, userId: string, code: string): Promise<void> {
  const factor = await findSecondFactor(ctx.db, userId)
  const key = await openUserKey(ctx, userId)
  if (!key || !factor?.totpConfirmedAt || factor.sealedTotpSecret === null) throw wrongCodeError()
  const normalized = normalizeCode(code)
  if (normalized === '') throw noCodeError()
  if (!/^\d{6}$/.test(normalized)) {
    if (await consumeRecoveryCode(ctx, userId, code)) return
    throw wrongCodeError()
  }
  const step = findTimeStep(
    unseal(key, bindings.totpSecret(userId), factor.sealedTotpSecret),
    normalized,
    ctx.now,
  )
  if (step === null || !(await consumeTotpStep(ctx.db, { userId, step }))) throw wrongCodeError()
}

/**
 * Counts an attempt at a code, runs it in one transaction, and uncounts it when it succeeds. Only
 * failures remain counted, and concurrent attempts cannot exceed the limit. Throws TOO_MANY.
 * @param counter whose attempts these are: a session, a known device or an account
 */
async function countAttempt<Result>(
  ctx: Context,
  { userId, counter }: { userId: string; counter: string },
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  try {
    await consumeRate(ctx, 'second-factor', counter)
    const result = await inTransaction(ctx, work)
    await refundRate(ctx, 'second-factor', counter)
    return result
  } catch (error) {
    await recordRefusedCode(ctx, userId, toAppError(error))
    throw error
  }
}

/** Records a wrong code, or one past the limit, in a sign-in or of a signed-in user. */
async function recordRefusedCode(ctx: Context, userId: string, { code, fields }: AppError): Promise<void> {
  if (code !== 'TOO_MANY' && fields['code'] !== wrongCodeMessage) return
  const isSignedIn = ctx.user?.id === userId
  const signInAction = code === 'TOO_MANY' ? 'sign-in.locked' : 'sign-in.code-refused'
  await recordRefusal(ctx, {
    action: isSignedIn ? 'second-factor.code-refused' : signInAction,
    of: { userId },
    actorId: isSignedIn ? userId : null,
  })
}

/** Runs an attempt of the signed-in user at a code, which counts for the session. */
export const withCodeAttempt = <Result>(
  ctx: Context,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> => {
  const { id: userId, sessionId: counter } = requireUser(ctx)
  return countAttempt(ctx, { userId, counter }, work)
}

/**
 * The second step of a sign-in: consumes the first step's token and a code, and returns the user
 * with the password hash of that moment, so that `completeSignIn` notices a password reset in
 * between. A wrong code leaves the token for another attempt. Throws UNAUTHENTICATED when the
 * token is unknown, used or expired, INVALID when the code is wrong, TOO_MANY after ten wrong
 * codes. A device that has given a code before counts for itself, so a stranger who knows the
 * password cannot lock it out. A device that has not shares the account's count: a password reset
 * makes a new one each time.
 * @param devices the tokens of this browser
 */
export async function verifySecondFactor(
  ctx: Context,
  { token, code }: { token: string; code: string },
  devices: DeviceTokens = [],
): Promise<Pick<VerifiedUser, 'userId' | 'passwordHash'>> {
  const { userId } = (await peekOneTimeToken(ctx, 'second-factor', token)) ?? throwExpiredToken()
  const device = await findKnownDevice(ctx, userId, devices)
  const counter = device?.hasGivenFactor ? device.tokenHash : userId
  return countAttempt(ctx, { userId, counter }, async (ctx) => {
    if (!(await consumeOneTimeToken(ctx, 'second-factor', token))) throwExpiredToken()
    await consumeCode(ctx, userId, code)
    return { userId, passwordHash: await findPasswordHash(ctx.db, userId) }
  })
}

function throwExpiredToken(): never {
  throw new AppError('UNAUTHENTICATED', 'Sign in again.')
}
