import { markEmailConfirmed } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { peekOneTimeToken, consumeOneTimeToken } from './one-time-token.ts'
import { findEmail } from './find-email.ts'
import { hashPassword } from './passwords.ts'
import { requireStrongPassword } from './require-strong-password.ts'
import { setPassword } from './set-password.ts'

/** The error for a link that no longer works. */
export const expiredLinkMessage = 'This link has expired or was already used.'

/**
 * Sets a new password by the link from the email, once, and ends every session of the account. It
 * signs no browser in, because access to the mailbox alone must not bypass a second factor. Throws
 * NOT_FOUND when the link no longer works.
 */
export async function resetPassword(
  ctx: Context,
  { token, password }: { token: string; password: string },
  { supportEmail }: { supportEmail: string },
): Promise<void> {
  // Checked before hashing: an invalid link must not cost a hash.
  const found = await peekOneTimeToken(ctx, 'reset-password', token)
  const email = found && (await findEmail(ctx, found.userId))
  if (email === null) throw new AppError('NOT_FOUND', expiredLinkMessage)
  await requireStrongPassword('password', { password, email })
  const passwordHash = await hashPassword(password)
  await inTransaction(ctx, async (ctx) => {
    const redeemed = await consumeOneTimeToken(ctx, 'reset-password', token)
    if (!redeemed) throw new AppError('NOT_FOUND', expiredLinkMessage)
    await setPassword(ctx, { userId: redeemed.userId, passwordHash, supportEmail })
    // The link arrived by email, so the address is confirmed.
    await markEmailConfirmed(ctx.db, { id: redeemed.userId, now: ctx.now })
  })
}
