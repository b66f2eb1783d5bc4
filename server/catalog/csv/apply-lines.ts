import { lockProducts } from '#db/catalog/catalog-edit.ts'
import { listLinesToApply, saveApplied, updateImport, type CsvImportRow } from '#db/catalog/csv-imports.ts'
import type { Db } from '#db/engine/client.ts'
import { insertTransactions } from '#db/inventory/inventory-transactions.ts'
import { lockVariants, setStocks, type StockChange } from '#db/inventory/stock.ts'
import { insertCatalogChanges, insertVariants, replaceManyIdentifiers, updateVariants } from '#db/catalog/variant-bulk.ts'
import {
  findVariantIdsByCodes,
  findVariantIdsBySkus,
  findManufacturersByIdOrName,
  findCurrentVariants,
  type CurrentVariant,
} from '#db/catalog/variant-lookup.ts'
import type { ImportChanges } from '#domain/catalog/csv-imports.ts'
import { identifiersOf } from '#domain/catalog/identifiers.ts'
import { newId } from '#domain/ids.ts'
import { newVariantSchema, variantChangesSchema, type NewVariant } from '#domain/catalog/variant-fields.ts'
import { variantToWire } from '#domain/catalog/variant-wire.ts'
import { changedFields, type Fields } from '#domain/catalog/catalog-history.ts'
import { resolveInStock } from '#domain/catalog/variant-rules.ts'
import { genericNameOf } from '../generic-name.ts'
import { variantFields } from '../record-catalog-change.ts'
import { refreshCatalog } from '../refresh-catalog.ts'
import { searched } from '../update-variant.ts'

/** So few that whoever orders what is in them hardly waits. */
const linesAtOnce = 100

type Line = { line: number; variantId: string | null; productId: string | null; changes: ImportChanges }
type Result = { line: number; variantId: string | null; problem: string | null }

const changedSince = 'It has been changed since the check; it was left as it is.'

/**
 * Applies some lines of an import, in the transaction that notes it: ended at any moment, the next one goes on behind them. A line is
 * applied when all that it changes still stands as the check showed it. Returns false when none is left; the import is applied then.
 */
export async function applySomeLines(
  db: Db,
  row: CsvImportRow,
  { now, most }: { now: Date; most: number },
): Promise<boolean> {
  const staged = await listLinesToApply(db, row.id, Math.min(most, linesAtOnce))
  if (staged.length === 0) {
    await updateImport(db, { id: row.id, status: 'applied', now })
    return false
  }
  const lines = staged.map(({ changes, ...line }) => ({
    ...line,
    changes: JSON.parse(changes ?? '{}') as ImportChanges,
  }))
  const ids = lines.flatMap(({ variantId }) => variantId ?? [])
  // The variants before their products, in the order of their ids, as whoever sells them takes them.
  await lockVariants(db, [...new Set(ids)].toSorted())
  const products = new Map(
    (await lockProducts(db, [...new Set(lines.flatMap(({ productId }) => productId ?? []))])).map(
      (product) => [product.id, product],
    ),
  )
  const standing = new Map((await findCurrentVariants(db, withLinks(lines))).map((one) => [one.id, one]))
  const run = { db, row, now, standing, products, results: [] as Result[] }
  const changed = await change(
    run,
    lines.filter(({ variantId }) => variantId !== null),
  )
  const added = await add(
    run,
    lines.filter(({ variantId }) => variantId === null),
  )
  await saveApplied(db, row.id, run.results)
  const words = [...new Set([...changed.words, ...added])]
  const others = [...new Set(changed.all)].filter((id) => !words.includes(id))
  if (words.length > 0) await refreshCatalog({ db, now }, words.toSorted())
  if (others.length > 0) await refreshCatalog({ db, now }, others.toSorted(), { words: false })
  await updateImport(db, { id: row.id, now })
  return true
}

