import { deleteCart, findCartId, touchCart, type StoredCartLine } from '#db/cart/carts.ts'
import { lockUser } from '#db/accounts/users.ts'
import { maxLines, maxQuantity } from '#domain/cart/cart.ts'
import type { Context } from '../context.ts'
import { hashToken } from '../crypto/tokens.ts'
import { listLines, openLines, type OpenCart } from './cart-lines.ts'

/**
 * Merges a visitor's cart into an account's and invalidates the visitor's cookie. Runs inside the
 * sign-in transaction; a second call does nothing. Returns the number of merged lines.
 */
export async function mergeCarts(
  ctx: Context,
  { userId, cartToken }: { userId: string; cartToken: string },
): Promise<number> {
  // Two browsers may sign in at once, each with a cart.
  if (!(await lockUser(ctx.db, userId))) return 0
  const tokenHash = hashToken(cartToken)
  const visitorCartId = await findCartId(ctx.db, tokenHash)
  if (!visitorCartId || !(await touchCart(ctx.db, visitorCartId, ctx.now))) return 0
  // While this waited for the row, another sign-in may have taken the cart.
  if ((await findCartId(ctx.db, tokenHash)) !== visitorCartId) return 0
  const lines = (await listLines(ctx, { cartId: visitorCartId })).filter((line) => !line.isDeleted)
  const { items, save } = await openLines(ctx, { userId })
  const own = new Map(items.map((item) => [item.variantId, item]))
  const quantities = new Map(items.map(({ variantId, quantity }) => [variantId, quantity]))
  if (quantities.size === 0) {
    await copyLines(save, lines, ctx.now)
    await deleteCart(ctx.db, visitorCartId)
    return lines.length
  }
  let merged = 0
  for (const line of lines) {
    const current = quantities.get(line.variant.id) ?? 0
    if (current === 0 && quantities.size >= maxLines) continue
    const quantity = Math.max(current, Math.min(current + line.quantity, quantityLimit(line)))
    quantities.set(line.variant.id, quantity)
    // The price that the customer saw: checkout asks about one that has changed since.
    const priceCents = own.get(line.variant.id)?.priceCents ?? line.addedPriceCents
    await save({ variantId: line.variant.id, quantity, priceCents })
    merged++
  }
  await deleteCart(ctx.db, visitorCartId)
  return merged
}

/** Copies a visitor's lines as they are, in their order, into an empty cart. */
async function copyLines(save: OpenCart['save'], lines: readonly StoredCartLine[], now: Date): Promise<void> {
  for (const [i, { variant, quantity, addedPriceCents }] of lines.entries()) {
    const item = { variantId: variant.id, quantity, priceCents: addedPriceCents }
    await save(item, new Date(now.getTime() + i))
  }
}

/** A line that is out of stock keeps its quantity; the cart shows the problem. */
const quantityLimit = ({ variant }: StoredCartLine): number =>
  variant.trackInventory && variant.stockQuantity > 0
    ? Math.min(variant.stockQuantity, maxQuantity)
    : maxQuantity
