import { deleteProductRow } from '#db/catalog/catalog-edit.ts'
import { findProductRow } from '#db/catalog/product-rows.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { requireRecentCode } from '../accounts/recent-code.ts'
import { requirePermission } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { productFields, recordProductChange } from './record-catalog-change.ts'
import { refreshCatalog } from './refresh-catalog.ts'

/**
 * Deletes a product with its variants from every list, page, search and cart. Orders and the ledger
 * keep their data, and a checkout that already reserved a variant can still be paid. Throws
 * UNAUTHENTICATED, FORBIDDEN, CODE_REQUIRED, NOT_FOUND.
 */
export async function deleteProduct(ctx: Context, id: string): Promise<void> {
  requirePermission(ctx, 'catalog.write')
  requireRecentCode(ctx)
  await inTransaction(ctx, async (ctx) => {
    const row = isId(id) ? await findProductRow(ctx.db, id) : null
    const isDeleted = row !== null && (await deleteProductRow(ctx.db, { id, now: ctx.now }))
    if (!isDeleted) throw new AppError('NOT_FOUND', 'Product not found')
    await refreshCatalog(ctx, [id])
    await recordProductChange(ctx, { productId: id, before: productFields(row), after: null })
    await recordAudit(ctx, { action: 'product.deleted', subjectId: shopSubjectId, objectId: id })
  })
}
