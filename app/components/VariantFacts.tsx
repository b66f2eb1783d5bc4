import { brandLabel, packLabel, strengthLabel, type Variant } from '#domain/catalog.ts'
import { pricePerUnit } from '#domain/variant-choice.ts'

/** "Generic, 500 mg, 30 tablet": a variant in one line. */
export const variantLine = (
  variant: Pick<Variant, 'brandName' | 'strength' | 'strengthUnit' | 'packageSize' | 'packageUnit'>,
): string => [brandLabel(variant), strengthLabel(variant), packLabel(variant)].filter(Boolean).join(', ')

/** "$0.143 per tablet", to compare packs; nothing for a pack of one, whose price says it already. */
export function unitPriceLabel(
  variant: Pick<Variant, 'price' | 'packageSize' | 'packageUnit'>,
): string | null {
  const amount = pricePerUnit(variant)
  if (amount === null || amount <= 0 || variant.packageSize <= 1) return null
  return `$${amount.toFixed(amount < 1 ? 3 : 2)} per ${variant.packageUnit || 'unit'}`
}

const lowStock = 10

/** What is on hand, in the customer's words. */
export function stockLabel(variant: Pick<Variant, 'inStock' | 'stockQuantity' | 'trackInventory'>): string {
  if (!variant.inStock) return 'Out of Stock'
  return variant.trackInventory && variant.stockQuantity <= lowStock
    ? `Only ${variant.stockQuantity} left`
    : 'In stock'
}
