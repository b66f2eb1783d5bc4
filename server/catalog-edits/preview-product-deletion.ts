import { findProductRow } from '#db/catalog/product-rows.ts'
import { listStockOfProduct } from '#db/catalog/variants.ts'
import { describeUses } from '#domain/catalog/edit-questions.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { findVariantUses } from './find-variant-uses.ts'

/**
 * What the shop still has of a product, to read before it is deleted: "5 units in stock and 1
 * unshipped order", or null. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND.
 */
export async function previewProductDeletion(ctx: Context, id: string): Promise<{ uses: string | null }> {
  requirePermission(ctx, 'catalog.write')
  if (!isId(id) || !(await findProductRow(ctx.db, id))) throw new AppError('NOT_FOUND', 'Product not found')
  return { uses: describeUses(await findVariantUses(ctx, await listStockOfProduct(ctx.db, id))) }
}
