import { findStoredVariant } from '#db/catalog/catalog-edit.ts'
import { findProductRow } from '#db/catalog/product-rows.ts'
import type { NewProduct } from '#domain/catalog/product-fields.ts'
import type { NewVariant } from '#domain/catalog/variant-fields.ts'
import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { newVariantValues } from '#domain/catalog/variant-rules.ts'
import { AppError } from '#domain/errors.ts'
import { timeOfId } from '#domain/ids.ts'
import { isSame } from '#domain/is-same.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { retryWithKey } from '../retry-with-key.ts'
import { requireVariantRow } from './admin-variant.ts'
import { saveNewProduct } from './create-product.ts'
import { createVariant } from './create-variant.ts'
import { copyImage } from './product-image.ts'
import { productFields } from './record-catalog-change.ts'

const maxClockDifferenceMs = 5 * 60_000

type CatalogEntry = {
  product: NewProduct | null
  variant: NewVariant
  /** A UUIDv7. Becomes the variant's id if its time is near the server's. */
  requestKey?: string | undefined
}

/**
 * Adds a variant to an existing product, or to a new one in the same transaction. Calls with the
 * same `requestKey` add it once and return the same row. Throws what `createProduct` and
 * `createVariant` throw, and CONFLICT when the key belongs to a variant or product with other
 * values, or to a deleted variant.
 */
export async function createCatalogEntry(ctx: Context, entry: CatalogEntry): Promise<VariantRow> {
  requirePermission(ctx, 'catalog.write')
  const { product, variant, requestKey } = entry
  const copy = product && (await copyImage(ctx, product.image))
  return retryWithKey(requestKey, () =>
    inTransaction(ctx, async (ctx) => {
      const earlier = await findEarlier(ctx, entry)
      if (earlier) return earlier
      const productId = product ? (await saveNewProduct(ctx, product, copy)).id : variant.productId
      // Any other key is ignored rather than refused: an admin with a wrong clock could not add
      // anything. The variant then gets a new id, and a retry may create a duplicate.
      const id = requestKey !== undefined && isKeyOfNow(requestKey, ctx.now) ? requestKey : undefined
      return createVariant(ctx, { ...variant, productId }, id)
    }),
  )
}

/**
 * Whether a key can become the id of a new row. Programs read variants in the order of their ids
 * (docs/api.md), so its time must be near the server's.
 */
const isKeyOfNow = (key: string, now: Date): boolean =>
  Math.abs(timeOfId(key) - now.getTime()) <= maxClockDifferenceMs

/** The variant that an earlier call with the same key added; null when there was none. */
async function findEarlier(
  ctx: Context,
  { product, variant, requestKey }: CatalogEntry,
): Promise<VariantRow | null> {
  const stored = requestKey === undefined ? null : await findStoredVariant(ctx.db, requestKey)
  if (!stored) return null
  const { id, productId } = stored
  const storedProduct = await findProductRow(ctx.db, productId)
  if (stored.deletedAt !== null || !storedProduct) {
    throw new AppError(
      'CONFLICT',
      'This form already added this variant, but it has since been deleted. Close the form and open it again.',
    )
  }
  const values = newVariantValues(variant)
  const isSameProduct = product
    ? isSame(productFields(product), productFields(storedProduct))
    : productId === variant.productId
  if (isSameProduct && values && isSame({ ...stored, ...values, productId }, stored))
    return requireVariantRow(ctx, id)
  throw new AppError(
    'CONFLICT',
    `This form already added a variant of ${storedProduct.name}. Close it, then edit that variant.`,
  )
}
