import { findCredentials } from '#db/accounts/users.ts'
import { emailKey } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { blindIndex } from '../crypto/tokens.ts'
import { checkRate, limitRate, uncountRate } from '../limit-rate.ts'
import { isPassword, nobodysHash } from './passwords.ts'

/** Somebody whose password was right, or whom the identity provider knows; with a second factor that is half the way. */
export type ProvenUser = {
  userId: string
  hasSecondFactor: boolean
  /** What was kept of the password when it was right; left out where something else has proven who it is. */
  passwordHash?: string
}

/** The same words whichever of the two is wrong. */
export const wrongPassword = () => new AppError('INVALID', 'Email or password is wrong.')

/**
 * Who has this e-mail address and this password. An unknown address is answered in the same words after the same work, so nobody
 * learns here who has an account. Throws INVALID when either is wrong, TOO_MANY after ten failures of an account, or many of an
 * address, and UNAVAILABLE when too many wait for their turn.
 */
export async function signIn(
  ctx: Context,
  { email, password }: { email: string; password: string },
): Promise<ProvenUser> {
  const account = emailKey(email)
  await checkRate(ctx, 'sign-in-address', ctx.clientAddress)
  await checkRate(ctx, 'sign-in-account', account)
  const user = await findCredentials(ctx.db, blindIndex(ctx.keys, 'email', account))
  const isRight = await isPassword(user?.passwordHash ?? nobodysHash, password, async () => {
    // Each try counts before it is made, or of fifty at once fifty would be made. Counted at its turn, those that succeed
    // do not stand in each other's way.
    await limitRate(ctx, 'sign-in-address', ctx.clientAddress)
    await limitRate(ctx, 'sign-in-account', account)
  })
  if (!user?.passwordHash || !isRight) throw wrongPassword()
  await uncountRate(ctx, 'sign-in-address', ctx.clientAddress)
  await uncountRate(ctx, 'sign-in-account', account)
  const { id: userId, passwordHash, totpConfirmedAt } = user
  return { userId, passwordHash, hasSecondFactor: totpConfirmedAt !== null }
}
