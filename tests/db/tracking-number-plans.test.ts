import { Database } from '#db/engine/better-sqlite3.ts'
import type { Db, Engine } from '#db/engine/client.ts'
import { listAdminOrderRows } from '#db/orders/admin-orders.ts'
import { orderQuerySchema } from '#domain/orders/admin-orders.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { explainPostgres } from '#tests/support/explain.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'

async function placeTracked(db: Db): Promise<string> {
  const { id } = await placeOrder(db, await makeUser(db))
  await db.updateTable('orders').set({ trackingNumber: '1Z 999 AA1' }).execute()
  return id
}

const search = async (db: Db): Promise<string[]> => {
  const query = orderQuerySchema.parse({ q: '1z999aa1' })
  return (await listAdminOrderRows(db, query, [])).rows.map(({ id }) => id)
}

/** How each engine finds the orders of `search`. */
const readPlan = {
  sqlite: async (db) => {
    const spy = vi.spyOn(Database.prototype, 'prepare')
    await search(db)
    const texts = spy.mock.calls.map(([text]) => text).filter((text) => text.includes('tracking_number'))
    spy.mockRestore()
    const { rows } = await sql.raw(`explain query plan ${texts[0]?.replaceAll('?', 'null')}`).execute(db)
    return JSON.stringify(rows)
  },
  postgres: async (db) => {
    // The first call compiles the prepared statements.
    await search(db)
    return db.transaction().execute(async (tx) => {
      // One row is cheaper to read than an index.
      await sql`set local enable_seqscan = off`.execute(tx)
      return (await explainPostgres(tx, search)).join()
    })
  },
} satisfies Record<Engine, (db: Db) => Promise<string>>

eachEngine((engine, openDb) => {
  test('an order is found by the index of tracking numbers', async () => {
    const db = await openDb()
    const id = await placeTracked(db)
    // First: later, SQLite's statement is prepared already.
    const plan = await readPlan[engine](db)
    expect(await search(db)).toEqual([id])
    expect(plan).toMatch(/ (INDEX|using) orders_by_tracking_number/)
  })
})
