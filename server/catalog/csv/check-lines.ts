import {
  findNextLineToCheck,
  listLinesToCheck,
  saveChecked,
  claimKeys,
  type CheckedLine,
} from '#db/catalog/csv-import-lines.ts'
import { updateImport, type CsvImportRow } from '#db/catalog/csv-imports.ts'
import {
  findVariantIdsByCodes,
  findVariantIdsBySkus,
  findManufacturersByIdOrName,
  findProductsByIdOrName,
  findCurrentVariants,
} from '#db/catalog/variant-lookup.ts'
import type { Db } from '#db/engine/client.ts'
import { listVariantsLots } from '#db/inventory/lots.ts'
import type { ImportMapping } from '#domain/catalog/csv-imports.ts'
import { listIdentifiers, listNdc11Forms } from '#domain/catalog/identifiers.ts'
import { utcDay } from '#domain/days.ts'
import { groupBy } from '#domain/group-by.ts'
import { isId } from '#domain/ids.ts'
import { fold } from '#domain/text.ts'
import { decideRow, readRow, type CatalogLookup, type Decision } from '#domain/catalog/variant-row.ts'
import { fieldLabel, type ParsedRow } from '#domain/catalog/variant-row-values.ts'
import { applyVariantChanges, newVariantValues } from '#domain/catalog/variant-rules.ts'
import { findFullRecallProblems } from '../require-no-full-recall.ts'
import { readEdit, readNewVariant } from './read-changes.ts'

/** Few enough that requests between two transactions hardly wait. */
const maxLines = 250

/**
 * Checks some lines: finds what each would do, without doing it. Returns false when none is left;
 * then the import is checked.
 */
export async function checkSomeLines(
  db: Db,
  row: CsvImportRow,
  { mapping, now, limit }: { mapping: ImportMapping; now: Date; limit: number },
): Promise<boolean> {
  const lines = await listLinesToCheck(db, row, Math.min(limit, maxLines))
  const last = lines.at(-1)
  if (!last) {
    await updateImport(db, { id: row.id, status: 'checked', now })
    return false
  }
  const parsed = lines.map(({ line, cells, fault }) => ({ line, fault, row: readRow(cells, mapping) }))
  const lookup = await readLookup(
    db,
    parsed.map(({ row }) => row),
    now,
  )
  const decided = parsed.map(({ line, row, fault }) => ({
    line,
    decision: fault
      ? ({ outcome: 'refused', problem: fault, variantId: null, productId: null, name: null } as const)
      : decideRow(row, mapping, lookup),
  }))
  const screened = await rejectRecalled(db, decided, lookup)
  const firsts = await claimKeys(
    db,
    row,
    screened.flatMap(({ line, decision }) =>
      'keys' in decision ? decision.keys.map((key) => ({ key, line })) : [],
    ),
  )
  await saveChecked(
    db,
    row.id,
    screened.map(({ line, decision }) => toChecked(line, decision, firsts)),
  )
  await updateImport(db, { id: row.id, checkedLine: last.line, now })
  return true
}

/** Rejects the next line after an internal error. Returns its number, or null when none is left. */
export async function rejectNextToCheck(db: Db, row: CsvImportRow, now: Date): Promise<number | null> {
  const line = await findNextLineToCheck(db, row)
  if (line === null) return null
  const problem = 'Something went wrong on our end, so this line was not checked.'
  const noVariant = { variantId: null, productId: null, name: null, changes: null, warning: null }
  await saveChecked(db, row.id, [{ line, outcome: 'refused', problem, ...noVariant }])
  await updateImport(db, { id: row.id, checkedLine: line, now })
  return line
}

type DecidedLine = { line: number; decision: Decision }

