import { toAppError } from '#server/errors.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

eachEngine((engine, _openDb, openWithUrl) => {
  test('a statement that ran before a newer version added a column reads each value under its name', async () => {
    const { db, openAgain } = await openWithUrl()
    const newer = openAgain()
    await sql`create table things (id integer primary key, word text)`.execute(db)
    await sql`insert into things values (1, 'one')`.execute(db)
    const read = async (one = db) => (await sql`select *, 7 as "order" from things`.execute(one)).rows
    const readInTransaction = () => db.transaction().execute((tx) => read(tx))
    expect(await read()).toEqual([{ id: 1, word: 'one', order: 7 }])

    await sql`alter table things add column added text default 'new'`.execute(newer)
    const all = [{ id: 1, word: 'one', added: 'new', order: 7 }]
    expect(await Promise.all([read(), read(), read()])).toEqual([all, all, all])
    expect(await readInTransaction()).toEqual(all)

    // A transaction cannot go on after the error. The next one can.
    await sql`alter table things add column last integer default 3`.execute(newer)
    const wider = [{ id: 1, word: 'one', added: 'new', last: 3, order: 7 }]
    if (engine === 'postgres') {
      const failure: unknown = await readInTransaction().catch((error: unknown) => error)
      expect(toAppError(failure).code).toBe('UNAVAILABLE')
    }
    expect(await readInTransaction()).toEqual(wider)
    expect(await read()).toEqual(wider)
  })
})
