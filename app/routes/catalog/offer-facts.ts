import type { Variant } from '#domain/catalog/catalog.ts'
import { pricePerUnit, unitPriceText } from '#domain/catalog/variant-choice.ts'
import { lowStock } from '#domain/inventory/inventory.ts'

/** "$0.143 per tablet", to compare packs; null for a pack of one. */
export function unitPriceLabel(
  variant: Pick<Variant, 'price' | 'packageSize' | 'packageUnit'>,
): string | null {
  const amount = pricePerUnit(variant)
  if (amount === null || amount <= 0 || variant.packageSize <= 1) return null
  return unitPriceText(amount, variant.packageUnit)
}

/** The stock level, as customers see it. */
export function stockLabel(variant: Pick<Variant, 'inStock' | 'stockQuantity' | 'trackInventory'>): string {
  if (!variant.inStock) return 'Out of Stock'
  return variant.trackInventory && variant.stockQuantity <= lowStock
    ? `Only ${variant.stockQuantity} left`
    : 'In stock'
}
