/**
 * The stock ledger's rules (specification, sections 3 and 5; settled decisions, "Prices, stock,
 * orders").
 */

/** The types that an admin can give an adjustment. */
export const adjustmentTypes = ['purchase', 'adjustment', 'return', 'damaged', 'expired'] as const
export type AdjustmentType = (typeof adjustmentTypes)[number]

/** Orders write `sale` and `cancellation`. */
export type TransactionType = AdjustmentType | 'sale' | 'cancellation'

/** The maximum stock of a variant, far below the range of an integer column. */
export const maxStock = 1_000_000_000

/** Stock of this or less is low (specification, section 9). */
export const lowStock = 10

/** The largest single adjustment, up or down. */
export const maxChange = 1_000_000

/**
 * The stock after a change; null for a change that is refused: not whole, zero, too large, or past
 * a bound.
 */
export function stockAfter(onHand: number, change: number): number | null {
  if (!Number.isInteger(change) || change === 0 || Math.abs(change) > maxChange) return null
  const after = onHand + change
  return after < 0 || after > maxStock ? null : after
}

/** Maximum length of a transaction's notes, in characters. */
export const maxNotes = 1000

/** A row of the ledger. */
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
