/** `sale` and `cancellation` are written by the shop itself; the others are the specification's. */
export type TransactionType =
  'purchase' | 'adjustment' | 'return' | 'damaged' | 'expired' | 'sale' | 'cancellation'

export type InventoryTransactionsTable = {
  id: string
  productVariantId: string
  transactionType: TransactionType
  quantityChange: number
  quantityBefore: number
  quantityAfter: number
  notes: string | null
  createdAt: Date
}
