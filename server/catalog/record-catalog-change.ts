import { insertCatalogChanges } from '#db/catalog/catalog-changes.ts'
import { changedFields, type Fields } from '#domain/catalog/catalog-history.ts'
import { newId } from '#domain/ids.ts'
import type { ProductChanges } from '#domain/catalog/product-fields.ts'
import { variantToWire, type VariantValues } from '#domain/catalog/variant-wire.ts'
import type { Context } from '../context.ts'

/**
 * Records an admin's change of a product in the transaction that makes it. Records nothing when no
 * field changed.
 * @param before null for a new product
 * @param after null for a deleted one
 */
export async function recordProductChange(
  ctx: Context,
  { productId, before, after }: { productId: string; before: Fields | null; after: Fields | null },
): Promise<void> {
  const changed = before && after ? changedFields(before, after) : { before, after }
  if (!changed) return
  await insertCatalogChanges(ctx.db, [
    {
      id: newId(ctx.now.getTime()),
      productId,
      variantId: null,
      actorId: ctx.user?.id ?? null,
      action: before === null ? 'created' : after === null ? 'deleted' : 'updated',
      before: changed.before,
      after: changed.after,
      at: ctx.now,
    },
  ])
}

/** A variant's editable fields, as the API writes them. */
export const variantFields = (variant: VariantValues & { productId: string }): Fields => ({
  productId: variant.productId,
  ...variantToWire(variant),
})

type ProductValues = Record<keyof ProductChanges, string | null>

/** A product's editable fields: all of them, so that its history lists every change. */
export const productFields = ({ name, category, description, image }: ProductValues): ProductValues => ({
  name,
  category,
  description,
  image,
})
