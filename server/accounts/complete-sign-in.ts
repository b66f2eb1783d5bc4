import { joinCart } from '../cart/join-cart.ts'
import { inTransaction, type Context } from '../context.ts'
import { endSession } from './end-session.ts'
import { startSession } from './start-session.ts'

/**
 * Signs a browser in as somebody who has proven who they are: the session it had ends, a new one begins, and the cart it filled
 * comes along. Returns the new session's token, and how many lines joined the account's cart. Throws NOT_FOUND when the user is
 * gone.
 */
export const completeSignIn = (
  ctx: Context,
  { userId, userAgent, cartToken }: { userId: string; userAgent: string | null; cartToken: string | null },
): Promise<{ token: string; joinedLines: number }> =>
  inTransaction(ctx, async (ctx) => {
    await endSession(ctx)
    const token = await startSession(ctx, { userId, userAgent })
    // The cart of whoever was signed in here before is theirs and not this browser's.
    const joinedLines = cartToken === null ? 0 : await joinCart(ctx, { userId, cartToken })
    return { token, joinedLines }
  })
