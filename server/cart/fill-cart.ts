import { findOffer } from '#db/cart/carts.ts'
import { maxLines, maxQuantity, findOfferProblem, type StoredLine } from '#domain/cart/cart.ts'
import { inTransaction, type Context } from '../context.ts'
import { lockCart, openCart } from './update-cart.ts'

/** A requested variant and its quantity in the cart now. */
export type FilledLine = { variantId: string; quantity: number }

/**
 * Raises the quantities in the signed-in customer's cart to at least the requested ones, so calling
 * it twice adds nothing. Quantities are limited to the stock. The result is 0 for a variant that
 * cannot be bought or would exceed the maximum number of lines. A line's `patientId` is whom it was
 * for in the order that is ordered again.
 */
export async function fillCart(
  ctx: Context,
  requested: readonly (StoredLine & { patientId?: string })[],
): Promise<FilledLine[]> {
  return inTransaction(ctx, async (ctx) => {
    const { items, save } = await openCart(ctx, null, await lockCart(ctx, null))
    const quantities = new Map(items.map(({ variantId, quantity }) => [variantId, quantity]))
    const filled: FilledLine[] = []
    for (const { variantId, quantity, patientId } of requested) {
      const offer = await findOffer(ctx.db, variantId)
      const isPurchasable = offer !== null && findOfferProblem(offer, 1) === null
      if (!isPurchasable || (!quantities.has(variantId) && quantities.size >= maxLines)) {
        filled.push({ variantId, quantity: 0 })
        continue
      }
      const limit = offer.trackInventory ? Math.min(maxQuantity, offer.stockQuantity) : maxQuantity
      const total = Math.min(limit, Math.max(quantity, quantities.get(variantId) ?? 0))
      quantities.set(variantId, total)
      filled.push({ variantId, quantity: total })
      await save({ variantId, quantity: total, priceCents: offer.priceCents ?? 0 }, ctx.now, patientId)
    }
    return filled
  })
}
