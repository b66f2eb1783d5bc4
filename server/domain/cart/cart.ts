import type { Variant } from '../catalog/catalog.ts'
import { decimalFromCents } from '../money.ts'

/** The cart's rules (specification, sections 4 and 9; contract, "Payment and orders"). */

export const maxLines = 50
export const maxQuantity = 999

/** One line of the cart as pages, the mirror in local storage and the old API see it. */
export type CartLine = {
  product: { id: string; name: string; image: string; category: string; controlledSchedule: string | null }
  variant: Variant
  quantity: number
  /** Decimal string: price times quantity; "0.00" without a price. */
  subtotal: string
  /** Whether this many can be bought now. */
  available: boolean
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

/** What is wrong with a quantity that somebody asks for, or null. Zero or less is the caller's rule. */
export function quantityProblem(quantity: number): string | null {
  if (!Number.isInteger(quantity)) return 'Quantity must be a whole number.'
  if (quantity < 1) return 'Quantity must be at least 1.'
  if (quantity > maxQuantity) return `Quantity must be at most ${maxQuantity}.`
  return null
}

/** A line found in local storage: only what an import needs; prices and names are read afresh. */
export type StoredLine = { variantId: string; quantity: number }

/**
 * Reads the documented mirror: lines without a variant are dropped.
 * @throws SyntaxError when it is no JSON array
 */
export function readStoredCart(text: string): { lines: StoredLine[]; cleaned: unknown[] } {
  const stored: unknown = JSON.parse(text)
  if (!Array.isArray(stored)) throw new SyntaxError('The stored cart is not a list.')
  const cleaned: unknown[] = []
  const lines: StoredLine[] = []
  for (const line of stored as unknown[]) {
    const variantId = idOf(line, 'variant')
    if (!variantId) continue
    cleaned.push(line)
    const quantity =
      line && typeof line === 'object' && 'quantity' in line ? Number(line.quantity) : Number.NaN
    if (quantityProblem(quantity) === null) lines.push({ variantId, quantity })
  }
  return { lines: lines.slice(0, maxLines), cleaned }
}

const maxIdLength = 64

function idOf(line: unknown, key: string): string | null {
  if (!line || typeof line !== 'object') return null
  const part = (line as Record<string, unknown>)[key]
  if (!part || typeof part !== 'object' || !('id' in part)) return null
  // Longer than any id of ours it would only make the import too large to send.
  return typeof part.id === 'string' && part.id.length <= maxIdLength ? part.id : null
}

/** What a variant offers to a cart at this moment. */
export type Offer = {
  priceCents: number | null
  inStock: boolean
  stockQuantity: number
  trackInventory: boolean
  controlledSchedule: string | null
}

/** Why this many of a variant cannot be bought, in the customer's words, or null. */
export function offerProblem(offer: Offer, quantity: number): string | null {
  if (offer.controlledSchedule) return 'Not available online.'
  if (offer.priceCents === null || offer.priceCents === 0)
    return 'This variant has no price and cannot be bought.'
  if (!offer.inStock) return 'Out of stock.'
  if (offer.trackInventory && quantity > offer.stockQuantity) return `Only ${offer.stockQuantity} in stock.`
  return null
}
