import { prepareQuery, type Db } from '#db/engine/client.ts'
import { newId } from '#domain/ids.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'

const now = new Date('2026-01-05T10:20:30.456Z')

const manufacturer = (name: string) => ({
  id: newId(),
  name,
  nameKey: name.toLowerCase(),
  createdAt: now,
  updatedAt: now,
})

const pharmacy = (active: boolean) => ({
  id: newId(),
  name: "Pharmacie d'Été “Ω” 薬",
  country: 'Canada',
  licenseNumber: '007',
  licenseExpiry: '2027-01-31',
  shipsTo: JSON.stringify(['Canada', 'United States']),
  active,
  createdAt: now,
  updatedAt: now,
})

const product = (name: string, unitsSold: number) => ({
  id: newId(),
  name,
  sortName: name.toLowerCase(),
  category: 'Rx' as const,
  unitsSold,
  createdAt: now,
  updatedAt: now,
})

eachEngine((engine, openDb) => {
  let db: Db
  beforeAll(async () => {
    db = await openDb()
  })

  test('a row has the same types when it is read as when it was written', async () => {
    const row = pharmacy(true)
    await db.insertInto('pharmacies').values(row).execute()
    const read = await db
      .selectFrom('pharmacies')
      .selectAll()
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow()
    expect(read).toEqual({
      ...row,
      shipsTo: ['Canada', 'United States'],
      address: null,
      phone: null,
      version: 1,
    })
    expect(read.createdAt).toBeInstanceOf(Date)
  })

  test('false, joined and aliased booleans are read as booleans', async () => {
    const row = pharmacy(false)
    await db.insertInto('pharmacies').values(row).execute()
    const read = await db
      .selectFrom('pharmacies as p')
      .innerJoin('pharmacies as q', 'q.id', 'p.id')
      .select(['q.active as isActive', 'p.createdAt as addedAt', 'p.shipsTo'])
      .where('p.active', '=', false)
      .executeTakeFirstOrThrow()
    expect(read).toEqual({ isActive: false, addedAt: now, shipsTo: ['Canada', 'United States'] })
  })

  test('rows returned by an insert or an update have the same types', async () => {
    const inserted = await db
      .insertInto('products')
      .values({ ...product('returning', 3), priceMinCents: 1250 })
      .returningAll()
      .executeTakeFirstOrThrow()
    expect(inserted).toMatchObject({
      inStock: false,
      salesOrder: -3,
      priceMinCents: 1250,
      priceMaxCents: null,
      createdAt: now,
      deletedAt: null,
    })
    const updated = await db
      .updateTable('products')
      .set({ inStock: true, deletedAt: now })
      .where('id', '=', inserted.id)
      .returning(['inStock', 'deletedAt', 'unitsSold'])
      .executeTakeFirstOrThrow()
    expect(updated).toEqual({ inStock: true, deletedAt: now, unitsSold: 3 })
  })

  test('a count and a sum are numbers', async () => {
    const read = await db
      .selectFrom('products')
      .select(({ fn }) => [fn.countAll<number>().as('n'), fn.max('priceMinCents').as('most')])
      .where('name', '=', 'returning')
      .executeTakeFirstOrThrow()
    expect(read).toEqual({ n: 1, most: 1250 })
  })

  test('amounts beyond 32 bits stay exact to the cent', async () => {
    const row = { ...product('dear', 0), priceMinCents: 99_999_999_999 }
    await db.insertInto('products').values(row).execute()
    const read = await db
      .selectFrom('products')
      .select('priceMinCents')
      .where('id', '=', row.id)
      .executeTakeFirst()
    expect(read?.priceMinCents).toBe(99_999_999_999)
  })

  test('a value that looks like SQL is a value', async () => {
    const row = manufacturer(`'; drop table manufacturers; -- %_\\"`)
    await db.insertInto('manufacturers').values(row).execute()
    const read = await db.selectFrom('manufacturers').select('name').where('name', '=', row.name).execute()
    expect(read).toEqual([{ name: row.name }])
  })

  test('text sorts by its bytes on both engines', async () => {
    const names = ['Zinc', 'abacus', 'Éclair', 'a-b', 'ab', 'A', 'zebra', '10', '9', 'a b', '薬', '😀']
    await db.insertInto('manufacturers').values(names.map(manufacturer)).execute()
    const read = await db
      .selectFrom('manufacturers')
      .select('name')
      .where('name', 'in', names)
      .orderBy('name')
      .execute()
    const byBytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(read.map((row) => row.name)).toEqual(byBytes)
    const after = await db
      .selectFrom('manufacturers')
      .select('name')
      .where('name', 'in', names)
      .where('name', '>', 'ab')
      .orderBy('name')
      .execute()
    expect(after.map((row) => row.name)).toEqual(byBytes.slice(byBytes.indexOf('ab') + 1))
  })

  test('an update and a delete return the number of changed rows', async () => {
    await db
      .insertInto('manufacturers')
      .values([manufacturer('one'), manufacturer('two')])
      .execute()
    const result = await db
      .updateTable('manufacturers')
      .set({ city: 'Basel' })
      .where('name', 'in', ['one', 'two', 'three'])
      .executeTakeFirstOrThrow()
    expect(Number(result.numUpdatedRows)).toBe(2)
    const deleted = await db.deleteFrom('manufacturers').where('name', '=', 'one').executeTakeFirstOrThrow()
    expect(Number(deleted.numDeletedRows)).toBe(1)
  })

  test('a stream is refused: it would hold a connection until its reader finishes', async () => {
    const read = async () => {
      for await (const _ of db.selectFrom('products').select('id').stream()) break
    }
    await expect(read()).rejects.toThrow('Queries are not streamed; read in keyset pages.')
  })

  test('a prepared query is one statement for all its values', async () => {
    const productsSold = prepareQuery<{ name: string; least: number }, { name: string; unitsSold: number }>(
      (on, p) =>
        on
          .selectFrom('products')
          .select(['name', 'unitsSold'])
          .where('name', '=', p.name)
          .where('unitsSold', '>=', p.least),
    )
    await db
      .insertInto('products')
      .values([product('prepared a', 5), product('prepared b', 9)])
      .execute()
    expect(await productsSold(db, { name: 'prepared a', least: 5 })).toEqual([
      { name: 'prepared a', unitsSold: 5 },
    ])
    expect(await productsSold(db, { name: 'prepared a', least: 6 })).toEqual([])
    expect(await productsSold(db, { name: 'prepared b', least: 6 })).toEqual([
      { name: 'prepared b', unitsSold: 9 },
    ])
  })

  test('a prepared query still works after its table gets a new index', async () => {
    const separateDb = await openDb()
    const all = () => separateDb.selectFrom('manufacturers').selectAll().execute()
    await separateDb.insertInto('manufacturers').values(manufacturer('before')).execute()
    expect(await all()).toHaveLength(1)
    await sql`create index manufacturers_by_city on manufacturers (city)`.execute(separateDb)
    expect(await all()).toHaveLength(1)
  })

  test('more distinct statements than the cache holds all work', async () => {
    for (let i = 0; i < 600; i++) {
      const { rows } = await sql<{ n: number }>`select ${sql.raw(String(i))} as n`.execute(db)
      expect(rows).toEqual([{ n: i }])
    }
    expect(engine).toMatch(/^(sqlite|postgres)$/)
  })
})
