import { lockProducts } from '#db/catalog/catalog-edit.ts'
import { findNextLineToApply, listLinesToApply, saveApplied } from '#db/catalog/csv-import-lines.ts'
import { updateImport, type CsvImportRow } from '#db/catalog/csv-imports.ts'
import {
  findCurrentVariants,
  findManufacturersByIdOrName,
  findVariantIdsByCodes,
  findVariantIdsBySkus,
} from '#db/catalog/variant-lookup.ts'
import type { Db } from '#db/engine/client.ts'
import { withSavepoint } from '#db/engine/sql.ts'
import { lockVariants } from '#db/inventory/lock-variants.ts'
import type { ImportChanges } from '#domain/catalog/csv-imports.ts'
import { AppError } from '#domain/errors.ts'
import { listIdentifiers } from '#domain/catalog/identifiers.ts'
import type { NewVariant } from '#domain/catalog/variant-fields.ts'
import {
  applyVariantChanges,
  changesSearchTerms,
  newVariantValues,
  variantReferenceErrors,
  type EditableVariant,
} from '#domain/catalog/variant-rules.ts'
import { variantToWire } from '#domain/catalog/variant-wire.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../../context.ts'
import { getGenericName } from '../generic-name.ts'
import { setLotQuantity } from '../../lots/set-lot-quantity.ts'
import { findLotProblem, sumLots } from '../lot-problems.ts'
import { refreshCatalog } from '../refresh-catalog.ts'
import { findFullRecallProblems } from '../require-no-full-recall.ts'
import { saveNewVariants, saveVariantEdits, type VariantWrite } from '../save-variants.ts'
import { readEdit, readNewVariant } from './read-changes.ts'

/** Few enough that customers who order these variants hardly wait. */
const maxLines = 100

type Line = { line: number; variantId: string | null; productId: string | null; changes: ImportChanges }
type Result = { line: number; variantId: string | null; problem: string | null }

const changedSinceCheck = 'This variant has changed since the check, so the line was not applied.'

/**
 * Applies some lines of an import in the transaction that records the progress, so that a killed
 * run continues after them. A line is applied only if the values it changes are still what the
 * check showed. Returns false when none is left; then the import is applied.
 */
export async function applySomeLines(
  { db, keys, now }: Pick<Context, 'db' | 'keys' | 'now'>,
  row: CsvImportRow,
  limit: number,
): Promise<boolean> {
  const lines = await listLinesToApply(db, row.id, Math.min(limit, maxLines))
  if (lines.length === 0) {
    await updateImport(db, { id: row.id, status: 'applied', now })
    return false
  }
  const write: VariantWrite = { db, keys, now, actorId: row.actorId, notes: `Imported from ${row.fileName}` }
  const run: Run = { write, ...(await lockLines(db, lines)), results: [] }
  const [lotLines, others] = [lines.filter(countsLot), lines.filter((line) => !countsLot(line))]
  const changed = await updateExisting(run, others)
  const added = await addNew(run, others)
  const restocked = await countLots(run, lotLines)
  await saveApplied(db, row.id, run.results)
  const searchChanged = new Set([...changed.searchTermsChanged, ...added])
  const otherIds = [...changed.all, ...restocked].filter((id) => !searchChanged.has(id))
  if (searchChanged.size > 0) await refreshCatalog(write, [...searchChanged].toSorted())
  if (otherIds.length > 0)
    await refreshCatalog(write, [...new Set(otherIds)].toSorted(), { searchTermsChanged: false })
  await updateImport(db, { id: row.id, now })
  return true
}

/** Rejects the next line after an internal error. Returns its number, or null when none is left. */
export async function rejectNextToApply(db: Db, row: CsvImportRow, now: Date): Promise<number | null> {
  const line = await findNextLineToApply(db, row.id)
  if (line === null) return null
  const problem = 'Something went wrong on our end, so this line was not applied.'
  await saveApplied(db, row.id, [{ line, variantId: null, problem }])
  await updateImport(db, { id: row.id, now })
  return line
}

type Run = {
  write: VariantWrite
  variants: ReadonlyMap<string, EditableVariant>
  products: ReadonlyMap<string, { id: string; name: string; ingredients: string | null }>
  manufacturerIds: ReadonlySet<string>
  results: Result[]
}

/** Locks the lines' variants and products, and reads everything that the lines refer to. */
async function lockLines(
  db: Db,
  lines: readonly Line[],
): Promise<Pick<Run, 'variants' | 'products' | 'manufacturerIds'>> {
  const ids = unique(lines.map(({ variantId }) => variantId))
  // Variants before their products, ordered by id, as sales lock them.
  await lockVariants(db, ids.toSorted())
  const products = await lockProducts(db, unique(lines.map(({ productId }) => productId)))
  const variants = await findCurrentVariants(db, unique([...ids, ...listNewValues(lines, 'linkedVariantId')]))
  const manufacturers = await findManufacturersByIdOrName(db, {
    ids: unique(listNewValues(lines, 'manufacturerId')),
    names: [],
  })
  return {
    variants: new Map(variants.map((variant) => [variant.id, variant])),
    products: new Map(products.map((product) => [product.id, product])),
    manufacturerIds: new Set(manufacturers.map(({ id }) => id)),
  }
}

const unique = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))]

const newValue = (changes: ImportChanges, field: string): string | null => {
  const value = changes[field]?.[1]
  return typeof value === 'string' ? value : null
}
const listNewValues = (lines: readonly Line[], field: string): (string | null)[] =>
  lines.map(({ changes }) => newValue(changes, field))

