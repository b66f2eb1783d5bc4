import { findSecondFactor } from '#db/accounts/second-factors.ts'
import { findPasswordHash } from '#db/accounts/credentials.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { consumeRate, refundRate } from '../limit-rate.ts'
import { verifyPassword } from './passwords.ts'
import { consumeCode, withCodeAttempt } from './verify-second-factor.ts'
import { recordRefusal } from './record-refusal.ts'
import { requireUser } from '../require-user.ts'

/**
 * What confirms that the account's owner is at the keyboard: the password, or a code when the
 * account has no password.
 */
export type OwnerProof = { currentPassword: string; code: string }

/**
 * Verifies the signed-in user again before security settings change (OWASP ASVS 5.0, 7.5.1). Wrong
 * passwords and codes count for the session: neither strangers at the sign-in form nor a thief of
 * another session can use up the owner's attempts. An account with an identity provider and no
 * second factor has nothing to verify. Returns the verified password hash, or null when the account
 * has no password. Throws INVALID with the field, or TOO_MANY.
 */
export async function verifyOwner(
  ctx: Context,
  { currentPassword, code }: OwnerProof,
): Promise<string | null> {
  const passwordHash = await verifyCurrentPassword(ctx, currentPassword)
  if (passwordHash !== null) return passwordHash
  const user = requireUser(ctx)
  const factor = await findSecondFactor(ctx.db, user.id)
  if (factor?.totpConfirmedAt) await withCodeAttempt(ctx, (ctx) => consumeCode(ctx, user.id, code))
  return null
}

/**
 * Verifies the signed-in user's password. Returns its hash, or null when the account has none.
 * Throws INVALID (currentPassword), or TOO_MANY.
 */
export async function verifyCurrentPassword(ctx: Context, currentPassword: string): Promise<string | null> {
  const user = requireUser(ctx)
  const passwordHash = await findPasswordHash(ctx.db, user.id)
  if (passwordHash === null) return null
  if (currentPassword === '') throw wrong('Enter your current password.')
  const isRight = await verifyPassword(passwordHash, currentPassword, {
    client: ctx.clientAddress,
    beforeVerify: () => consumeRate(ctx, 'owner-proof', user.sessionId),
  })
  if (!isRight) {
    await recordRefusal(ctx, { action: 'password.refused', of: { userId: user.id } })
    throw wrong('This isn’t your current password.')
  }
  await refundRate(ctx, 'owner-proof', user.sessionId)
  return passwordHash
}

const wrong = (sentence: string) =>
  new AppError('INVALID', sentence, { fields: { currentPassword: sentence } })
