import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import type { Db } from '#db/engine/client.ts'
import { refreshSearch } from '#db/search/refresh-search.ts'
import { listIdentifiers } from '#domain/catalog/identifiers.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'

type VariantOverrides = Omit<Parameters<typeof addVariant>[1] & object, 'productId'>

/** Adds a product with its variants, as an admin would, and indexes it. */
export async function addMedicine(
  db: Db,
  overrides: Parameters<typeof addProduct>[1],
  variants: readonly VariantOverrides[] = [{}],
): Promise<{ productId: string; variantIds: string[] }> {
  const productId = await addProduct(db, overrides)
  const variantIds: string[] = []
  for (const variant of variants) {
    const id = await addVariant(db, { genericName: overrides?.name ?? 'Ibuprofen', ...variant, productId })
    const identifiers = listIdentifiers({
      ndc: variant.ndc ?? null,
      din: variant.din ?? null,
      upc: variant.upc ?? null,
    })
    if (identifiers.length > 0)
      await db
        .insertInto('variantIdentifiers')
        .values(identifiers.map((identifier) => ({ ...identifier, variantId: id })))
        .execute()
    variantIds.push(id)
  }
  await refreshProductSummaries(db, [productId])
  await refreshSearch(db, [productId])
  return { productId, variantIds }
}
