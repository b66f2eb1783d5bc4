import { findUserCartId, listCartLines, type StoredCartLine } from '#db/cart/carts.ts'
import { findOpenCheckout, listOffers } from '#db/checkout/checkouts.ts'
import { offerProblem } from '#domain/cart/cart.ts'
import { fingerprintOf } from '#domain/checkout/checkout.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'
import { openFrozen } from './sealed-checkout.ts'

/** A line of the cart as it could be ordered now. */
export type CheckoutLine = Pick<StoredCartLine, 'product' | 'variant' | 'quantity'> & {
  /** Today's; null without a price. */
  priceCents: number | null
  /** When it was put into the cart. */
  addedPriceCents: number
  /** Why this many cannot be bought, in the customer's words, or null. */
  problem: string | null
  /** How many could be bought. */
  availableQuantity: number
}

export type CheckoutLines = {
  lines: CheckoutLine[]
  totalCents: number
  /** What was read, to be held against what is true when it is paid. */
  fingerprint: string
  needsPrescription: boolean
}

/**
 * The cart of whoever is signed in, with prices and stock read afresh; what is no longer offered is left out. What others hold in their
 * checkouts is not to be had, what one's own holds is. Changes nothing. Throws UNAUTHENTICATED.
 */
export async function getCheckoutLines(ctx: Context): Promise<CheckoutLines> {
  const { id: userId } = requireUser(ctx)
  const cartId = await findUserCartId(ctx.db, userId)
  const stored = cartId ? (await listCartLines(ctx.db, cartId)).filter((line) => !line.isDeleted) : []
  const offers = await listOffers(
    ctx.db,
    stored.map((line) => line.variant.id),
  )
  const reserved = new Map(offers.map((offer) => [offer.id, offer.reservedQuantity]))
  const ownReservations = await listOwnReservations(ctx, userId)
  const lines = stored.map(({ product, variant, quantity, priceCents, priceCentsThen: addedPriceCents }): CheckoutLine => {
    const reservedByOthers = Math.max(0, (reserved.get(variant.id) ?? 0) - (ownReservations.get(variant.id) ?? 0))
    const offer = {
      ...variant,
      priceCents,
      controlledSchedule: product.controlledSchedule,
      stockQuantity: Math.max(0, variant.stockQuantity - reservedByOthers),
    }
    return {
      product,
      variant,
      quantity,
      priceCents,
      addedPriceCents,
      problem: problemOf(offer, quantity),
      availableQuantity: offerProblem(offer, 1) === null ? (variant.trackInventory ? offer.stockQuantity : quantity) : 0,
    }
  })
  return {
    lines,
    totalCents: lines.reduce((sum, { priceCents, quantity }) => sum + (priceCents ?? 0) * quantity, 0),
    fingerprint: fingerprintOf(
      lines.map(({ variant, quantity, priceCents }) => ({
        productVariantId: variant.id,
        quantity,
        priceCents,
      })),
    ),
    needsPrescription: lines.some(({ product }) => product.category === 'Rx'),
  }
}

/** The last of it may be in another's checkout, from which it may come back. */
const problemOf = (offer: Parameters<typeof offerProblem>[0], quantity: number): string | null =>
  offerProblem(offer, quantity) === 'Only 0 in stock.' ? 'Out of stock.' : offerProblem(offer, quantity)

/** What one's own open checkout reserves, by variant. */
async function listOwnReservations(ctx: Context, userId: string): Promise<Map<string, number>> {
  const open = await findOpenCheckout(ctx.db, userId)
  const lines = open ? openFrozen(ctx.keys, open).lines.filter((line) => line.isTracked) : []
  return new Map(lines.map(({ productVariantId, quantity }) => [productVariantId, quantity]))
}
