/** The stock ledger's rules (specification, sections 3 and 5; settled decisions, "Prices, stock, orders"). */

/** The types that an administrator may give a change. */
export const adjustmentTypes = ['purchase', 'adjustment', 'return', 'damaged', 'expired'] as const
export type AdjustmentType = (typeof adjustmentTypes)[number]

/** `sale` and `cancellation` are written by the shop itself. */
export type TransactionType = AdjustmentType | 'sale' | 'cancellation'

/** The most that a variant's stock may be: far below what an integer column holds. */
export const maxStock = 1_000_000_000

/** So much or less is flagged as low (specification, section 9). */
export const lowStock = 10

/** The most that one adjustment adds or takes. */
export const maxChange = 1_000_000

/** What would be on hand after a change; null of one that is refused: of no whole number, of nothing, too large, or past a bound. */
export function stockAfter(onHand: number, change: number): number | null {
  if (!Number.isInteger(change) || change === 0 || Math.abs(change) > maxChange) return null
  const after = onHand + change
  return after < 0 || after > maxStock ? null : after
}

/** The longest notes of a change, in characters. */
export const maxNotes = 1000

/** A row of the ledger: what was on hand, what came or went, what is on hand since. */
export type InventoryTransaction = {
  id: string
  productVariantId: string
  transactionType: TransactionType
  quantityChange: number
  quantityBefore: number
  quantityAfter: number
  notes: string | null
  createdAt: Date
}
