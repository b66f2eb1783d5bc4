import { findProductRow } from '#db/catalog/product-rows.ts'
import { findVariantRow } from '#db/catalog/variant-rows.ts'
import { AppError } from '#domain/errors.ts'
import type { NewProduct, ProductChanges } from '#domain/catalog/product-fields.ts'
import type { NewVariant, VariantChanges } from '#domain/catalog/variant-fields.ts'
import type { ProductRow, VariantRow } from '#domain/catalog/variant-grid.ts'
import { requireAdmin } from '../require-user.ts'
import { inTransaction, type Context } from '../context.ts'
import { addProduct } from './create-product.ts'
import { addVariant } from './create-variant.ts'
import { changeProduct } from './update-product.ts'
import { changeVariant } from './update-variant.ts'

/** What the back office does with one row of its grids: as the calls of old do it, answered by the row as it is then. */

type Versioned = { id: string; version: number }

/** Throws what `updateProduct` throws. */
export async function editProduct(
  ctx: Context,
  { id, version, ...changes }: ProductChanges & Versioned,
): Promise<ProductRow> {
  requireAdmin(ctx)
  return inTransaction(ctx, async (ctx) => {
    await changeProduct(ctx, id, changes, version)
    return there(await findProductRow(ctx.db, id))
  })
}

/** Throws what `updateVariant` throws. */
export async function editVariant(
  ctx: Context,
  { id, version, ...changes }: VariantChanges & Versioned,
): Promise<VariantRow> {
  requireAdmin(ctx)
  return inTransaction(ctx, async (ctx) => {
    await changeVariant(ctx, id, changes, version)
    return there(await findVariantRow(ctx.db, id))
  })
}

/** Adds a variant to a product that is there, or to a new one: both or neither. Throws what adding each throws. */
export async function addToCatalogue(
  ctx: Context,
  { product, variant }: { product: NewProduct | null; variant: NewVariant },
): Promise<VariantRow> {
  requireAdmin(ctx)
  return inTransaction(ctx, async (ctx) => {
    const productId = product ? (await addProduct(ctx, product)).id : variant.productId
    const { id } = await addVariant(ctx, { ...variant, productId })
    return there(await findVariantRow(ctx.db, id))
  })
}

/** Our own transaction has just written it. */
function there<Row>(row: Row | null): Row {
  if (!row) throw new AppError('NOT_FOUND')
  return row
}
