import {
  deleteCart,
  findCartId,
  findUserCartId,
  giveCart,
  listCartLines,
  putCartLine,
  touchCart,
  type StoredCartLine,
} from '#db/cart/carts.ts'
import { lockUser } from '#db/accounts/users.ts'
import { maxLines, maxQuantity } from '#domain/cart/cart.ts'
import type { Context } from '../context.ts'
import { hashToken, newToken } from '../crypto/tokens.ts'

/**
 * Brings a visitor's cart into an account's, line by line, and closes the way to it by its cookie: done twice it is done once.
 * Inside the transaction that signs in. Returns how many lines came along.
 */
export async function joinCart(
  ctx: Context,
  { userId, cartToken }: { userId: string; cartToken: string },
): Promise<number> {
  // Two browsers may sign in at once, each with a cart.
  if (!(await lockUser(ctx.db, userId))) return 0
  const tokenHash = hashToken(cartToken)
  const found = await findCartId(ctx.db, tokenHash)
  if (!found || !(await touchCart(ctx.db, found, ctx.now))) return 0
  // Whoever waited for its row may find it somebody else's by now.
  if ((await findCartId(ctx.db, tokenHash)) !== found) return 0
  const lines = (await listCartLines(ctx.db, found)).filter((line) => !line.gone)
  const ownId = await findUserCartId(ctx.db, userId)
  if (!ownId) {
    await giveCart(ctx.db, { id: found, userId, tokenHash: hashToken(newToken()), now: ctx.now })
    return lines.length
  }
  await touchCart(ctx.db, ownId, ctx.now)
  const own = new Map((await listCartLines(ctx.db, ownId)).map((line) => [line.variant.id, line.quantity]))
  let joined = 0
  for (const line of lines) {
    const before = own.get(line.variant.id) ?? 0
    if (before === 0 && own.size >= maxLines) continue
    const quantity = Math.max(before, Math.min(before + line.quantity, mostOf(line)))
    own.set(line.variant.id, quantity)
    await putCartLine(ctx.db, {
      cartId: ownId,
      variantId: line.variant.id,
      quantity,
      priceCents: line.priceCents ?? 0,
      now: ctx.now,
    })
    joined++
  }
  await deleteCart(ctx.db, found)
  return joined
}

/** What has run out stays in the cart as it is, and the cart says so. */
const mostOf = ({ variant }: StoredCartLine): number =>
  variant.trackInventory && variant.stockQuantity > 0
    ? Math.min(variant.stockQuantity, maxQuantity)
    : maxQuantity
