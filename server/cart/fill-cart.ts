import { findOffer, listCartLines, saveCartLine } from '#db/cart/carts.ts'
import { maxLines, maxQuantity, offerProblem, type StoredLine } from '#domain/cart/cart.ts'
import { inTransaction, type Context } from '../context.ts'
import { openCart } from './update-cart.ts'

/** What became of each variant that somebody wanted in the cart: how many of it are there now. */
export type FilledLine = { variantId: string; quantity: number }

/**
 * Sees to it that the cart of whoever is signed in holds at least this many of each variant, as far
 * as it can be bought; what is there already stays, so doing it twice is doing it once. Quantities
 * beyond the stock are lowered to it; 0 is what cannot be bought, or would be one line too many.
 */
export async function fillCart(ctx: Context, requested: readonly StoredLine[]): Promise<FilledLine[]> {
  return inTransaction(ctx, async (ctx) => {
    const cart = await openCart(ctx, null)
    const quantities = new Map(
      (await listCartLines(ctx.db, cart.id)).map((line) => [line.variant.id, line.quantity]),
    )
    const filled: FilledLine[] = []
    for (const { variantId, quantity } of requested) {
      const offer = await findOffer(ctx.db, variantId)
      const isOffered = offer !== null && offerProblem(offer, 1) === null
      if (!isOffered || (!quantities.has(variantId) && quantities.size >= maxLines)) {
        filled.push({ variantId, quantity: 0 })
        continue
      }
      const limit = offer.trackInventory ? Math.min(maxQuantity, offer.stockQuantity) : maxQuantity
      const total = Math.min(limit, Math.max(quantity, quantities.get(variantId) ?? 0))
      quantities.set(variantId, total)
      filled.push({ variantId, quantity: total })
      await saveCartLine(ctx.db, {
        cartId: cart.id,
        variantId,
        quantity: total,
        priceCents: offer.priceCents ?? 0,
        now: ctx.now,
      })
    }
    return filled
  })
}
