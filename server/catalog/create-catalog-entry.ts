import type { NewProduct } from '#domain/catalog/product-fields.ts'
import type { NewVariant } from '#domain/catalog/variant-fields.ts'
import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { saveNewProduct } from './create-product.ts'
import { createVariant } from './create-variant.ts'
import { copyImage } from './product-image.ts'

/**
 * Adds a variant to an existing product, or to a new one in the same transaction. Throws what
 * `createProduct` and `createVariant` throw.
 */
export async function createCatalogEntry(
  ctx: Context,
  { product, variant }: { product: NewProduct | null; variant: NewVariant },
): Promise<VariantRow> {
  requirePermission(ctx, 'catalog.write')
  const copy = product && (await copyImage(ctx, product.image))
  return inTransaction(ctx, async (ctx) => {
    const productId = product ? (await saveNewProduct(ctx, product, copy)).id : variant.productId
    return createVariant(ctx, { ...variant, productId })
  })
}
