import { basename } from 'node:path'
import { openDatabase } from '#db/engine/client.ts'
import { findLaySearchFailure, readLaySearchTests } from '#tests/support/lay-search-tests.ts'
import { failureOf, readSearchTests } from '#tests/support/search-tests.ts'

/**
 * `npx tsx scripts/check-search.ts DATABASE_URL TESTS.tsv` runs a table of search tests against an
 * imported catalog, and prints the failures and the passes of each kind. A file whose name begins
 * with "lay-" has the columns of tests/fixtures/search/lay-tests.tsv.
 */
const [url, path] = process.argv.slice(2)
if (!url || !path) throw new Error('Usage: check-search DATABASE_URL TESTS.tsv')
const db = openDatabase(url, (error) => console.error(error.message))
const isLay = basename(path).startsWith('lay-')
const tests = isLay
  ? readLaySearchTests(path).map((test) => ({
      kind: test.kind,
      failure: () => findLaySearchFailure(db, test),
    }))
  : readSearchTests(path).map((test) => ({ kind: test.kind, failure: () => failureOf(db, test) }))
const passed = new Map<string, { good: number; all: number }>()
for (const test of tests) {
  const failure = await test.failure()
  if (failure) console.log(failure)
  const { good: passes, all: total } = passed.get(test.kind) ?? { good: 0, all: 0 }
  passed.set(test.kind, { good: passes + (failure ? 0 : 1), all: total + 1 })
}
for (const [kind, { good: passes, all: total }] of passed) console.log(`${kind}: ${passes} of ${total}`)
console.log(`${[...passed.values()].reduce((sum, { good: passes }) => sum + passes, 0)} of ${tests.length}`)
await db.destroy()
