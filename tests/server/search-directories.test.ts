import type { Db } from '#db/engine/client.ts'
import { importDirectories } from '#server/catalog/import-directories.ts'
import { searchProducts } from '#server/search/search-products.ts'
import { importCareLists } from '#server/screening/import-care-lists.ts'
import { testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { failureOf, readSearchTests } from '#tests/support/search-tests.ts'
import { findLaySearchFailure, readLaySearchTests } from '#tests/support/lay-search-tests.ts'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

const folder = join(import.meta.dirname, '..', 'fixtures', 'search')

/** Real queries against real rows of the public directories (tests/fixtures/search/README.md). */
eachEngine((_engine, openDb) => {
  let db: Db
  beforeAll(async () => {
    db = await openDb()
    await importDirectories(db, {
      files: (['ndc', 'dpd', 'upc'] as const).map((kind) => ({ kind, path: join(folder, `${kind}.tsv.gz`) })),
      stock: 0,
      importer: { pid: process.pid, host: 'test' },
      isAlive: () => false,
      now: testDay,
      onReject: () => {},
      onProgress: () => {},
      sizeOf: () => 1,
    })
    // Queries by need are answered through the classes of ingredients.
    const care = join(import.meta.dirname, '..', '..', 'db', 'seed', 'care')
    await importCareLists(db, { folder: care, committedFolder: care, now: testDay })
  })

  test.each(readSearchTests(join(folder, 'tests.tsv.gz')))('$id $kind: $query', async (search) => {
    expect(await failureOf(db, search)).toBeNull()
  })

  test('queries as people type them find their medicine', async () => {
    const tests = readLaySearchTests(join(folder, 'lay-tests.tsv'))
    const failures: string[] = []
    for (const search of tests) {
      const failure = await findLaySearchFailure(db, search)
      if (failure !== null) failures.push(failure)
    }
    expect(failures).toEqual([])
    expect(tests.length).toBeGreaterThan(100)
  })

  test('an ingredient that is also sold in combinations comes before all of them', async () => {
    const rows = await db.selectFrom('products').select('name').distinct().orderBy('name').execute()
    const names = rows.map(({ name }) => name.toLowerCase())
    const isCombination = (name: string): boolean => / and |,|\/| with /.test(name)
    const combinations = names.filter(isCombination)
    const ingredients = names.filter(
      (name) => !isCombination(name) && combinations.some((other) => other.includes(name)),
    )
    const failures: string[] = []
    // A lay term finds its class ("thyroid"), so the name itself is looked for.
    for (const name of ingredients.filter((_, i) => i % 3 === 0)) {
      const { products } = await searchProducts({ reads: db }, { q: name })
      const found = products.map((product) => product.name.toLowerCase())
      const first = found.findIndex(isCombination)
      if (found[0] !== name || (first >= 0 && found.lastIndexOf(name) > first)) failures.push(name)
    }
    expect(failures).toEqual([])
    expect(ingredients.length).toBeGreaterThan(75)
  })
})
