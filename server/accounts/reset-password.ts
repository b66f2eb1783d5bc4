import { deleteKnownDevices } from '#db/accounts/known-devices.ts'
import { isSuspended } from '#db/accounts/users.ts'
import { findSecurityFields } from '#db/accounts/credentials.ts'
import { normalizeEmail } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { resetRate } from '../limit-rate.ts'
import { claimAccount } from './claim-account.ts'
import { endSession } from './end-session.ts'
import { findEmail } from './find-email.ts'
import { rememberDevice, type DeviceTokens } from './known-device.ts'
import { peekOneTimeToken, consumeOneTimeToken } from './one-time-token.ts'
import { hashPassword } from './passwords.ts'
import { requireStrongPassword } from './require-strong-password.ts'
import { setPassword } from './set-password.ts'

/** The error for a link that no longer works. */
export const expiredLinkMessage = 'This link has expired or was already used.'

/**
 * Sets a new password by the link from the email, once, and ends every session of the account and
 * of the browser. It signs no browser in, because access to the mailbox alone must not bypass a
 * second factor. An account whose address was never confirmed passes to the owner of the address
 * (`claimAccount`). The browser becomes the account's only known device, so failures elsewhere
 * cannot keep it from signing in with the new password. Returns its device tokens and whether the
 * account was claimed. Throws NOT_FOUND when the link no longer works, INVALID when the password is
 * easy to guess.
 */
export async function resetPassword(
  ctx: Context,
  { token, password }: { token: string; password: string },
  { supportEmail, devices = [] }: { supportEmail: string; devices?: DeviceTokens },
): Promise<{ devices: string[]; isClaimed: boolean }> {
  // Checked before hashing: an invalid link must not cost a hash.
  const found = await peekOneTimeToken(ctx, 'reset-password', token)
  const email = found && (await findEmail(ctx, found.userId))
  if (email === null) throw new AppError('NOT_FOUND', expiredLinkMessage)
  await requireStrongPassword('password', { password, email })
  const passwordHash = await hashPassword(password, ctx.clientAddress)
  const result = await inTransaction(ctx, async (ctx) => {
    const redeemed = await consumeOneTimeToken(ctx, 'reset-password', token)
    // The link can be from before the account was suspended.
    if (!redeemed || (await isSuspended(ctx.db, redeemed.userId))) {
      throw new AppError('NOT_FOUND', expiredLinkMessage)
    }
    const { userId } = redeemed
    const isClaimed = (await findSecurityFields(ctx.db, userId))?.emailConfirmedAt === null
    if (isClaimed) await claimAccount(ctx, { userId, subjectHash: null })
    await setPassword(ctx, { userId, passwordHash, supportEmail })
    // The browser may be signed in to another account.
    await endSession(ctx)
    await deleteKnownDevices(ctx.db, userId)
    const tokens = await rememberDevice(ctx, { userId, tokens: devices, hasGivenFactor: false })
    return { devices: tokens, isClaimed }
  })
  // Requests before this one, perhaps a stranger's, must not block the owner's next one.
  await resetRate(ctx, 'reset', normalizeEmail(email))
  return result
}
