import { findUnpricedVariants, savePrices, type UnpricedVariant } from '#db/catalog/catalog-prices.ts'
import { lockVariants } from '#db/inventory/lock-variants.ts'
import { fromNadacRow, findPrice, type PriceTerm } from './directory/nadac.ts'
import { findPendingRows, rejectRow, type ImportLines } from './import-batch.ts'

const listProductKeys = (term: PriceTerm): string[] =>
  ['Rx', 'OTC'].map((category) => `${category}:${term.route}:${term.moieties.join('+')}`)

/**
 * Imports lines of average acquisition costs: prices the variants that match by name, strength and
 * form and have no price yet. A row that prices a variant counts as changed, every other valid row
 * as unchanged.
 */
export const importPriceLines: ImportLines = async (tx, run, columns, lines) => {
  const pending = await findPendingRows(tx, run, columns, 'nadac', (row) => `nadac:${row.drug_term}`, lines)
  const terms: PriceTerm[] = []
  for (const { line, row } of pending) {
    try {
      const term = fromNadacRow(row)
      if (term) terms.push(term)
      else run.counts.unchanged++
    } catch (error) {
      rejectRow(run, line, error)
    }
  }
  const unpriced = new Map<string, UnpricedVariant[]>()
  for (const variant of await findUnpricedVariants(tx, terms.flatMap(listProductKeys))) {
    const group = unpriced.get(variant.productKey)
    if (group) group.push(variant)
    else unpriced.set(variant.productKey, [variant])
  }
  const prices = new Map<string, { id: string; priceCents: number; acquisitionCostCents: number }>()
  for (const term of terms) {
    let found = 0
    for (const variant of listProductKeys(term).flatMap((key) => unpriced.get(key) ?? [])) {
      if (prices.has(variant.id)) continue
      const price = findPrice(variant, term)
      if (!price) continue
      prices.set(variant.id, { id: variant.id, ...price })
      found++
    }
    if (found > 0) run.counts.changed++
    else run.counts.unchanged++
  }
  await lockVariants(tx, [...prices.keys()])
  await savePrices(tx, [...prices.values()], run.now)
  // Which variants have no price yet, the next batch reads from this one.
  return null
}
