import { countRows } from '#db/engine/count-rows.ts'
import { countedRows, formatTotal } from '#domain/grid-total.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('a count of rows is exact up to its limit and stops one above it', async () => {
    const db = await openDb()
    for (const [rows, counted] of [
      [0, 0],
      [countedRows, countedRows],
      [countedRows + 500, countedRows + 1],
    ] as const) {
      const matching = db
        .withRecursive('numbers(n)', (qb) =>
          qb.selectNoFrom(sql<number>`1`.as('n')).unionAll(
            qb
              .selectFrom('numbers')
              .select(sql<number>`n + 1`.as('n'))
              .where('n', '<', rows),
          ),
        )
        .selectFrom('numbers')
        .where('n', '<=', rows)
      expect(await countRows(db, matching)).toBe(counted)
    }
  })
})

test('a total above the limit is shown as more than the limit', () => {
  expect([formatTotal(1025), formatTotal(countedRows), formatTotal(countedRows + 1)]).toEqual([
    '1,025',
    '10,000',
    'more than 10,000',
  ])
})
