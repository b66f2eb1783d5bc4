import type { StockedVariant } from '#domain/inventory/inventory-grid.ts'

type Adjusted = {
  productVariantId: string
  quantityChange: number
  lotNumber?: string
  expiryDate?: string
  wasOnSale?: boolean | null
}

/**
 * The adjustment that undoes one.
 * @param variant as the page showed it before, for a repeated call: its answer does not know
 */
export const reverseAdjustment = (row: Adjusted, variant: StockedVariant | null) => ({
  variantId: row.productVariantId,
  quantityChange: -row.quantityChange,
  transactionType: 'adjustment' as const,
  notes: 'Undo',
  lotNumber: row.lotNumber ?? null,
  expiryDate: row.expiryDate ?? null,
  // Stock that comes back from 0 would put a variant on sale that was taken off.
  keepsOffSale: (row.wasOnSale ?? variant?.isOnSale) === false,
})
