import type { StoredCartLine } from '#db/cart/carts.ts'
import { findOpenCheckout, listOffers } from '#db/checkout/checkouts.ts'
import { describePriceChange, findOfferProblem, withoutReserved } from '#domain/cart/cart.ts'
import { computeFingerprint } from '#domain/checkout/checkout.ts'
import type { LineState } from '#domain/dispensing/line-state.ts'
import { listLines } from '../cart/cart-lines.ts'
import { listCartStates } from '../dispensing/list-cart-states.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'
import { hashCustomer, openCheckout } from './sealed-checkout.ts'

/** A cart line with today's price and availability. */
export type CheckoutLine = Pick<StoredCartLine, 'product' | 'variant' | 'quantity'> & {
  /** Today's price; null without one. */
  priceCents: number | null
  /** From `describePriceChange`. */
  priceNote: string | null
  /** Why this quantity cannot be bought, as a message for the customer, or null. */
  problem: string | null
  /** The quantity that can be bought. */
  availableQuantity: number
  /** The state of its prescription when none is chosen. Null for a line that needs none. */
  prescription: LineState | null
}

export type CheckoutLines = {
  lines: CheckoutLine[]
  totalCents: number
  /** From `computeFingerprint`: compares what the customer saw with what is true at payment. */
  fingerprint: string
  needsPrescription: boolean
}

/**
 * The signed-in customer's cart with current prices and stock, without deleted variants. Stock in
 * other customers' checkouts is unavailable; stock in the customer's own is available. Changes
 * nothing. Throws UNAUTHENTICATED.
 */
export async function getCheckoutLines(ctx: Context): Promise<CheckoutLines> {
  const { id: userId } = requireUser(ctx)
  const stored = (await listLines(ctx, { userId })).filter((line) => !line.isDeleted)
  const offers = await listOffers(
    ctx.db,
    stored.map((line) => line.variant.id),
  )
  const reserved = new Map(offers.map((offer) => [offer.id, offer.reservedQuantity]))
  const ownReservations = await listOwnReservations(ctx, userId)
  const states = await listCartStates(ctx, userId, stored)
  const lines = stored.map(({ product, variant, quantity, priceCents, addedPriceCents }): CheckoutLine => {
    const reservedByOthers = (reserved.get(variant.id) ?? 0) - (ownReservations.get(variant.id) ?? 0)
    const offer = withoutReserved(
      { ...variant, priceCents, controlledSchedule: product.controlledSchedule },
      reservedByOthers,
    )
    return {
      product,
      variant,
      quantity,
      priceCents,
      priceNote: describePriceChange({ priceCents, addedPriceCents }),
      problem: findOfferProblem(offer, quantity),
      availableQuantity:
        findOfferProblem(offer, 1) === null ? (variant.trackInventory ? offer.stockQuantity : quantity) : 0,
      prescription: states.get(variant.id) ?? null,
    }
  })
  return {
    lines,
    totalCents: lines.reduce((sum, { priceCents, quantity }) => sum + (priceCents ?? 0) * quantity, 0),
    fingerprint: computeFingerprint(
      lines.map(({ variant, quantity, priceCents }) => ({
        productVariantId: variant.id,
        quantity,
        priceCents,
      })),
    ),
    needsPrescription: lines.some(({ product }) => product.category === 'Rx'),
  }
}

/** The quantities that the customer's own open checkout reserves, by variant. */
async function listOwnReservations(ctx: Context, userId: string): Promise<Map<string, number>> {
  const open = await findOpenCheckout(ctx.db, hashCustomer(ctx.keys, userId))
  const lines = open ? openCheckout(ctx.keys, open).lines.filter((line) => line.isTracked) : []
  return new Map(lines.map(({ productVariantId, quantity }) => [productVariantId, quantity]))
}
