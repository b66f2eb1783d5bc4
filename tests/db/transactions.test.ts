import type { Db } from '#db/engine/client.ts'
import { pipeline } from '#db/engine/sql.ts'
import { newId } from '#domain/ids.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const now = new Date('2026-01-05T00:00:00Z')

const addCart = async (db: Db): Promise<string> => {
  const id = newId()
  await db.insertInto('carts').values({ id, tokenHash: id, createdAt: now, updatedAt: now }).execute()
  return id
}
const cartIds = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('carts').select('id').orderBy('id').execute()).map((row) => row.id)

const addProduct = async (db: Db): Promise<string> => {
  const id = newId()
  const row = { id, name: 'a', sortName: 'a', category: 'OTC' as const, createdAt: now, updatedAt: now }
  await db.insertInto('products').values(row).execute()
  return id
}

eachEngine((engine, openDb) => {
  test('a transaction that throws leaves nothing behind', async () => {
    const db = await openDb()
    await expect(
      db.transaction().execute(async (transaction) => {
        await addCart(transaction)
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(await cartIds(db)).toEqual([])
  })

  test('a statement that fails leaves the connection usable', async () => {
    const db = await openDb()
    const id = await addCart(db)
    const duplicate = { id, tokenHash: 'other', createdAt: now, updatedAt: now }
    await expect(db.insertInto('carts').values(duplicate).execute()).rejects.toThrow(/unique/i)
    await expect(
      db.transaction().execute((transaction) => transaction.insertInto('carts').values(duplicate).execute()),
    ).rejects.toThrow(/unique/i)
    const nextId = await addCart(db)
    expect(await cartIds(db)).toEqual([id, nextId])
  })

  test('a pipeline reports the statement that failed and stores none of them', async () => {
    const db = await openDb()
    const id = await addCart(db)
    const duplicate = { id: newId(), tokenHash: id, createdAt: now, updatedAt: now }
    const sent = db
      .transaction()
      .execute((transaction) =>
        pipeline(
          addCart(transaction),
          transaction.insertInto('carts').values(duplicate).execute(),
          addCart(transaction),
        ),
      )
    // Not the errors that Postgres reports for the statements after it.
    await expect(sent).rejects.toThrow(/unique/i)
    expect(await cartIds(db)).toEqual([id])
    const ids = await db
      .transaction()
      .execute((transaction) => pipeline(addCart(transaction), addCart(transaction), cartIds(transaction)))
    expect(ids[2]).toEqual([id, ids[0], ids[1]])
  })

  test('a failed commit leaves nothing behind and rejects every transaction that shared it', async () => {
    const db = await openDb()
    await sql`create table links (
      id integer primary key, other integer references links (id) deferrable initially deferred)`.execute(db)
    const failing = db
      .transaction()
      .execute((transaction) => sql`insert into links values (1, 99)`.execute(transaction))
    const throwing = db.transaction().execute(async (transaction) => {
      await addCart(transaction)
      throw new Error('rolled back')
    })
    const concurrent = db.transaction().execute(addCart)
    const [first, second, third] = await Promise.allSettled([failing, throwing, concurrent])
    const broken = { status: 'rejected', reason: { message: expect.stringMatching(/foreign key/i) } }
    expect(first).toMatchObject(broken)
    expect(second.status).toBe('rejected')
    // On SQLite, concurrent transactions share one COMMIT (docs/decisions/0016-group-commit.md).
    if (engine === 'sqlite') expect([second, third]).toMatchObject([broken, broken])
    expect(await cartIds(db)).toEqual(third.status === 'fulfilled' ? [third.value] : [])
    const id = await db.transaction().execute(addCart)
    expect(await cartIds(db)).toContain(id)
  })

  test('uncommitted rows are invisible to others, and reads do not wait for the commit', async () => {
    const db = await openDb()
    await db.transaction().execute(async (transaction) => {
      const id = await addCart(transaction)
      expect(await cartIds(transaction)).toEqual([id])
      expect(await cartIds(db)).toEqual([])
    })
    expect(await cartIds(db)).toHaveLength(1)
  })

  test('concurrent transactions on one row lose no update', async () => {
    const db = await openDb()
    const id = await addProduct(db)
    const sell = () =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('products')
          .set(({ eb }) => ({ unitsSold: eb('unitsSold', '+', 1) }))
          .where('id', '=', id)
          .execute()
        await transaction.selectFrom('products').select('unitsSold').where('id', '=', id).execute()
      })
    await Promise.all(Array.from({ length: 40 }, sell))
    const row = await db.selectFrom('products').select('unitsSold').where('id', '=', id).executeTakeFirst()
    expect(row?.unitsSold).toBe(40)
  })

  test('the database refuses rows that break a constraint', async () => {
    const db = await openDb()
    const cartId = await addCart(db)
    const line = { cartId, variantId: newId(), quantity: 1, priceCents: 100, createdAt: now }
    await expect(db.insertInto('cartLines').values(line).execute()).rejects.toThrow(/foreign key/i)
    const unbalanced = {
      id: newId(),
      productVariantId: newId(),
      transactionType: 'adjustment' as const,
      quantityChange: 1,
      quantityBefore: 1,
      quantityAfter: 3,
      notes: null,
      createdAt: now,
    }
    await expect(db.insertInto('inventoryTransactions').values(unbalanced).execute()).rejects.toThrow(
      /add_up/,
    )
  })
})
