import { openDatabase, type Db } from '#db/client.ts'
import { searchProducts } from '#server/catalog/search-products.ts'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/**
 * `npx tsx scripts/check-search.ts DATABASE_URL TESTS.tsv`: runs a table of search tests (columns query, rule, expected_keys …)
 * against a catalogue that is already imported, and prints what fails.
 */
type SearchTest = { id: string; kind: string; query: string; rule: string; keys: string[] }

const readTests = (path: string): SearchTest[] => {
  const bytes = readFileSync(path)
  const lines = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes)
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
  return lines.slice(1).map((line) => {
    const [id = '', kind = '', query = '', rule = '', , , keys = ''] = line.split('\t')
    return { id, kind, query, rule, keys: keys.split('|').filter(Boolean) }
  })
}

async function keysOf(db: Db, productIds: string[]): Promise<Map<string, Set<string>>> {
  const keys = new Map<string, Set<string>>(productIds.map((id) => [id, new Set()]))
  if (productIds.length === 0) return keys
  const rows = await db
    .selectFrom('productVariants')
    .select(['productId', 'ndc', 'din', 'upc'])
    .where('productId', 'in', productIds)
    .where('deletedAt', 'is', null)
    .execute()
  for (const { productId, ndc, din, upc } of rows) {
    const set = keys.get(productId)
    if (ndc) set?.add(`ndc:${ndc}`).add(`ndc:${ndc.split('-').slice(0, 2).join('-')}`)
    if (din) set?.add(`din:${din}`)
    if (upc) set?.add(`upc:${upc}`)
  }
  return keys
}

async function passes(db: Db, test: SearchTest): Promise<boolean> {
  const { products } = await searchProducts({ db }, { q: test.query, limit: 20 })
  const ids = products.map(({ id }) => id)
  const keys = await keysOf(db, ids)
  const expected = (id: string): boolean => test.keys.some((key) => keys.get(id)?.has(key))
  switch (test.rule) {
    case 'top1':
      return ids.slice(0, 1).some(expected)
    case 'top5':
      return ids.slice(0, 5).some(expected)
    case 'any20':
      return ids.some(expected)
    case 'p10':
      return ids.length > 0 && ids.slice(0, 10).every(expected)
    case 'all10':
      return test.keys.every((key) => ids.slice(0, 10).some((id) => keys.get(id)?.has(key)))
    case 'none':
      return ids.length === 0
    default:
      throw new Error(`Unknown rule ${test.rule}.`)
  }
}

const [url, path] = process.argv.slice(2)
if (!url || !path) throw new Error('Usage: check-search DATABASE_URL TESTS.tsv')
const db = openDatabase(url, (error) => console.error(error.message))
const tests = readTests(path)
const byKind = new Map<string, [number, number]>()
for (const test of tests) {
  const passed = await passes(db, test)
  const [good, all] = byKind.get(test.kind) ?? [0, 0]
  byKind.set(test.kind, [good + Number(passed), all + 1])
  if (passed) continue
  const { products, repairedQuery } = await searchProducts({ db }, { q: test.query, limit: 10 })
  const keys = await keysOf(
    db,
    products.map(({ id }) => id),
  )
  const listed = products.map(({ id, name }) => {
    const own = keys.get(id) ?? new Set()
    return test.keys.some((key) => own.has(key)) ? name : `!${name} (${[...own][0] ?? 'no keys'})`
  })
  console.log(
    `${test.id} ${test.kind} ${test.rule} "${test.query}" ${repairedQuery ?? ''}: ${listed.join(' | ')}`,
  )
}
const good = [...byKind.values()].reduce((sum, [passed]) => sum + passed, 0)
for (const [kind, [passed, all]] of byKind) console.log(`${kind}: ${passed} of ${all}`)
console.log(`${good} of ${tests.length}`)
await db.destroy()
