import type { Db } from '#db/engine/client.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { startSecondFactor, confirmSecondFactor } from '#server/accounts/update-second-factor.ts'
import { getSecuritySettings } from '#server/accounts/get-security-settings.ts'
import { getSessionRules } from '#server/accounts/session-rules.ts'
import { Secret, TOTP } from 'otpauth'
import { signedIn, testContext } from './context.ts'

export const support = { supportEmail: 'support@shop.example' }
export const rules = getSessionRules({ mode: 'demo', requireAdminMfa: false })
export const password = 'correct horse battery'
export const proof = { currentPassword: password, code: '' }
export const noProof = { currentPassword: '', code: '' }

/** The code that an authenticator app shows for a secret at a time. */
export const appCode = (secret: string, now: Date): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret.replaceAll(' ', '')), timestamp: now.getTime() })

/**
 * Turns on a user's second factor, in the session of `user`. Returns its secret and the recovery
 * codes.
 */
export async function turnOnSecondFactor(
  db: Db,
  userId: string,
  now: Date,
  currentPassword = '',
  user: SessionUser | null = null,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const ctx = testContext(db, { now, user: user ?? signedIn(userId) })
  await startSecondFactor(ctx, { currentPassword, code: '' })
  const { secondFactor } = await getSecuritySettings(ctx, rules)
  if (secondFactor.state !== 'pending') throw new Error(`The second factor is ${secondFactor.state}.`)
  const { secret } = secondFactor
  const recoveryCodes = await confirmSecondFactor(ctx, { code: appCode(secret, now) }, support)
  return { secret, recoveryCodes }
}
