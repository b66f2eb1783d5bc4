import { insertCatalogChange } from '#db/catalog-changes.ts'
import type { LockedVariant } from '#db/catalog-edit.ts'
import { changedFields, type Fields } from '#domain/catalog-history.ts'
import { newId } from '#domain/ids.ts'
import { decimalFromCents } from '#domain/money.ts'
import type { Context } from '../context.ts'

/**
 * Writes down what an admin changed of a product or, with `variantId`, of one of its variants, in the transaction that changes it; nothing
 * when nothing did.
 * @param before null of what is new
 * @param after null of what is gone
 */
export async function recordCatalogChange(
  ctx: Context,
  {
    productId,
    variantId = null,
    before,
    after,
  }: { productId: string; variantId?: string | null; before: Fields | null; after: Fields | null },
): Promise<void> {
  const changed = before && after ? changedFields(before, after) : { before, after }
  if (!changed) return
  await insertCatalogChange(ctx.db, {
    id: newId(ctx.now.getTime()),
    productId,
    variantId,
    actorId: ctx.user?.id ?? null,
    action: before === null ? 'created' : after === null ? 'deleted' : 'updated',
    beforeFields: changed.before && JSON.stringify(changed.before),
    afterFields: changed.after && JSON.stringify(changed.after),
    at: ctx.now,
  })
}

type VariantFacts = Pick<
  LockedVariant,
  | 'productId'
  | 'brandName'
  | 'manufacturerId'
  | 'dosageForm'
  | 'strength'
  | 'strengthUnit'
  | 'packageSize'
  | 'packageUnit'
  | 'priceCents'
  | 'acquisitionCostCents'
  | 'sku'
  | 'upc'
  | 'ndc'
  | 'din'
  | 'inStock'
  | 'stockQuantity'
  | 'trackInventory'
  | 'linkedVariantId'
>

const decimal = (cents: number | null): string | null => (cents === null ? null : decimalFromCents(cents))

/** What an admin says of a variant, as the borders write it. */
export const variantFields = (variant: VariantFacts): Fields => ({
  productId: variant.productId,
  brandName: variant.brandName,
  manufacturerId: variant.manufacturerId,
  dosageForm: variant.dosageForm,
  strength: variant.strength,
  strengthUnit: variant.strengthUnit,
  packageSize: variant.packageSize,
  packageUnit: variant.packageUnit,
  price: decimal(variant.priceCents),
  acquisitionCost: decimal(variant.acquisitionCostCents),
  sku: variant.sku,
  upc: variant.upc,
  ndc: variant.ndc,
  din: variant.din,
  inStock: variant.inStock,
  stockQuantity: variant.stockQuantity,
  trackInventory: variant.trackInventory,
  linkedVariantId: variant.linkedVariantId,
})

type ProductFacts = { name: string; category: string; description: string | null; image: string | null }

/** What an admin says of a product. */
export const productFields = ({ name, category, description, image }: ProductFacts): Fields => ({
  name,
  category,
  description,
  image,
})