/** Leaves out the line that is next, as the shop fails of it; returns which one, or null when none is left. */
export async function rejectNextToApply(db: Db, row: CsvImportRow, now: Date): Promise<number | null> {
  const [next] = await listLinesToApply(db, row.id, 1)
  if (!next) return null
  const problem = 'Something went wrong on our side with this line; nothing of it was applied.'
  await saveApplied(db, row.id, [{ line: next.line, variantId: null, problem }])
  await updateImport(db, { id: row.id, now })
  return next.line
}

type Run = {
  db: Db
  row: CsvImportRow
  now: Date
  standing: ReadonlyMap<string, CurrentVariant>
  products: ReadonlyMap<string, { id: string; name: string; ingredients: string | null }>
  results: Result[]
}

/** All that lines name: their variants, and those that they link to. */
const withLinks = (lines: readonly Line[]): string[] => [
  ...new Set(
    lines.flatMap(({ variantId, changes }) =>
      [variantId, changes['linkedVariantId']?.[1]].flatMap((id) => (typeof id === 'string' ? [id] : [])),
    ),
  ),
]

const afterOf = (changes: ImportChanges): Record<string, unknown> =>
  Object.fromEntries(Object.entries(changes).map(([field, [, after]]) => [field, after]))

/** Whether a line names a maker who is gone. */
async function missingMakers(db: Db, lines: readonly Line[]): Promise<(changes: ImportChanges) => boolean> {
  const ids = lines.flatMap(({ changes }) => {
    const id = changes['manufacturerId']?.[1]
    return typeof id === 'string' ? [id] : []
  })
  const there = new Set(
    (await findManufacturersByIdOrName(db, { ids: [...new Set(ids)], names: [] })).map(({ id }) => id),
  )
  return (changes) => {
    const id = changes['manufacturerId']?.[1]
    return typeof id === 'string' && !there.has(id)
  }
}

/** Changes the variants of these lines; returns their products, and those of them that are found by other words now. */
async function change(run: Run, lines: readonly Line[]): Promise<{ all: string[]; words: string[] }> {
  const { db, now, results } = run
  const isMakerMissing = await missingMakers(db, lines)
  const edits = lines.flatMap(({ line, variantId, changes }) => {
    const before = run.standing.get(variantId ?? '')
    const after = before && !isMakerMissing(changes) ? editOf(before, changes, run.standing) : null
    results.push({ line, variantId, problem: after ? null : changedSince })
    return before && after ? [{ before, after, changes }] : []
  })
  const stocks = edits.flatMap(({ before, after }) =>
    before.stockQuantity === after.stockQuantity
      ? []
      : [{ variantId: before.id, before: before.stockQuantity, after: after.stockQuantity }],
  )
  await writeLedger(run, await setStocks(db, stocks, now))
  await updateVariants(
    db,
    edits.map(({ after }) => after),
    now,
  )
  const recoded = edits.filter(({ changes }) => 'ndc' in changes || 'din' in changes || 'upc' in changes)
  await replaceManyIdentifiers(db, {
    before: recoded.map(({ before }) => before),
    after: recoded.map(({ after }) => after),
  })
  await insertCatalogChanges(
    db,
    edits.flatMap(({ before, after }) => {
      const changed = changedFields(variantFields(before), variantFields(after))
      return changed ? [changeRow(run, before.id, { productId: before.productId, ...changed })] : []
    }),
  )
  return {
    all: edits.map(({ before }) => before.productId),
    words: edits
      .filter(({ changes }) => searched.some((field) => field in changes))
      .map(({ before }) => before.productId),
  }
}

