import type { Db } from '#db/engine/client.ts'
import { pipeline } from '#db/engine/sql.ts'
import { setFastPaths } from '#domain/fast-paths.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { wantsFastPaths } from '#tests/support/fast-paths.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => setFastPaths(wantsFastPaths))

/**
 * Every kind of value, row, count and error; each statement runs twice, so that the second is
 * prepared.
 */
async function runStatements(db: Db) {
  const results: unknown[] = []
  const run = async (work: Promise<unknown>): Promise<void> => {
    try {
      results.push(await work)
    } catch (error) {
      results.push({ code: error instanceof Error && 'code' in error ? error.code : error })
    }
  }
  const bytes = Buffer.from([0, 1, 255])
  for (let i = 1; i <= 2; i++) {
    await run(
      sql`select cast(${i} as integer) as one_number, ${'a ‘quoted’ \\ word'} as some_text, cast(${null} as integer) as missing`.execute(
        db,
      ),
    )
    await run(
      sql`insert into things values (${i}, ${2 ** 40}, ${bytes}, ${i === 1 ? 'x' : null})`.execute(db),
    )
    await run(sql`insert into things values (${1}, ${1}, ${bytes}, ${'twice'})`.execute(db))
    await run(sql`select id, big, bytes, word from things order by id`.execute(db))
    await run(sql`update things set word = ${'y'} where id > ${7}`.execute(db))
    await run(sql`select * from nowhere`.execute(db))
    await run(
      db.transaction().execute(async (tx) => {
        const [a, b] = await pipeline(
          sql`select ${'a'} as a`.execute(tx),
          sql`update things set word = ${`${i}`} where id = ${1}`.execute(tx),
        )
        return [a, b]
      }),
    )
    await run(
      db
        .transaction()
        .execute((tx) => pipeline(sql`select 1 as a`.execute(tx), sql`select * from nowhere`.execute(tx))),
    )
  }
  await run(sql`select id, word from things order by id`.execute(db))
  return results
}

eachEngine((engine, _openDb, openWithUrl) => {
  test('statements give the same rows, counts and errors without internals of Kysely and the driver', async () => {
    const results: unknown[] = []
    for (const enabled of [true, false]) {
      setFastPaths(enabled)
      const { db } = await openWithUrl()
      const big = sql.raw(engine === 'postgres' ? 'bigint' : 'integer')
      const blob = sql.raw(engine === 'postgres' ? 'bytea' : 'blob')
      await sql`create table things (id integer primary key, big ${big}, bytes ${blob}, word text)`.execute(
        db,
      )
      results.push(await runStatements(db))
    }
    const [fast, plain] = results
    expect(plain).toEqual(fast)
    expect(fast).toMatchObject([
      { rows: [{ oneNumber: 1, someText: 'a ‘quoted’ \\ word', missing: null }] },
      { rows: [], numAffectedRows: 1n },
      { code: engine === 'postgres' ? '23505' : 'SQLITE_CONSTRAINT_PRIMARYKEY' },
      { rows: [{ id: 1, big: 2 ** 40, word: 'x' }] },
      { rows: [], numAffectedRows: 0n },
      { code: engine === 'postgres' ? '42P01' : 'SQLITE_ERROR' },
      [{ rows: [{ a: 'a' }] }, { numAffectedRows: 1n }],
      { code: engine === 'postgres' ? '42P01' : 'SQLITE_ERROR' },
      ...Array.from({ length: 8 }, () => expect.anything() as unknown),
      {
        rows: [
          { id: 1, word: '2' },
          { id: 2, word: null },
        ],
      },
    ])
  })

  test('a statement is described once per connection, or every time without pg internals', async () => {
    const described = vi.spyOn(pg.Connection.prototype as unknown as { describe: () => void }, 'describe')
    const counts: number[] = []
    for (const enabled of [true, false]) {
      setFastPaths(enabled)
      const { db } = await openWithUrl()
      await db.connection().execute(async (one) => {
        described.mockClear()
        for (let i = 0; i < 3; i++) await sql`select ${i} as n`.execute(one)
        counts.push(described.mock.calls.length)
      })
    }
    expect(counts).toEqual(engine === 'postgres' ? [1, 3] : [0, 0])
  })
})
