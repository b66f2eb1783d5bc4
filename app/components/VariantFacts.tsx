import { brandLabel, packLabel, packUnit, strengthLabel, type Variant } from '#domain/catalog/catalog.ts'
import { lowStock } from '#domain/inventory/inventory.ts'
import { pricePerUnit, unitPriceText } from '#domain/catalog/variant-choice.ts'

/** "30 tablets". A unit that contains a size follows a visual ×: "1 × 28.4 g tube". */
export const Pack = ({ variant }: { variant: Pick<Variant, 'packageSize' | 'packageUnit'> }) =>
  /^\d/.test(variant.packageUnit) ? (
    <>
      {variant.packageSize} <span aria-hidden="true">× </span>
      {packUnit(variant)}
    </>
  ) : (
    packLabel(variant)
  )

/** "Generic, 500 mg, 30 tablets, extended release": a variant in one line. */
export const VariantLine = ({
  variant,
}: {
  variant: Pick<
    Variant,
    'brandName' | 'formDetail' | 'strength' | 'strengthUnit' | 'packageSize' | 'packageUnit'
  >
}) => (
  <>
    {[brandLabel(variant), strengthLabel(variant)].filter(Boolean).join(', ')}, <Pack variant={variant} />
    {variant.formDetail && `, ${variant.formDetail}`}
  </>
)

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
