import { findProductCard } from '#db/catalog/products.ts'
import { claimRequestKey, getRequestKey } from '#db/catalog/request-keys.ts'
import { findVariantRow } from '#db/catalog/variant-rows.ts'
import type { Product } from '#domain/catalog/catalog.ts'
import type { NewProduct } from '#domain/catalog/product-fields.ts'
import type { NewVariant } from '#domain/catalog/variant-fields.ts'
import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { endsBefore, retention } from '#domain/privacy/retention.ts'
import { createHash } from 'node:crypto'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { createProduct, saveNewProduct } from './create-product.ts'
import { createVariant } from './create-variant.ts'
import { toProduct } from './list-products.ts'
import { copyImage } from './product-image.ts'

/**
 * Creates a product for a program. For 24 hours, calls of the same caller with the same key create
 * it once and return it as it is now. Throws what `createProduct` throws, and CONFLICT when the key
 * belongs to another request or the product has been deleted.
 */
export async function createProductByKey(
  ctx: Context,
  input: NewProduct,
  key: string | undefined,
): Promise<Product> {
  if (key === undefined) return createProduct(ctx, input)
  requirePermission(ctx, 'catalog.write')
  const copy = await copyImage(ctx, input.image)
  return createOnce(ctx, {
    key,
    request: { kind: 'product', input },
    create: (ctx, id) => saveNewProduct(ctx, input, copy, id),
    find: async ({ db }, id) => {
      const card = await findProductCard(db, id)
      return card && toProduct(card)
    },
  })
}

/** The same for a variant. Throws what `createVariant` throws too. */
export async function createVariantByKey(
  ctx: Context,
  input: NewVariant,
  key: string | undefined,
): Promise<VariantRow> {
  if (key === undefined) return createVariant(ctx, input)
  return createOnce(ctx, {
    key,
    request: { kind: 'variant', input },
    create: (ctx, id) => createVariant(ctx, input, id),
    find: ({ db }, id) => findVariantRow(db, id),
  })
}

/** What a call creates, and its parsed body. */
type CreationRequest = { kind: 'product'; input: NewProduct } | { kind: 'variant'; input: NewVariant }

type Creation<T> = {
  key: string
  request: CreationRequest
  create: (ctx: Context, id: string) => Promise<T>
  /** The object as it is now; null when it was deleted. */
  find: (ctx: Context, id: string) => Promise<T | null>
}

function createOnce<T>(ctx: Context, { key, request, create, find }: Creation<T>): Promise<T> {
  const { id: userId, apiKeyId: scope = userId } = requirePermission(ctx, 'catalog.write')
  const requestHash = hashRequest(request)
  return inTransaction(ctx, async (ctx) => {
    const id = newId(ctx.now.getTime())
    const row = { id, scope, key, requestHash, createdAt: ctx.now }
    // A concurrent copy of the request waits here, so it finds what this one created.
    if (await claimRequestKey(ctx.db, row, { endedBefore: endsBefore(retention.requestKeys, ctx.now) }))
      return create(ctx, id)
    const earlier = await getRequestKey(ctx.db, row)
    if (earlier.requestHash !== requestHash)
      throw new AppError('CONFLICT', 'This Idempotency-Key belongs to another request. Send a new key.')
    const created = await find(ctx, earlier.id)
    if (created !== null) return created
    const sentence = `This Idempotency-Key already created the ${request.kind} ${earlier.id}, which has since been deleted.`
    throw new AppError('CONFLICT', sentence)
  })
}

/** Equal for bodies with the same values, in any order of their fields. */
function hashRequest({ kind, input }: CreationRequest): string {
  const fields = Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([kind, fields]))
    .digest('base64url')
}
