import type { Db } from '#db/engine/client.ts'
import { importDirectories } from '#server/catalog/import-directories.ts'
import { testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { failureOf, readSearchTests } from '#tests/support/search-tests.ts'
import { layFailureOf, readLaySearchTests } from '#tests/support/lay-search-tests.ts'
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
  })

  test.each(readSearchTests(join(folder, 'tests.tsv.gz')))('$id $kind: $query', async (search) => {
    expect(await failureOf(db, search)).toBeNull()
  })

  test('queries as people type them find their medicine', async () => {
    const tests = readLaySearchTests(join(folder, 'lay-tests.tsv'))
    const failures: string[] = []
    for (const search of tests) {
      const failure = await layFailureOf(db, search)
      if (failure !== null) failures.push(failure)
    }
    expect(failures).toEqual([])
    expect(tests.length).toBeGreaterThan(100)
  })
})
