import type { Db } from '#db/engine/client.ts'
import { searchProducts } from '#server/search/search-products.ts'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** A query and its expected results. tests/fixtures/search/README.md defines the rules. */
export type SearchTest = { id: string; kind: string; query: string; rule: string; keys: string[] }

/** Reads a table of search tests, compressed or plain. */
export function readSearchTests(path: string): SearchTest[] {
  const bytes = readFileSync(path)
  const [header = '', ...lines] = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes)
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
  const columns = header.split('\t')
  return lines.map((line) => {
    const cells = line.split('\t')
    const cell = (name: string): string => cells[columns.indexOf(name)] ?? ''
    return {
      id: cell('id'),
      kind: cell('kind'),
      query: cell('query'),
      rule: cell('rule'),
      keys: cell('expected_keys').split('|').filter(Boolean),
    }
  })
}

/** The keys of each product: its variants' package and product NDCs, DINs and UPCs. */
async function keysOfProducts(db: Db, productIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const keys = new Map<string, Set<string>>(productIds.map((id) => [id, new Set()]))
  if (productIds.length === 0) return keys
  const rows = await db
    .selectFrom('productVariants')
    .select(['productId', 'ndc', 'din', 'upc'])
    .where('productId', 'in', productIds)
    .where('deletedAt', 'is', null)
    .execute()
  for (const { productId, ndc, din, upc } of rows) {
    const own = keys.get(productId)
    if (ndc) own?.add(`ndc:${ndc}`).add(`ndc:${ndc.split('-').slice(0, 2).join('-')}`)
    if (din) own?.add(`din:${din}`)
    if (upc) own?.add(`upc:${upc}`)
  }
  return keys
}

/** Null when the search passes the test, else the results, with "!" before unexpected ones. */
export async function failureOf(db: Db, test: SearchTest): Promise<string | null> {
  const { products, repairedQuery } = await searchProducts({ reads: db }, { q: test.query, limit: 20 })
  const ids = products.map(({ id }) => id)
  const keys = await keysOfProducts(db, ids)
  const expected = (id: string): boolean => test.keys.some((key) => keys.get(id)?.has(key))
  const rules: Record<string, () => boolean> = {
    top1: () => ids.slice(0, 1).some(expected),
    top5: () => ids.slice(0, 5).some(expected),
    any20: () => ids.some(expected),
    p10: () => ids.length > 0 && ids.slice(0, 10).every(expected),
    all10: () => test.keys.every((key) => ids.slice(0, 10).some((id) => keys.get(id)?.has(key))),
    none: () => ids.length === 0,
  }
  const passes = rules[test.rule]
  if (!passes) throw new Error(`Unknown rule ${test.rule}.`)
  if (passes()) return null
  const found = products.slice(0, 10).map(({ id, name }) => (expected(id) ? name : `!${name}`))
  return `${test.id} ${test.kind} ${test.rule} "${test.query}"${repairedQuery ? ` as "${repairedQuery}"` : ''}: ${found.join(' | ')}`
}
