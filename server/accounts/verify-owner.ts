import { findSecondFactor } from '#db/accounts/second-factors.ts'
import { findPasswordHash } from '#db/accounts/users.ts'
import { emailKey } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { limitRate, uncountRate } from '../limit-rate.ts'
import { isPassword } from './passwords.ts'
import { spendCode, tryCode } from './verify-second-factor.ts'
import { requireUser } from '../require-user.ts'

/** What somebody proves by that it is they who sit at their session: a password, or a code where the account has none. */
export type Proof = { currentPassword: string; code: string }

/**
 * Asks whoever is signed in for a proof, before what guards the account changes (OWASP ASVS 5.0, 7.5.1). Wrong passwords count
 * with those of signing in. Where an identity provider signs in and there is no second factor, nothing can be asked for.
 * Returns the hash that was proven, null where there is none. Throws INVALID with the field, or TOO_MANY.
 */
export async function proveOwner(ctx: Context, { currentPassword, code }: Proof): Promise<string | null> {
  const user = requireUser(ctx)
  const passwordHash = await findPasswordHash(ctx.db, user.id)
  if (passwordHash !== null) {
    if (currentPassword === '') throw wrong('Please enter your current password.')
    const account = emailKey(user.email)
    const isRight = await isPassword(passwordHash, currentPassword, () =>
      limitRate(ctx, 'sign-in-account', account),
    )
    if (!isRight) throw wrong('This is not your current password.')
    await uncountRate(ctx, 'sign-in-account', account)
    return passwordHash
  }
  const factor = await findSecondFactor(ctx.db, user.id)
  if (factor?.totpConfirmedAt) await tryCode(ctx, user.id, (ctx) => spendCode(ctx, user.id, code))
  return null
}

const wrong = (sentence: string) =>
  new AppError('INVALID', sentence, { fields: { currentPassword: sentence } })
