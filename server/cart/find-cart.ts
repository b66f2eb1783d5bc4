import { findCartId, findUserCartId } from '#db/cart/carts.ts'
import type { Context } from '../context.ts'
import { hashToken } from '../crypto/tokens.ts'

/**
 * Whose cart it is: the account's of whoever is signed in, else the visitor's behind a cookie's
 * token. Null when there is none.
 */
export async function findCurrentCartId(ctx: Context, token: string | null): Promise<string | null> {
  if (ctx.user) return findUserCartId(ctx.db, ctx.user.id)
  return token ? findCartId(ctx.db, hashToken(token)) : null
}
