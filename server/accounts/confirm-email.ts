import { markEmailConfirmed } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { consumeOneTimeToken } from './one-time-token.ts'
import { expiredLinkMessage } from './reset-password.ts'

/**
 * Marks an account's address as confirmed, by the link from the email. Throws NOT_FOUND when the
 * link no longer works.
 */
export const confirmEmail = (ctx: Context, { token }: { token: string }): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const redeemed = await consumeOneTimeToken(ctx, 'confirm-email', token)
    if (!redeemed) throw new AppError('NOT_FOUND', expiredLinkMessage)
    await markEmailConfirmed(ctx.db, { id: redeemed.userId, now: ctx.now })
  })
