import { serverPaths } from '#domain/server-paths.ts'
import type { PersonName } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { consumeRate } from '../limit-rate.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { createUser } from './create-user.ts'
import type { DeviceTokens } from './known-device.ts'
import { createOneTimeToken } from './one-time-token.ts'
import { hashPassword } from './passwords.ts'
import { requireStrongPassword } from './require-strong-password.ts'
import { signIn, type VerifiedUser } from './sign-in.ts'

type Registration = PersonName & { email: string; password: string }

/**
 * Creates an account and emails a link that confirms its address. Submitting the form twice creates
 * one account: the right password for an existing account signs in. Throws INVALID (email) when the
 * address has an account with another password, INVALID (password) when the password is easy to
 * guess, and TOO_MANY.
 *
 * The form reveals that an address has an account. An account opens immediately, without a detour
 * by email (contract, "Sessions and limits"), so a missing account would show anyway. The limit per
 * IP address prevents bulk lookups.
 */
export async function register(
  ctx: Context,
  { password, ...person }: Registration,
  { origin, devices = [] }: { origin: string; devices?: DeviceTokens },
): Promise<VerifiedUser & { isNew: boolean }> {
  await consumeRate(ctx, 'registration', ctx.clientAddress)
  await requireStrongPassword('password', { password, email: person.email })
  const passwordHash = await hashPassword(password, ctx.clientAddress)
  const userId = await createUser(ctx, { ...person, passwordHash }, async (ctx, userId) => {
    const token = await createOneTimeToken(ctx, { purpose: 'confirm-email', userId })
    await queueMail(ctx, {
      to: { address: person.email },
      template: 'confirm-email',
      props: { link: origin + serverPaths.confirmEmailWith(token) },
    })
  })
  if (userId !== null) return { userId, passwordHash, hasSecondFactor: false, isNew: true }
  try {
    return { ...(await signIn(ctx, { email: person.email, password }, devices)), isNew: false }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID') throw error
    const sentence = 'This email address already has an account. Sign in instead.'
    throw new AppError('INVALID', sentence, { fields: { email: sentence }, cause: error })
  }
}
