import { findPasswordHash, lockUser } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { joinCart } from '../cart/merge-carts.ts'
import { inTransaction, type Context } from '../context.ts'
import { endSession } from './end-session.ts'
import { makeOneTimeToken } from './one-time-token.ts'
import { wrongPassword, type ProvenUser } from './sign-in.ts'
import { startSession } from './start-session.ts'

type Proven = Pick<ProvenUser, 'userId' | 'passwordHash'>

/**
 * Signs a browser in as somebody who has proven who they are: the session it had ends, a new one begins, and the cart it filled
 * comes along. Returns the new session's token, and how many lines joined the account's cart. Throws NOT_FOUND when the user is
 * gone, INVALID when the password was changed meanwhile.
 */
export const completeSignIn = (
  ctx: Context,
  { userAgent, cartToken, ...proven }: Proven & { userAgent: string | null; cartToken: string | null },
): Promise<{ token: string; joinedLines: number }> =>
  inTransaction(ctx, async (ctx) => {
    await holdProof(ctx, proven)
    await endSession(ctx)
    const { userId } = proven
    const token = await startSession(ctx, { userId, userAgent })
    // The cart of whoever was signed in here before is theirs and not this browser's.
    const joinedLines = cartToken === null ? 0 : await joinCart(ctx, { userId, cartToken })
    return { token, joinedLines }
  })

/** The token by which somebody whose password was right goes on to the second step. Throws what `completeSignIn` throws. */
export const beginSecondStep = (ctx: Context, proven: Proven): Promise<string> =>
  inTransaction(ctx, async (ctx) => {
    await holdProof(ctx, proven)
    return makeOneTimeToken(ctx, { purpose: 'second-factor', userId: proven.userId })
  })

/**
 * Takes the user's row, so that a change of the password comes before or after. One that came while the old one was compared has
 * ended every session, and this one must not begin behind it.
 */
async function holdProof(ctx: Context, { userId, passwordHash }: Proven): Promise<void> {
  if (!(await lockUser(ctx.db, userId))) throw new AppError('NOT_FOUND', 'This account is gone.')
  if (passwordHash !== undefined && (await findPasswordHash(ctx.db, userId)) !== passwordHash) {
    throw wrongPassword()
  }
}
