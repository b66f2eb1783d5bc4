import { insertCatalogChanges } from '#db/catalog/catalog-changes.ts'
import { insertVariants, replaceIdentifiers, updateVariants } from '#db/catalog/variant-bulk.ts'
import { insertFirstStock } from '#db/ledger/plain-rows.ts'
import { setStocks } from '#db/inventory/stock.ts'
import { changedFields } from '#domain/catalog/catalog-history.ts'
import { changesIdentifiers, type EditableVariant } from '#domain/catalog/variant-rules.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import { recordStockChanges } from '../ledger/record-stock-changes.ts'
import { variantFields } from './record-catalog-change.ts'

/** Who changes the variants, and the note on their ledger rows. */
export type VariantWrite = Pick<Context, 'db' | 'keys' | 'now'> & {
  actorId: string | null
  notes: string | null
}

/** A variant before and after an edit. */
export type VariantEdit = { before: EditableVariant; after: EditableVariant }

/**
 * Writes edits of variants that this transaction has locked: their values, stock with its ledger
 * rows, identifiers and history. The form, the API and the CSV import all save through this. The
 * caller refreshes the catalog.
 */
export async function saveVariantEdits(write: VariantWrite, edits: readonly VariantEdit[]): Promise<void> {
  const { db, now, actorId, notes } = write
  const stocks = edits.flatMap(({ before, after }) =>
    before.stockQuantity === after.stockQuantity
      ? []
      : [{ variantId: before.id, before: before.stockQuantity, after: after.stockQuantity }],
  )
  const changes = await setStocks(db, stocks, now)
  await recordStockChanges(
    write,
    changes.map((change) => ({ change, transactionType: 'adjustment', notes })),
  )
  await updateVariants(
    db,
    edits.map(({ after }) => after),
    now,
  )
  const renumbered = edits.filter(({ before, after }) => changesIdentifiers(before, after))
  await replaceIdentifiers(db, {
    before: renumbered.map(({ before }) => before),
    after: renumbered.map(({ after }) => after),
  })
  await insertCatalogChanges(
    db,
    edits.flatMap(({ before, after }) => {
      const changed = changedFields(variantFields(before), variantFields(after))
      if (!changed) return []
      const { id: variantId, productId } = after
      return [
        { id: newId(now.getTime()), productId, variantId, actorId, action: 'updated', at: now, ...changed },
      ]
    }),
  )
}

/**
 * Inserts new variants with their first ledger rows, identifiers and history. The caller refreshes
 * the catalog.
 */
export async function saveNewVariants(
  write: VariantWrite,
  variants: readonly (EditableVariant & { genericName: string })[],
): Promise<void> {
  const { db, now, actorId, notes } = write
  await insertVariants(db, variants, now)
  await replaceIdentifiers(db, { before: [], after: variants })
  await insertFirstStock(
    db,
    variants.flatMap(({ id: variantId, stockQuantity: quantity }) =>
      quantity === 0 ? [] : [{ variantId, quantity, notes }],
    ),
    now,
  )
  await insertCatalogChanges(
    db,
    variants.map((variant) => ({
      id: newId(now.getTime()),
      productId: variant.productId,
      variantId: variant.id,
      actorId,
      action: 'created',
      before: null,
      after: variantFields(variant),
      at: now,
    })),
  )
}
