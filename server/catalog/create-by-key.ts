import { findStoredProduct, findStoredVariant } from '#db/catalog/catalog-edit.ts'
import type { Product } from '#domain/catalog/catalog.ts'
import type { NewProduct } from '#domain/catalog/product-fields.ts'
import type { NewVariant } from '#domain/catalog/variant-fields.ts'
import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { newVariantValues } from '#domain/catalog/variant-rules.ts'
import { AppError } from '#domain/errors.ts'
import { isDeepStrictEqual } from 'node:util'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { retryWithKey } from '../retry-with-key.ts'
import { requireVariantRow } from './admin-variant.ts'
import { createProduct, saveNewProduct } from './create-product.ts'
import { createVariant } from './create-variant.ts'
import { getProduct } from './get-product.ts'
import { isKeyOfNow } from './is-key-of-now.ts'
import { copyImage } from './product-image.ts'

/**
 * Creates a product for a program. Calls with the same key, a UUIDv7 that becomes its id, create it
 * once and return the same product. Throws what `createProduct` throws, INVALID (Idempotency-Key)
 * when the time of a new key is far from the server's, and CONFLICT when the key belongs to a
 * product with other values or to a deleted one.
 */
export async function createProductByKey(
  ctx: Context,
  input: NewProduct,
  key: string | undefined,
): Promise<Product> {
  requirePermission(ctx, 'catalog.write')
  if (key === undefined) return createProduct(ctx, input)
  const copy = await copyImage(ctx, input.image)
  return retryWithKey(key, () =>
    inTransaction(ctx, async (ctx) => {
      const stored = await findStoredProduct(ctx.db, key)
      if (!stored) return saveNewProduct(ctx, input, copy, requireKeyOfNow(ctx, key))
      requireSame('product', stored, isDeepStrictEqual({ ...stored, ...input }, stored))
      return getProduct(ctx, key, { variants: false })
    }),
  )
}

/** The same for a variant. Throws what `createVariant` throws too. */
export async function createVariantByKey(
  ctx: Context,
  input: NewVariant,
  key: string | undefined,
): Promise<VariantRow> {
  requirePermission(ctx, 'catalog.write')
  if (key === undefined) return createVariant(ctx, input)
  return retryWithKey(key, () =>
    inTransaction(ctx, async (ctx) => {
      const stored = await findStoredVariant(ctx.db, key)
      if (!stored) return createVariant(ctx, input, requireKeyOfNow(ctx, key))
      const values = newVariantValues(input)
      requireSame('variant', stored, values !== null && isDeepStrictEqual({ ...stored, ...values }, stored))
      return requireVariantRow(ctx, key)
    }),
  )
}

function requireKeyOfNow({ now }: Context, key: string): string {
  if (isKeyOfNow(key, now)) return key
  const message = 'The time of this UUID is more than five minutes from the server’s.'
  throw new AppError('INVALID', undefined, { fields: { 'Idempotency-Key': message } })
}

/** Throws CONFLICT unless the stored row is what the request with its key would create. */
function requireSame(
  kind: 'product' | 'variant',
  { id, deletedAt }: { id: string; deletedAt: Date | null },
  isSame: boolean,
): void {
  const created = `This Idempotency-Key already created the ${kind} ${id}`
  if (deletedAt !== null) throw new AppError('CONFLICT', `${created}, which has since been deleted.`)
  if (!isSame) throw new AppError('CONFLICT', `${created}, whose values differ from these.`)
}
