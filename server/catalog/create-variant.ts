import { insertVariant, lockProducts, replaceIdentifiers } from '#db/catalog/catalog-edit.ts'
import { shopItself } from '#domain/audit/audit.ts'
import { isId, newId } from '#domain/ids.ts'
import type { NewVariant } from '#domain/catalog/variant-fields.ts'
import { notInStock, standsInStock } from '#domain/catalog/variant-rules.ts'
import { requireAdmin } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { recordStock } from '../inventory/record-stock.ts'
import { readAdminVariant, type AdminVariant } from './admin-variant.ts'
import { genericNameOf } from './generic-name.ts'
import { recordCatalogChange, variantFields } from './record-catalog-change.ts'
import { refreshCatalog } from './refresh-catalog.ts'
import { refuseField, requireReferences } from './variant-references.ts'

/**
 * Adds a variant to a product. Stock that it begins with is the first row of its ledger, an `adjustment`; none has no row. Throws
 * UNAUTHENTICATED, FORBIDDEN, INVALID (productId, manufacturerId, linkedVariantId, inStock).
 */
export async function createVariant(ctx: Context, input: NewVariant): Promise<AdminVariant> {
  requireAdmin(ctx)
  return inTransaction(ctx, (ctx) => addVariant(ctx, input))
}

/** The same within the caller's transaction. */
export async function addVariant(ctx: Context, input: NewVariant): Promise<AdminVariant> {
  const { price, acquisitionCost, stockQuantity, inStock: said, ...rest } = input
  const inStock = standsInStock(null, input, said) ?? refuseField('inStock', notInStock)
  const id = newId(ctx.now.getTime())
  const [product] = isId(rest.productId) ? await lockProducts(ctx.db, [rest.productId]) : []
  if (!product) return refuseField('productId', 'There is no such product.')
  await requireReferences(ctx, { id: null, ...rest })
  const facts = { ...rest, priceCents: price, acquisitionCostCents: acquisitionCost, inStock, stockQuantity }
  await insertVariant(ctx.db, {
    id,
    ...facts,
    genericName: genericNameOf(product),
    ledgerMs: ctx.now.getTime(),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  })
  await replaceIdentifiers(ctx.db, { variantId: id, before: null, after: rest })
  if (stockQuantity > 0) {
    const first = { before: 0, after: stockQuantity, at: ctx.now, flipped: false }
    await recordStock(ctx, {
      change: { variantId: id, productId: product.id, ...first },
      transactionType: 'adjustment',
      notes: null,
    })
  }
  await refreshCatalog(ctx, [product.id])
  await recordCatalogChange(ctx, {
    productId: product.id,
    variantId: id,
    before: null,
    after: variantFields(facts),
  })
  await recordAudit(ctx, { action: 'variant.created', subjectId: shopItself, objectId: id })
  return readAdminVariant(ctx, { id, productId: product.id })
}
