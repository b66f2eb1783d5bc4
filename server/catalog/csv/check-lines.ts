import {
  listLinesToCheck,
  saveChecked,
  claimKeys,
  updateImport,
  type CheckedLine,
  type CsvImportRow,
} from '#db/catalog/csv-imports.ts'
import {
  findVariantIdsByCodes,
  findVariantIdsBySkus,
  findManufacturersByIdOrName,
  findProductsByIdOrName,
  findCurrentVariants,
} from '#db/catalog/variant-lookup.ts'
import type { Db } from '#db/engine/client.ts'
import type { ImportMapping } from '#domain/catalog/csv-imports.ts'
import { identifiersOf } from '#domain/catalog/identifiers.ts'
import { isId } from '#domain/ids.ts'
import { fold } from '#domain/text.ts'
import { decideRow, readRow, type CatalogLookup } from '#domain/catalog/variant-row.ts'

/** So few that a visitor's request between two rounds hardly waits. */
const linesAtOnce = 250

type SaidLine = { line: number; said: ReturnType<typeof readRow>; fault: string | null }

/** Checks some lines: what each would do, without doing it. Returns false when none is left; the import is checked then. */
export async function checkSomeLines(
  db: Db,
  row: CsvImportRow,
  { mapping, now, most }: { mapping: ImportMapping; now: Date; most: number },
): Promise<boolean> {
  const lines = await listLinesToCheck(db, row, Math.min(most, linesAtOnce))
  const last = lines.at(-1)
  if (!last) {
    await updateImport(db, { id: row.id, status: 'checked', now })
    return false
  }
  const said = lines.map(({ line, cells, fault }) => ({
    line,
    fault,
    said: readRow(JSON.parse(cells) as string[], mapping),
  }))
  const known = await lookUp(db, said)
  const decided = said.map(({ line, said, fault }) => ({
    line,
    decision: fault
      ? ({ outcome: 'refused', problem: fault, variantId: null, productId: null, name: null } as const)
      : decideRow(said, mapping, known),
  }))
  const firsts = await claimKeys(
    db,
    row,
    decided.flatMap(({ line, decision }) =>
      'keys' in decision ? decision.keys.map((key) => ({ key, line })) : [],
    ),
  )
  await saveChecked(
    db,
    row.id,
    decided.map(({ line, decision }) => toChecked(line, decision, firsts)),
  )
  await updateImport(db, { id: row.id, checkedLine: last.line, now })
  return true
}

/** Refuses the line that is next, as the shop fails of it; returns which one, or null when none is left. */
export async function rejectNextToCheck(db: Db, row: CsvImportRow, now: Date): Promise<number | null> {
  const [next] = await listLinesToCheck(db, row, 1)
  if (!next) return null
  const { line } = next
  const problem = 'Something went wrong on our side with this line.'
  const nothing = { variantId: null, productId: null, name: null, changes: null }
  await saveChecked(db, row.id, [{ line, outcome: 'refused', problem, ...nothing }])
  await updateImport(db, { id: row.id, checkedLine: line, now })
  return line
}

/** Of lines that name the same variant the first one counts. */
function toChecked(
  line: number,
  decision: ReturnType<typeof decideRow>,
  firsts: ReadonlyMap<string, number>,
): CheckedLine {
  const { outcome, variantId, productId, name } = decision
  const found = { line, outcome, variantId, productId, name, changes: null, problem: null }
  if (decision.outcome === 'refused') return { ...found, problem: decision.problem }
  const twin = decision.keys.map((key) => firsts.get(key) ?? line).find((first) => first !== line)
  if (twin !== undefined)
    return { ...found, outcome: 'refused', problem: `It names the same variant as line ${twin}.` }
  return 'changes' in decision ? { ...found, changes: JSON.stringify(decision.changes) } : found
}

async function lookUp(db: Db, lines: readonly SaidLine[]): Promise<CatalogLookup> {
  const said = lines.map((line) => line.said)
  const texts = (field: 'product' | 'manufacturer') => {
    const all = [...new Set(said.flatMap((one) => one[field] ?? []))]
    return {
      ids: all.filter(isId),
      names: all
        .filter((text) => !isId(text))
        .map(fold)
        .filter(Boolean),
    }
  }
  const identifiers = said.flatMap(({ ndc = null, din = null, upc = null }) => identifiersOf({ ndc, din, upc }))
  const carriers = new Map<string, string[]>()
  const carries = (key: string, id: string): void => {
    const ids = carriers.get(key)
    if (ids) ids.push(id)
    else carriers.set(key, [id])
  }
  for (const { kind, value, id } of await findVariantIdsByCodes(db, identifiers)) carries(`${kind}:${value}`, id)
  for (const { sku, id } of await findVariantIdsBySkus(
    db,
    said.flatMap(({ sku }) => sku ?? []),
  ))
    carries(`sku:${sku}`, id)

  const named = said.flatMap(({ id, linkedVariantId }) => [id, linkedVariantId])
  const ids = new Set([
    ...named.flatMap((id) => (id && isId(id) ? [id] : [])),
    ...[...carriers.values()].flat(),
  ])
  const variants = new Map((await findCurrentVariants(db, [...ids])).map((variant) => [variant.id, variant]))
  const products = new Map<string, { id: string; name: string }[]>()
  for (const product of await findProductsByIdOrName(db, texts('product'))) {
    products.set(product.id, [product])
    products.set(product.sortName, [
      ...(products.get(product.sortName) ?? []).filter(({ id }) => id !== product.id),
      product,
    ])
  }
  const makers = new Map<string, string>()
  for (const { id, nameKey } of await findManufacturersByIdOrName(db, texts('manufacturer'))) {
    makers.set(id, id)
    makers.set(nameKey, id)
  }
  return { variants, carriers, products, makers }
}