/** Whether the references that a line sets still exist. */
const hasValidReferences = (
  { variants, manufacturerIds }: Run,
  changes: ImportChanges,
  variant: { id: string | null; productId: string },
): boolean => {
  const errors = variantReferenceErrors(
    {
      ...variant,
      manufacturerId: newValue(changes, 'manufacturerId'),
      linkedVariantId: newValue(changes, 'linkedVariantId'),
    },
    {
      hasManufacturer: (id) => manufacturerIds.has(id),
      productIdOf: (id) => variants.get(id)?.productId,
    },
  )
  return Object.keys(errors).length === 0
}

const countsLot = ({ changes }: Line): boolean => 'lotNumber' in changes

/**
 * Applies the lines that count a lot, each in a savepoint. Returns the products of which a variant
 * ran out or came back.
 */
async function countLots(run: Run, lines: readonly Line[]): Promise<string[]> {
  const products: string[] = []
  for (const { line, variantId, productId, changes } of lines) {
    const lotNumber = newValue(changes, 'lotNumber')
    const expiresOn = newValue(changes, 'expiryDate')
    const [before, after] = changes['stockQuantity'] ?? []
    const isComplete = variantId !== null && lotNumber !== null && expiresOn !== null
    if (!isComplete || typeof before !== 'number' || typeof after !== 'number') continue
    const count = { variantId, lotNumber, expiresOn, before, after }
    const { db, notes } = run.write
    const outcome = await withSavepoint(db, () => setLotQuantity(run.write, count, notes))
    if (outcome.failed && !(outcome.error instanceof AppError)) throw outcome.error
    run.results.push({ line, variantId, problem: outcome.failed ? changedSinceCheck : null })
    if (!outcome.failed && outcome.result && productId !== null) products.push(productId)
  }
  return products
}

/** Applies the lines that change variants. Returns the products affected. */
async function updateExisting(
  run: Run,
  lines: readonly Line[],
): Promise<{ all: string[]; searchTermsChanged: string[] }> {
  const counted = lines.filter(({ changes }) => 'stockQuantity' in changes)
  const inLots = await sumLots(
    run.write.db,
    counted.flatMap(({ variantId }) => variantId ?? []),
  )
  const wanted = lines.flatMap(({ line, variantId, changes }) => {
    const before = variantId === null ? undefined : run.variants.get(variantId)
    const after = before ? editedVariant(run, before, changes) : null
    if (before && after) return [{ line, before, after }]
    if (variantId !== null) run.results.push({ line, variantId, problem: changedSinceCheck })
    return []
  })
  const recalled = await findFullRecallProblems(
    run.write,
    wanted.map(({ line, before, after }) => ({
      line,
      variantId: before.id,
      before,
      after,
    })),
  )
  const edits = wanted.flatMap(({ line, before, after }) => {
    const problem = findLotProblem(after, inLots) ?? recalled.get(line)?.message ?? null
    run.results.push({ line, variantId: before.id, problem })
    return problem === null ? [{ before, after }] : []
  })
  await saveVariantEdits(run.write, edits)
  return {
    all: edits.map(({ before }) => before.productId),
    searchTermsChanged: edits
      .filter(({ before, after }) => changesSearchTerms(before, after))
      .map(({ before }) => before.productId),
  }
}

/** The variant after a line, or null when its values are no longer what the check showed. */
function editedVariant(run: Run, before: EditableVariant, changes: ImportChanges): EditableVariant | null {
  const current = variantToWire(before)
  const isUnchanged = Object.entries(changes).every(([field, [checked]]) => current[field] === checked)
  if (!isUnchanged || !hasValidReferences(run, changes, before)) return null
  return applyVariantChanges(before, readEdit(changes))
}

/** Applies the lines that add variants. Returns their products. */
async function addNew(run: Run, lines: readonly Line[]): Promise<string[]> {
  const inputs = lines.flatMap(({ line, variantId, productId, changes }) =>
    variantId === null ? [{ line, changes, input: readNewVariant(changes, productId) }] : [],
  )
  if (inputs.length === 0) return []
  const isTaken = await findTakenKeys(
    run.write.db,
    inputs.map(({ input }) => input),
  )
  const recalled = await findFullRecallProblems(
    run.write,
    inputs.flatMap(({ line, input }) => {
      const after = newVariantValues(input)
      return after ? [{ line, variantId: null, before: null, after }] : []
    }),
  )
  const added = inputs.flatMap(({ line, changes, input }) => {
    const { productId } = input
    const product = run.products.get(productId)
    const values = newVariantValues(input)
    const isValid = !isTaken(input) && hasValidReferences(run, changes, { id: null, productId })
    if (!product || !values || !isValid) {
      run.results.push({ line, variantId: null, problem: changedSinceCheck })
      return []
    }
    const problem = recalled.get(line)?.message ?? null
    if (problem !== null) {
      run.results.push({ line, variantId: null, problem })
      return []
    }
    const id = newId(run.write.now.getTime())
    run.results.push({ line, variantId: id, problem: null })
    return [{ ...values, id, productId, genericName: getGenericName(product) }]
  })
  await saveNewVariants(run.write, added)
  return added.map(({ productId }) => productId)
}

/** Checks whether another variant has taken an SKU or an identifier since the check. */
async function findTakenKeys(
  db: Db,
  variants: readonly NewVariant[],
): Promise<(variant: NewVariant) => boolean> {
  const identified = await findVariantIdsByCodes(db, variants.flatMap(listIdentifiers))
  const identifiers = new Set(identified.map(({ value }) => value))
  const stocked = await findVariantIdsBySkus(
    db,
    variants.flatMap(({ sku }) => sku ?? []),
  )
  const skus = new Set(stocked.map(({ sku }) => sku))
  return (variant) =>
    (variant.sku !== null && skus.has(variant.sku)) ||
    listIdentifiers(variant).some(({ value }) => identifiers.has(value))
}
