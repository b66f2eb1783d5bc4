import { markEmailConfirmed } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { takeOneTimeToken } from './one-time-token.ts'
import { lapsedLink } from './reset-password.ts'

/** Notes, by the link of a mail, that an account's address is its owner's. Throws NOT_FOUND when the link no longer works. */
export const confirmEmail = (ctx: Context, { token }: { token: string }): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const taken = await takeOneTimeToken(ctx, 'confirm-email', token)
    if (!taken) throw new AppError('NOT_FOUND', lapsedLink)
    await markEmailConfirmed(ctx.db, { id: taken.userId, now: ctx.now })
  })
