import { lockProducts } from '#db/catalog/catalog-edit.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import type { NewVariant } from '#domain/catalog/variant-fields.ts'
import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { inStockWithoutStock, newVariantValues } from '#domain/catalog/variant-rules.ts'
import { isId, newId } from '#domain/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { requireVariantRow } from './admin-variant.ts'
import { getGenericName } from './generic-name.ts'
import { refreshCatalog } from './refresh-catalog.ts'
import { requireNoFullRecall } from './require-no-full-recall.ts'
import { saveNewVariants } from './save-variants.ts'
import { rejectField, requireVariantReferences } from './variant-references.ts'

/**
 * Adds a variant to a product, by default with a new id. Initial stock becomes the first ledger
 * row, an `adjustment`, and needs `stock.write`. Throws UNAUTHENTICATED, FORBIDDEN, INVALID
 * (productId, manufacturerId, linkedVariantId, inStock, stockQuantity).
 */
export async function createVariant(
  ctx: Context,
  input: NewVariant,
  id: string = newId(ctx.now.getTime()),
): Promise<VariantRow> {
  const { id: actorId } = requirePermission(ctx, 'catalog.write')
  // An API key can hold one permission without the other.
  if (input.stockQuantity > 0) requirePermission(ctx, 'stock.write')
  return inTransaction(ctx, async (ctx) => {
    const { db, keys, now } = ctx
    const values = newVariantValues(input) ?? rejectField('inStock', inStockWithoutStock)
    const { productId } = input
    const [product] = isId(productId) ? await lockProducts(db, [productId]) : []
    if (!product) return rejectField('productId', 'This product doesn’t exist.')
    await requireVariantReferences(ctx, { ...values, id: null, productId })
    await saveNewVariants({ db, keys, now, actorId, notes: null }, [
      { ...values, id, productId, genericName: getGenericName(product) },
    ])
    await requireNoFullRecall(ctx, id, { before: null, after: values })
    await refreshCatalog(ctx, [productId])
    await recordAudit(ctx, { action: 'variant.created', subjectId: shopSubjectId, objectId: id })
    return requireVariantRow(ctx, id)
  })
}
