import {
  listLinkedTo,
  lockProducts,
  lockVariant,
  replaceIdentifiers,
  unlinkFrom,
  updateVariantRow,
  type LockedVariant,
} from '#db/catalog/catalog-edit.ts'
import { changeStock, lockVariants } from '#db/inventory/stock.ts'
import { findVariantRow } from '#db/catalog/variant-rows.ts'
import { variantExists } from '#db/catalog/variants.ts'
import { shopItself } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { VariantChanges } from '#domain/catalog/variant-fields.ts'
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

/** What a variant is found by; the search need not know of anything else. */
export const searched = [
  'productId',
  'brandName',
  'manufacturerId',
  'dosageForm',
  'strength',
  'strengthUnit',
] as const

/** Throws UNAUTHENTICATED, FORBIDDEN, and NOT_FOUND when there is no such variant. */
export async function requireVariant(ctx: Context, id: string): Promise<void> {
  requireAdmin(ctx)
  if (!isId(id) || !(await variantExists(ctx.db, id))) throw new AppError('NOT_FOUND', 'Variant not found')
}

/**
 * Changes what is said of a variant; what is left out stays. Another `stockQuantity` is an `adjustment` in the ledger; a variant that goes
 * to another product takes no links along. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, INVALID (productId, manufacturerId,
 * linkedVariantId, inStock), and CONFLICT with the grid's row as it is when it has changed since.
 * @param version of the row that was edited; left out by those that know none
 */
export async function updateVariant(
  ctx: Context,
  id: string,
  said: VariantChanges,
  version?: number,
): Promise<AdminVariant> {
  requireAdmin(ctx)
  return inTransaction(ctx, async (ctx) => readAdminVariant(ctx, await changeVariant(ctx, id, said, version)))
}

/** The same within the caller's transaction; answers which variant of which product it is now. */
export async function changeVariant(
  ctx: Context,
  id: string,
  said: VariantChanges,
  version?: number,
): Promise<{ id: string; productId: string }> {
  // With those that lose their link when it goes to another product, in the order in which everybody takes variants.
  if (said.productId !== undefined) await lockVariants(ctx.db, [id, ...(await listLinkedTo(ctx.db, id))])
  const before = isId(id) ? await lockVariant(ctx.db, id) : null
  if (!before) throw new AppError('NOT_FOUND', 'Variant not found')
  if (version !== undefined && version !== before.version) {
    throw new AppError('CONFLICT', 'Somebody has changed this variant meanwhile.', {
      current: await findVariantRow(ctx.db, id),
    })
  }
  const stockQuantity = kept(said.stockQuantity, before.stockQuantity)
  const after = edited(before, said)
  const product = await requireProduct(ctx, before.productId, after.productId)
  await requireReferences(ctx, after)
  const inStock =
    standsInStock(before, { ...after, stockQuantity }, said.inStock) ?? refuseField('inStock', notInStock)

  await setStock(ctx, before, stockQuantity)
  await updateVariantRow(ctx.db, { ...after, inStock, now: ctx.now })
  if (before.productId !== after.productId) {
    await updateVariantRow(ctx.db, { id, genericName: genericNameOf(product), now: ctx.now })
    await unlinkFrom(ctx.db, { id, now: ctx.now })
  }
  if (before.ndc !== after.ndc || before.din !== after.din || before.upc !== after.upc) {
    await replaceIdentifiers(ctx.db, { variantId: id, before, after })
  }
  await refreshCatalog(ctx, [...new Set([before.productId, after.productId])], {
    words: searched.some((field) => before[field] !== after[field]),
  })
  await recordCatalogChange(ctx, {
    productId: after.productId,
    variantId: id,
    before: variantFields(before),
    after: variantFields({ ...after, inStock, stockQuantity }),
  })
  await recordAudit(ctx, { action: 'variant.updated', subjectId: shopItself, objectId: id })
  return after
}

const kept = <T>(said: T | undefined, before: T): T => (said === undefined ? before : said)

/** The variant as it is to be; a link stays behind with the product that it was in. */
function edited(before: LockedVariant, said: VariantChanges) {
  const productId = kept(said.productId, before.productId)
  const link = productId === before.productId ? before.linkedVariantId : null
  return {
    id: before.id,
    productId,
    brandName: kept(said.brandName, before.brandName),
    manufacturerId: kept(said.manufacturerId, before.manufacturerId),
    dosageForm: kept(said.dosageForm, before.dosageForm),
    strength: kept(said.strength, before.strength),
    strengthUnit: kept(said.strengthUnit, before.strengthUnit),
    packageSize: kept(said.packageSize, before.packageSize),
    packageUnit: kept(said.packageUnit, before.packageUnit),
    priceCents: kept(said.price, before.priceCents),
    acquisitionCostCents: kept(said.acquisitionCost, before.acquisitionCostCents),
    sku: kept(said.sku, before.sku),
    upc: kept(said.upc, before.upc),
    ndc: kept(said.ndc, before.ndc),
    din: kept(said.din, before.din),
    trackInventory: kept(said.trackInventory, before.trackInventory),
    linkedVariantId: kept(said.linkedVariantId, link),
  }
}

/** Takes the product it belongs to, and the one it goes to, after the variant: as whoever sells it does. Returns the latter. */
async function requireProduct(ctx: Context, from: string, to: string) {
  const found = await lockProducts(ctx.db, [...new Set([from, to])].filter(isId))
  return found.find(({ id }) => id === to) ?? refuseField('productId', 'There is no such product.')
}

/** The row is ours until this is stored, so nobody changes what the difference was taken from. */
async function setStock(ctx: Context, { id, stockQuantity }: LockedVariant, wanted: number): Promise<void> {
  if (wanted === stockQuantity) return
  const change = await changeStock(ctx.db, { variantId: id, change: wanted - stockQuantity, now: ctx.now })
  if (!change) throw new AppError('CONFLICT')
  await recordStock(ctx, { change, transactionType: 'adjustment', notes: null })
}
