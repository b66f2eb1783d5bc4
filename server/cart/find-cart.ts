import { findCartId } from '#db/cart/carts.ts'
import type { Context } from '../context.ts'
import { hashToken } from '../crypto/tokens.ts'
import type { Cart } from './cart-lines.ts'

/**
 * The cart of the signed-in customer, or of the visitor with this cookie token. Null when a visitor
 * has none.
 */
export async function findCurrentCart(ctx: Context, token: string | null): Promise<Cart | null> {
  if (ctx.user) return { userId: ctx.user.id }
  const cartId = token ? await findCartId(ctx.db, hashToken(token)) : null
  return cartId === null ? null : { cartId }
}
