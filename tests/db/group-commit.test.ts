import type { Db } from '#db/engine/client.ts'
import { newId } from '#domain/ids.ts'
import { startCommand } from '#tests/support/commands.ts'
import { eachEngine, onEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'

const now = new Date('2026-01-05T00:00:00Z')

const addCart = async (db: Db, id = newId()): Promise<string> => {
  await db.insertInto('carts').values({ id, tokenHash: id, createdAt: now, updatedAt: now }).execute()
  return id
}
const cartIds = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('carts').select('id').orderBy('id').execute()).map((row) => row.id)

const hasCart = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('carts').select('id').where('id', '=', id).execute()).length === 1

eachEngine((_engine, _openDb, openWithUrl) => {
  test('another connection reads a row as soon as its write is acknowledged, with or without a transaction', async () => {
    const { db, openAgain } = await openWithUrl()
    const secondConnection = openAgain()
    const found = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const id = await (i % 3 === 0 ? addCart(db) : db.transaction().execute((tx) => addCart(tx)))
        return hasCart(secondConnection, id)
      }),
    )
    expect(found).toEqual(Array.from({ length: 40 }, () => true))
  })

  test('a failed member does not roll back the rest of the group', async () => {
    const { db } = await openWithUrl()
    const existing = await addCart(db)
    const ids = Array.from({ length: 40 }, () => newId())
    const results = await Promise.allSettled(
      ids.map((id, i) => {
        if (i % 4 === 0) return addCart(db, id)
        // Without a transaction, and with an id that exists.
        if (i % 4 === 1) return addCart(db, existing)
        return db.transaction().execute(async (tx) => {
          await addCart(tx, id)
          // Other members commit here. They must not commit half of this transaction.
          await sleep(1)
          if (i % 4 === 2) throw new Error('rolled back')
        })
      }),
    )
    expect(results.map(({ status }) => status)).toEqual(
      ids.map((_, i) => (i % 4 === 1 || i % 4 === 2 ? 'rejected' : 'fulfilled')),
    )
    expect(await cartIds(db)).toEqual(
      [existing, ...ids.filter((_, i) => i % 4 === 0 || i % 4 === 3)].toSorted(),
    )
  })

  test('a transaction continues after it rolls back to a savepoint', async () => {
    const { db } = await openWithUrl()
    await Promise.all(
      Array.from({ length: 5 }, () =>
        db.transaction().execute(async (tx) => {
          await sql`savepoint inner_step`.execute(tx)
          await addCart(tx)
          await sql`rollback to inner_step`.execute(tx)
          await addCart(tx)
        }),
      ),
    )
    expect(await cartIds(db)).toHaveLength(5)
  })

  test('acknowledged writes survive when the process is killed', { timeout: 60_000 }, async () => {
    const { db, url } = await openWithUrl()
    const acknowledged: string[] = []
    for (let round = 0; round < 4; round++) {
      const { child, ended } = startCommand('keep-writing', { env: { DATABASE_URL: url } })
      const lines = createInterface({ input: child.stdout })
      let received = 0
      lines.on('line', (id) => {
        acknowledged.push(id)
        if (++received === 10 + 40 * round) child.kill('SIGKILL')
      })
      const read = once(lines, 'close')
      expect(await ended).toMatchObject({ signal: 'SIGKILL', err: '' })
      await read
    }
    expect(acknowledged.length).toBeGreaterThan(50)
    const stored = new Set(await cartIds(db))
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
  })
})

// SQLite alone has one writer, whose queue and disk these are about.
onEngine('sqlite', (_openDb, openWithUrl) => {
  test('transactions and single statements run in the order in which they were requested', async () => {
    const { db } = await openWithUrl()
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 30 }, async (_, i) => {
        if (i % 3 === 0) await addCart(db)
        else
          await db.transaction().execute(async (tx) => {
            order.push(i)
            await addCart(tx)
            if (i % 5 === 0) await sleep(2)
          })
        if (i % 3 === 0) order.push(i)
      }),
    )
    const started = order.filter((i) => i % 3 !== 0)
    expect(started).toEqual(started.toSorted((a, b) => a - b))
    expect(order).toHaveLength(30)
  })

  test('a steady stream of transactions delays no acknowledgement', async () => {
    const { db } = await openWithUrl()
    const stop = new AbortController()
    let others = 0
    const streams = Array.from({ length: 8 }, async () => {
      while (!stop.signal.aborted) {
        await db.transaction().execute(async (tx) => {
          await addCart(tx)
          await sleep(1)
        })
        others++
      }
    })
    await addCart(db)
    const before = others
    await addCart(db)
    stop.abort()
    // Each of the others commits at most three times: before it, in its group and once more.
    expect(others - before).toBeLessThanOrEqual(24)
    await Promise.all(streams)
  })

  test('on a full disk each caller gets its own result, and writes continue when there is room', async () => {
    const { db } = await openWithUrl()
    const limit = (pages: number) =>
      db.transaction().execute((tx) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(tx))
    await sql`create table fillings (id text primary key, text text not null)`.execute(db)
    const cart = await addCart(db)
    const { rows } = await sql<{ pageCount: number }>`select page_count from pragma_page_count`.execute(db)
    await limit((rows[0]?.pageCount ?? 0) + 60)

    const results = { succeeded: [] as string[], failed: [] as unknown[] }
    const fill = async (db: Db, id: string, letters = 9000): Promise<void> =>
      void (await sql`insert into fillings values (${id}, ${'x'.repeat(letters)})`.execute(db))
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const id = newId()
        try {
          if (i % 3 === 0) await fill(db, id)
          else
            await db.transaction().execute(async (tx) => {
              await fill(tx, id)
              if (i % 3 === 2) await fill(tx, `${id} again`)
            })
          results.succeeded.push(id)
        } catch (error) {
          results.failed.push(error)
        }
      }),
    )
    expect(results.failed.length).toBeGreaterThan(10)
    for (const error of results.failed) expect(error).toMatchObject({ code: 'SQLITE_FULL' })
    const stored = await sql<{ id: string }>`select id from fillings`.execute(db)
    expect(
      stored.rows.map(({ id }) => id.slice(0, 36)).filter((id) => !results.succeeded.includes(id)),
    ).toEqual([])
    const storedIds = new Set(stored.rows.map(({ id }) => id))
    expect(results.succeeded.filter((id) => !storedIds.has(id))).toEqual([])

    // A use case that continues after the error must not write outside the transaction, where this
    // small update would fit.
    const continued = db.transaction().execute(async (tx) => {
      await fill(tx, 'too much', 1_000_000).catch((error: unknown) => results.failed.push(error))
      await sql`update carts set token_hash = 'alone'`.execute(tx)
    })
    await expect(continued).rejects.toMatchObject({ code: 'SQLITE_FULL' })
    expect(await db.selectFrom('carts').select('tokenHash').execute()).toEqual([{ tokenHash: cart }])

    await limit(1_000_000)
    await db.transaction().execute((tx) => fill(tx, 'afterwards'))
    expect((await sql`select id from fillings where id = ${'afterwards'}`.execute(db)).rows).toHaveLength(1)
  })
})
