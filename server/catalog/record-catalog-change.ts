import { insertCatalogChange } from '#db/catalog/catalog-changes.ts'
import { changedFields, type Fields } from '#domain/catalog/catalog-history.ts'
import { newId } from '#domain/ids.ts'
import { wireOfVariant, type VariantWords } from '#domain/catalog/variant-wire.ts'
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

/** What an admin says of a variant, as the borders write it. */
export const variantFields = (variant: VariantWords & { productId: string }): Fields => ({
  productId: variant.productId,
  ...wireOfVariant(variant),
})

type ProductFacts = { name: string; category: string; description: string | null; image: string | null }

/** What an admin says of a product. */
export const productFields = ({ name, category, description, image }: ProductFacts): Fields => ({
  name,
  category,
  description,
  image,
})
