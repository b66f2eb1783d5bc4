import { findSecondFactor, takeTotpStep } from '#db/accounts/second-factors.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { limitRate, uncountRate } from '../limit-rate.ts'
import { bindings } from '../crypto/bindings.ts'
import { unseal } from '../crypto/sealing.ts'
import { readOneTimeToken, takeOneTimeToken } from './one-time-token.ts'
import { spendRecoveryCode } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'
import { openUserKey } from '../crypto/user-key.ts'

/** What every code that does not count is told. */
export const wrongCode = () => {
  const sentence = 'This code is not right, or was used already.'
  return new AppError('INVALID', sentence, { fields: { code: sentence } })
}

/** People write codes in groups. */
const digitsOf = (code: string): string => code.replace(/[\s-]/g, '')

/**
 * Uses a code of a user's second factor up, the app's or a recovery code; in the transaction of what it allows. Throws INVALID
 * when it is not right, late, or was used before.
 */
export async function spendCode(ctx: Context, userId: string, code: string): Promise<void> {
  const factor = await findSecondFactor(ctx.db, userId)
  const key = await openUserKey(ctx, userId)
  if (!key || !factor?.totpConfirmedAt || factor.sealedTotpSecret === null) throw wrongCode()
  const typed = digitsOf(code)
  if (!/^\d{6}$/.test(typed)) {
    if (await spendRecoveryCode(ctx, userId, code)) return
    throw wrongCode()
  }
  const step = stepOfCode(unseal(key, bindings.totpSecret(userId), factor.sealedTotpSecret), typed, ctx.now)
  if (step === null || !(await takeTotpStep(ctx.db, { userId, step }))) throw wrongCode()
}

/**
 * Counts a try at a user's codes, makes it in one transaction, and takes it back when it was right: failures alone count, and of
 * many at once no more are made than are allowed. Throws TOO_MANY.
 */
export async function tryCode<Result>(
  ctx: Context,
  userId: string,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  await limitRate(ctx, 'second-factor', userId)
  const result = await inTransaction(ctx, work)
  await uncountRate(ctx, 'second-factor', userId)
  return result
}

/**
 * The second step of a sign-in: uses the token of the first step up and a code with it, and returns whose they are. A wrong code
 * leaves the token for another try. Throws UNAUTHENTICATED when the token is unknown, used or late, INVALID when the code is not
 * right, TOO_MANY after ten that were not.
 */
export async function proveSecondFactor(
  ctx: Context,
  { token, code }: { token: string; code: string },
): Promise<string> {
  const { userId } = (await readOneTimeToken(ctx, 'second-factor', token)) ?? lateToken()
  return tryCode(ctx, userId, async (ctx) => {
    if (!(await takeOneTimeToken(ctx, 'second-factor', token))) lateToken()
    await spendCode(ctx, userId, code)
    return userId
  })
}

function lateToken(): never {
  throw new AppError('UNAUTHENTICATED', 'Please sign in again.')
}
