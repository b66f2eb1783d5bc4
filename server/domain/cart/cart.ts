import type { Variant } from '../catalog/catalog.ts'
import type { LineState } from '../dispensing/line-state.ts'
import { decimalFromCents, dollars } from '../money.ts'

/** The cart's rules (specification, sections 4 and 9; contract, "Payment and orders"). */

export const maxLines = 50
export const maxQuantity = 999

/** A line of the cart, for pages, the mirror in local storage and the API. */
export type CartLine = {
  product: {
    id: string
    name: string
    image: string
    category: string
    /** "oral · tablet · OTC", as `productKind` writes it. */
    kind: string
    controlledSchedule: string | null
  }
  variant: Variant
  quantity: number
  /** Decimal string: price times quantity; "0.00" without a price. */
  subtotal: string
  /** Why this quantity cannot be bought, as a message for the customer, or null. */
  problem: string | null
  /** From `describePriceChange`. */
  priceNote: string | null
  /** The state of its prescription. Null for a visitor, and for a line that needs none. */
  prescription: Pick<LineState, 'kind' | 'message'> | null
}

export type CartView = { lines: CartLine[]; count: number; total: string }

export const emptyCart: CartView = { lines: [], count: 0, total: '0.00' }

/** Sums up lines whose prices are integer cents. */
export function cartTotals(lines: readonly { quantity: number; priceCents: number | null }[]): {
  count: number
  total: string
} {
  let count = 0
  let cents = 0
  for (const line of lines) {
    count += line.quantity
    cents += line.quantity * (line.priceCents ?? 0)
  }
  return { count, total: decimalFromCents(cents) }
}

/** Why a requested quantity is invalid, or null. Callers that accept zero check it first. */
export function quantityProblem(quantity: number): string | null {
  if (!Number.isInteger(quantity)) return 'Quantity must be a whole number.'
  if (quantity < 1) return 'Quantity must be at least 1.'
  if (quantity > maxQuantity) return `Quantity must be at most ${maxQuantity}.`
  return null
}

/** A line from local storage. An import reads prices and names from the catalog. */
export type StoredLine = { variantId: string; quantity: number }

/**
 * Parses the documented mirror of the cart and drops lines without a variant.
 * @throws SyntaxError when the text is not a JSON array
 */
export function parseStoredCart(text: string): { lines: StoredLine[]; cleaned: unknown[] } {
  const stored: unknown = JSON.parse(text)
  if (!Array.isArray(stored)) throw new SyntaxError('The stored cart is not an array.')
  const cleaned: unknown[] = []
  const lines: StoredLine[] = []
  for (const line of stored as unknown[]) {
    const variantId = nestedId(line, 'variant')
    if (!variantId) continue
    cleaned.push(line)
    const quantity =
      line && typeof line === 'object' && 'quantity' in line ? Number(line.quantity) : Number.NaN
    if (quantityProblem(quantity) === null) lines.push({ variantId, quantity })
  }
  return { lines: lines.slice(0, maxLines), cleaned }
}

const maxIdLength = 64

function nestedId(line: unknown, key: string): string | null {
  if (!line || typeof line !== 'object') return null
  const part = (line as Record<string, unknown>)[key]
  if (!part || typeof part !== 'object' || !('id' in part)) return null
  // A longer id is not ours and could make the import too large to send.
  return typeof part.id === 'string' && part.id.length <= maxIdLength ? part.id : null
}

/** The current price and availability of a variant. */
export type Offer = {
  priceCents: number | null
  inStock: boolean
  stockQuantity: number
  trackInventory: boolean
  controlledSchedule: string | null
}

/** The offer without the stock that other customers have reserved. */
export const withoutReserved = <T extends Offer>(offer: T, reservedByOthers: number): T => ({
  ...offer,
  stockQuantity: Math.max(0, offer.stockQuantity - Math.max(0, reservedByOthers)),
})

/**
 * What the customer reads about a line whose price is not the one that they saw when they added it
 * or last changed it. Null when it is the same, and without a price, which is a problem of its own.
 */
export const describePriceChange = (line: {
  priceCents: number | null
  addedPriceCents: number
}): string | null =>
  line.priceCents === null || line.priceCents === line.addedPriceCents
    ? null
    : `The price was ${dollars(line.addedPriceCents)} when you added it.`

/** Why this quantity of a variant cannot be bought, as a message for the customer, or null. */
export function findOfferProblem(offer: Offer, quantity: number): string | null {
  if (offer.controlledSchedule) return 'Not available online.'
  if (offer.priceCents === null || offer.priceCents === 0)
    return 'This variant has no price and can’t be bought.'
  if (!offer.inStock || (offer.trackInventory && offer.stockQuantity <= 0)) return 'Out of stock.'
  if (offer.trackInventory && quantity > offer.stockQuantity) return `Only ${offer.stockQuantity} in stock.`
  return null
}
