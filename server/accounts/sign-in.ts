import { findCredentials } from '#db/accounts/credentials.ts'
import { normalizeEmail } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { hashEmail } from './blind-indexes.ts'
import { findKnownDevice, type DeviceTokens } from './known-device.ts'
import { requireRateLeft, consumeRate, refundRate } from '../limit-rate.ts'
import { toAppError } from '../errors.ts'
import type { LimitedAction } from '../rate-limits.ts'
import { verifyPassword, dummyHash } from './passwords.ts'
import { recordRefusal } from './record-refusal.ts'

/**
 * A user whose password was right or whom the identity provider has authenticated. With a second
 * factor, one more step follows.
 */
export type VerifiedUser = {
  userId: string
  hasSecondFactor: boolean
  /**
   * The stored hash when a password or a second factor was verified, null for an account without a
   * password; absent otherwise.
   */
  passwordHash?: string | null
}

/** The same message whichever of the two is wrong. */
export const wrongPasswordError = () => new AppError('INVALID', 'The email or password is incorrect.')

/**
 * Verifies an email address and a password. For an unknown address the error is the same after the
 * same work, so the form does not reveal who has an account. Throws INVALID when either is wrong,
 * TOO_MANY after ten failures for an account or many from an IP address, and UNAVAILABLE when the
 * hashing queue is full. A device that is known to the account has ten failures of its own, and
 * those of other browsers do not count there.
 * @param devices the tokens of this browser
 */
export async function signIn(
  ctx: Context,
  credentials: { email: string; password: string },
  devices: DeviceTokens = [],
): Promise<VerifiedUser> {
  try {
    return await verifyCredentials(ctx, credentials, devices)
  } catch (error) {
    const { code } = toAppError(error)
    const action = code === 'TOO_MANY' ? 'sign-in.locked' : 'sign-in.password-refused'
    if (code === 'TOO_MANY' || code === 'INVALID') {
      await recordRefusal(ctx, { action, of: { email: credentials.email }, actorId: null })
    }
    throw error
  }
}

async function verifyCredentials(
  ctx: Context,
  { email, password }: { email: string; password: string },
  devices: DeviceTokens,
): Promise<VerifiedUser> {
  const account = normalizeEmail(email)
  const user = await findCredentials(ctx.db, hashEmail(ctx, account))
  const device = await findKnownDevice(ctx, user?.id ?? null, devices)
  const counters: [LimitedAction, string][] = device
    ? [['sign-in-device', device.tokenHash]]
    : [
        ['sign-in-address', ctx.clientAddress],
        ['sign-in-account', account],
      ]
  for (const [action, key] of counters) await requireRateLeft(ctx, action, key)
  const isRight = await verifyPassword(user?.passwordHash ?? dummyHash, password, {
    client: ctx.clientAddress,
    // Counts each attempt before it is made; otherwise fifty concurrent attempts would all be made.
    // Counting only once its turn in the queue has come keeps concurrent successful sign-ins from
    // blocking each other.
    beforeVerify: async () => {
      for (const [action, key] of counters) await consumeRate(ctx, action, key)
    },
  })
  if (!user?.passwordHash || !isRight) throw wrongPasswordError()
  for (const [action, key] of counters) await refundRate(ctx, action, key)
  const { id: userId, passwordHash, totpConfirmedAt } = user
  return { userId, passwordHash, hasSecondFactor: totpConfirmedAt !== null }
}
