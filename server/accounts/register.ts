import type { PersonName } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { limitRate } from '../limit-rate.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { createUser } from './create-user.ts'
import { makeOneTimeToken } from './one-time-token.ts'
import { hashPassword } from './passwords.ts'
import { signIn, type ProvenUser } from './sign-in.ts'

type Registration = PersonName & { email: string; password: string }

/**
 * Makes an account and mails a link that confirms its address. The form sent twice is one account: whoever knows the password of
 * the one that is there signs in. Throws INVALID (email) when the address has an account of another password, and TOO_MANY.
 *
 * That an address has an account is told here: an account is open at once, without a way round by mail (contract, "Sessions and
 * limits"), so that none was made shows anyhow. The limit by address keeps it from being asked for many.
 */
export async function register(
  ctx: Context,
  { password, ...person }: Registration,
  { origin }: { origin: string },
): Promise<ProvenUser & { isNew: boolean }> {
  await limitRate(ctx, 'registration', ctx.clientAddress)
  const passwordHash = await hashPassword(password)
  const userId = await createUser(ctx, { ...person, passwordHash }, async (ctx, userId) => {
    const token = await makeOneTimeToken(ctx, { purpose: 'confirm-email', userId })
    await queueMail(ctx, {
      to: { address: person.email },
      template: 'confirm-email',
      props: { link: `${origin}/confirm-email?token=${token}` },
    })
  })
  if (userId !== null) return { userId, passwordHash, hasSecondFactor: false, isNew: true }
  try {
    return { ...(await signIn(ctx, { email: person.email, password })), isNew: false }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID') throw error
    const sentence = 'This email address has an account already. Please sign in.'
    throw new AppError('INVALID', sentence, { fields: { email: sentence }, cause: error })
  }
}
