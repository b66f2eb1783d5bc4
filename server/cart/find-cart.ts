import { findCartId, findUserCartId } from '#db/cart/carts.ts'
import type { Context } from '../context.ts'
import { hashToken } from '../crypto/tokens.ts'

/**
 * The cart of the signed-in customer, or of the visitor with this cookie token. Null without one.
 */
export async function findCurrentCartId(ctx: Context, token: string | null): Promise<string | null> {
  if (ctx.user) return findUserCartId(ctx.db, ctx.user.id)
  return token ? findCartId(ctx.db, hashToken(token)) : null
}
