import type { Permission } from '#domain/accounts/permissions.ts'
import { listLinkedTo, lockProducts, lockVariant, moveVariant, unlinkFrom } from '#db/catalog/catalog-edit.ts'
import { variantExists } from '#db/catalog/variants.ts'
import { lockVariants } from '#db/inventory/lock-variants.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import type { VariantChanges } from '#domain/catalog/variant-fields.ts'
import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import {
  applyVariantChanges,
  changesSearchTerms,
  inStockWithoutStock,
} from '#domain/catalog/variant-rules.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { requireVariantRow } from './admin-variant.ts'
import { getGenericName } from './generic-name.ts'
import { findLotProblem, sumLots } from './lot-problems.ts'
import { refreshCatalog } from './refresh-catalog.ts'
import { requireNoFullRecall } from './require-no-full-recall.ts'
import { saveVariantEdits } from './save-variants.ts'
import { rejectField, requireVariantReferences } from './variant-references.ts'

/** Throws UNAUTHENTICATED, FORBIDDEN, and NOT_FOUND when the variant does not exist. */
export async function requireVariant(
  ctx: Context,
  id: string,
  permission: Permission = 'catalog.write',
): Promise<void> {
  requirePermission(ctx, permission)
  if (!isId(id) || !(await variantExists(ctx.db, id))) throw new AppError('NOT_FOUND', 'Variant not found')
}

/**
 * Updates a variant. Fields left out stay unchanged. A new `stockQuantity` is an `adjustment` in
 * the ledger and needs `stock.write`. A variant that moves to another product loses its links.
 * Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, INVALID (productId, manufacturerId,
 * linkedVariantId, inStock, stockQuantity), and StaleEditError when the variant has changed since
 * `version`.
 * @param version of the row that was edited; omitted by callers without versions
 */
export async function updateVariant(
  ctx: Context,
  id: string,
  changes: VariantChanges,
  version?: number,
): Promise<VariantRow> {
  const { id: actorId } = requirePermission(ctx, 'catalog.write')
  return inTransaction(ctx, async (ctx) => {
    const { db, keys, now } = ctx
    // A move also unlinks other variants, so lock all of them in the common order.
    if (changes.productId !== undefined) await lockVariants(db, [id, ...(await listLinkedTo(db, id))])
    const before = isId(id) ? await lockVariant(db, id) : null
    if (!before) throw new AppError('NOT_FOUND', 'Variant not found')
    if (version !== undefined && version !== before.version)
      throw new StaleEditError(
        'Someone else changed this variant after you opened it.',
        await requireVariantRow(ctx, id),
      )

    const product = await lockProduct(ctx, before.productId, changes.productId ?? before.productId)
    const after = applyVariantChanges(before, changes) ?? rejectField('inStock', inStockWithoutStock)
    // An API key can hold one permission without the other.
    if (after.stockQuantity !== before.stockQuantity) requirePermission(ctx, 'stock.write')
    await requireVariantReferences(ctx, after)
    if (after.stockQuantity < before.stockQuantity) {
      const problem = findLotProblem(after, await sumLots(db, [id]))
      if (problem !== null) rejectField('stockQuantity', problem)
    }

    await saveVariantEdits({ db, keys, now, actorId, notes: null }, [{ before, after }])
    await requireNoFullRecall(ctx, id, { before, after })
    if (before.productId !== after.productId) {
      await moveVariant(db, { id, productId: product.id, genericName: getGenericName(product), now })
      await unlinkFrom(db, { id, now })
    }
    await refreshCatalog(ctx, [...new Set([before.productId, after.productId])], {
      searchTermsChanged: changesSearchTerms(before, after),
    })
    await recordAudit(ctx, { action: 'variant.updated', subjectId: shopSubjectId, objectId: id })
    return requireVariantRow(ctx, id)
  })
}

/** Locks the current and the new product after the variant, in the order that sales lock them. */
async function lockProduct({ db }: Context, from: string, to: string) {
  const products = await lockProducts(db, [...new Set([from, to])].filter(isId))
  return products.find(({ id }) => id === to) ?? rejectField('productId', 'This product doesn’t exist.')
}