/** The variant as it is to be, or null when what the check showed of it stands no longer. */
function editOf(
  before: CurrentVariant,
  changes: ImportChanges,
  standing: ReadonlyMap<string, CurrentVariant>,
): CurrentVariant | null {
  const wire = variantToWire(before)
  if (Object.entries(changes).some(([field, [was]]) => wire[field] !== was)) return null
  const { price, acquisitionCost, inStock: said, ...rest } = variantChangesSchema.parse(afterOf(changes))
  const after: CurrentVariant = {
    ...before,
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(price !== undefined && { priceCents: price }),
    ...(acquisitionCost !== undefined && { acquisitionCostCents: acquisitionCost }),
  }
  const linked = after.linkedVariantId
  if ('linkedVariantId' in changes && linked !== null && standing.get(linked)?.productId !== before.productId)
    return null
  const inStock = resolveInStock(before, after, said)
  return inStock === null ? null : { ...after, inStock }
}

/** Adds the variants of these lines; returns their products. */
async function add(run: Run, lines: readonly Line[]): Promise<string[]> {
  const { db, now, results } = run
  if (lines.length === 0) return []
  const isMakerMissing = await missingMakers(db, lines)
  const said = lines.map((line) => ({
    ...line,
    variant: newVariantSchema.parse({ ...afterOf(line.changes), productId: line.productId }),
  }))
  const isTaken = await takenCodes(
    db,
    said.map(({ variant }) => variant),
  )
  const inserted = said.flatMap(({ line, variant, changes }) => {
    const product = run.products.get(variant.productId)
    const inStock = resolveInStock(null, variant, variant.inStock)
    const linked = variant.linkedVariantId
    const isRight =
      product !== undefined &&
      inStock !== null &&
      !isTaken(variant) &&
      !isMakerMissing(changes) &&
      (linked === null || run.standing.get(linked)?.productId === variant.productId)
    const id = isRight ? newId(now.getTime()) : null
    results.push({ line, variantId: id, problem: isRight ? null : changedSince })
    if (id === null || !product || inStock === null) return []
    const cents = { priceCents: variant.price, acquisitionCostCents: variant.acquisitionCost }
    return [{ words: { ...variant, ...cents, id, genericName: genericNameOf(product), inStock } }]
  })
  await insertVariants(
    db,
    inserted.map(({ words }) => words),
    now,
  )
  await replaceManyIdentifiers(db, { before: [], after: inserted.map(({ words }) => words) })
  await writeLedger(
    run,
    inserted.flatMap(({ words: { id, productId, stockQuantity } }) =>
      stockQuantity === 0
        ? []
        : [{ variantId: id, productId, before: 0, after: stockQuantity, at: now, flipped: false }],
    ),
  )
  await insertCatalogChanges(
    db,
    inserted.map(({ words }) =>
      changeRow(run, words.id, { productId: words.productId, before: null, after: variantFields(words) }),
    ),
  )
  return inserted.map(({ words }) => words.productId)
}

/** Somebody may have added the same meanwhile. */
async function takenCodes(
  db: Db,
  variants: readonly NewVariant[],
): Promise<(variant: NewVariant) => boolean> {
  const identifiers = new Set(
    (await findVariantIdsByCodes(db, variants.flatMap(identifiersOf))).map(({ value }) => value),
  )
  const skus = new Set(
    (
      await findVariantIdsBySkus(
        db,
        variants.flatMap(({ sku }) => sku ?? []),
      )
    ).map(({ sku }) => sku),
  )
  return (variant) =>
    (variant.sku !== null && skus.has(variant.sku)) ||
    identifiersOf(variant).some(({ value }) => identifiers.has(value))
}

const writeLedger = ({ db, row }: Run, changes: readonly StockChange[]) =>
  insertTransactions(
    db,
    changes.map((change) => ({
      change,
      transactionType: 'adjustment',
      notes: `Imported from ${row.fileName}`,
    })),
  )

const changeRow = (
  { row, now }: Run,
  variantId: string,
  { productId, before, after }: { productId: string; before: Fields | null; after: Fields | null },
) => ({
  id: newId(now.getTime()),
  productId,
  variantId,
  actorId: row.actorId,
  action: before === null ? ('created' as const) : ('updated' as const),
  beforeFields: before && JSON.stringify(before),
  afterFields: after && JSON.stringify(after),
  at: now,
})