/** Rejects lines that put units in no lot on sale of a package of which all lots are recalled. */
async function rejectRecalled(
  db: Db,
  decided: readonly DecidedLine[],
  { variants }: Pick<CatalogLookup, 'variants'>,
): Promise<DecidedLine[]> {
  const problems = await findFullRecallProblems(
    { db },
    decided.flatMap(({ line, decision }) => {
      if (!('changes' in decision) || 'lotNumber' in decision.changes) return []
      const { variantId, productId, changes } = decision
      const before = variants.get(variantId ?? '') ?? null
      const after = before
        ? applyVariantChanges(before, readEdit(changes))
        : newVariantValues(readNewVariant(changes, productId))
      return after ? [{ line, variantId, before, after }] : []
    }),
  )
  return decided.map(({ line, decision }) => {
    const recalled = problems.get(line)
    if (recalled === undefined) return { line, decision }
    const { variantId, productId, name } = decision
    const problem = `${fieldLabel(recalled.field)}: ${recalled.message}`
    return { line, decision: { variantId, productId, name, outcome: 'refused', problem } }
  })
}

/** Of several lines for the same variant only the first is accepted. */
function toChecked(
  line: number,
  decision: ReturnType<typeof decideRow>,
  firsts: ReadonlyMap<string, number>,
): CheckedLine {
  const { outcome, variantId, productId, name } = decision
  const checked = { line, outcome, variantId, productId, name, changes: null, problem: null, warning: null }
  if (decision.outcome === 'refused') return { ...checked, problem: decision.problem }
  const duplicateOf = decision.keys.map((key) => firsts.get(key) ?? line).find((first) => first !== line)
  if (duplicateOf !== undefined)
    return { ...checked, outcome: 'refused', problem: `Line ${duplicateOf} is for the same variant.` }
  if (!('changes' in decision)) return checked
  const { changes, warning } = decision
  return { ...checked, changes, warning }
}

/** Reads everything that these lines refer to. */
async function readLookup(db: Db, rows: readonly ParsedRow[], now: Date): Promise<CatalogLookup> {
  const listReferences = (field: 'product' | 'manufacturer') => {
    const all = [...new Set(rows.flatMap((one) => one[field] ?? []))]
    return {
      ids: all.filter(isId),
      names: all
        .filter((text) => !isId(text))
        .map(fold)
        .filter(Boolean),
    }
  }
  const identifiers = rows.flatMap(({ ndc = null, din = null, upc = null }) => [
    ...listIdentifiers({ ndc, din, upc }),
    ...listNdc11Forms(ndc ?? '').map((value) => ({ kind: 'ndc-11' as const, value })),
  ])
  const variantIdsByCode = new Map<string, string[]>()
  const addKey = (key: string, id: string): void => {
    const ids = variantIdsByCode.get(key)
    if (ids) ids.push(id)
    else variantIdsByCode.set(key, [id])
  }
  for (const { kind, value, id } of await findVariantIdsByCodes(db, identifiers))
    addKey(`${kind}:${value}`, id)
  for (const { sku, id } of await findVariantIdsBySkus(
    db,
    rows.flatMap(({ sku }) => sku ?? []),
  ))
    addKey(`sku:${sku}`, id)

  const referencedIds = rows.flatMap(({ id, linkedVariantId }) => [id, linkedVariantId])
  const ids = new Set([
    ...referencedIds.flatMap((id) => (id && isId(id) ? [id] : [])),
    ...[...variantIdsByCode.values()].flat(),
  ])
  const variants = new Map((await findCurrentVariants(db, [...ids])).map((variant) => [variant.id, variant]))
  const products = new Map<string, { id: string; name: string }[]>()
  for (const product of await findProductsByIdOrName(db, listReferences('product'))) {
    products.set(product.id, [product])
    products.set(product.sortName, [
      ...(products.get(product.sortName) ?? []).filter(({ id }) => id !== product.id),
      product,
    ])
  }
  const manufacturerIds = new Map<string, string>()
  for (const { id, nameKey } of await findManufacturersByIdOrName(db, listReferences('manufacturer'))) {
    manufacturerIds.set(id, id)
    manufacturerIds.set(nameKey, id)
  }
  const namesLots = rows.some(({ lotNumber }) => lotNumber !== undefined)
  const lots = namesLots ? await listVariantsLots(db, [...variants.keys()]) : []
  return {
    variants,
    variantIdsByCode,
    products,
    manufacturerIds,
    lots: groupBy(lots, ({ variantId }) => variantId),
    today: utcDay(now),
  }
}
