import { markEmailConfirmed } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { readOneTimeToken, takeOneTimeToken } from './one-time-token.ts'
import { hashPassword } from './passwords.ts'
import { setPassword } from './set-password.ts'

/** What a link says that no longer works. */
export const lapsedLink = 'This link was used already or is too old.'

/**
 * Sets a new password by the link of a mail, once, and ends every session of the account. Signs nobody in: a mailbox alone opens
 * no account that has a second factor. Throws NOT_FOUND when the link no longer works.
 */
export async function resetPassword(
  ctx: Context,
  { token, password }: { token: string; password: string },
  { supportEmail }: { supportEmail: string },
): Promise<void> {
  // Before the hash is made: a link that is none shall not cost one.
  if (!(await readOneTimeToken(ctx, 'reset-password', token))) throw new AppError('NOT_FOUND', lapsedLink)
  const passwordHash = await hashPassword(password)
  await inTransaction(ctx, async (ctx) => {
    const taken = await takeOneTimeToken(ctx, 'reset-password', token)
    if (!taken) throw new AppError('NOT_FOUND', lapsedLink)
    await setPassword(ctx, { userId: taken.userId, passwordHash, supportEmail })
    // The link came by mail, so mail to this address reaches them.
    await markEmailConfirmed(ctx.db, { id: taken.userId, now: ctx.now })
  })
}
