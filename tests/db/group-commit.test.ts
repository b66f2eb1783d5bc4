import type { Db } from '#db/engine/client.ts'
import { newId } from '#domain/ids.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
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

const isKept = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('carts').select('id').where('id', '=', id).execute()).length === 1

eachEngine((engine, _openDb, openWithUrl) => {
  test('what is acknowledged can be read by another process at that moment, in a transaction or bare', async () => {
    const { db, openAgain } = await openWithUrl()
    const other = openAgain()
    const kept = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const id = await (i % 3 === 0 ? addCart(db) : db.transaction().execute((tx) => addCart(tx)))
        return isKept(other, id)
      }),
    )
    expect(kept).toEqual(Array.from({ length: 40 }, () => true))
  })

  test('those that roll back, throw or break a rule take nothing of the others with them', async () => {
    const { db } = await openWithUrl()
    const taken = await addCart(db)
    const ids = Array.from({ length: 40 }, () => newId())
    const results = await Promise.allSettled(
      ids.map((id, i) => {
        if (i % 4 === 0) return addCart(db, id)
        // Bare, and of a name that is taken.
        if (i % 4 === 1) return addCart(db, taken)
        return db.transaction().execute(async (tx) => {
          await addCart(tx, id)
          // Others commit meanwhile, and must not take half of this with them.
          await sleep(1)
          if (i % 4 === 2) throw new Error('changed my mind')
        })
      }),
    )
    expect(results.map(({ status }) => status)).toEqual(
      ids.map((_, i) => (i % 4 === 1 || i % 4 === 2 ? 'rejected' : 'fulfilled')),
    )
    expect(await cartIds(db)).toEqual([taken, ...ids.filter((_, i) => i % 4 === 0 || i % 4 === 3)].toSorted())
  })

  test('a savepoint that is undone leaves the transaction of which it is a part usable', async () => {
    const { db } = await openWithUrl()
    await Promise.all(
      Array.from({ length: 5 }, () =>
        db.transaction().execute(async (tx) => {
          await sql`savepoint mine`.execute(tx)
          await addCart(tx)
          await sql`rollback to mine`.execute(tx)
          await addCart(tx)
        }),
      ),
    )
    expect(await cartIds(db)).toHaveLength(5)
  })

  test('nothing that was acknowledged is lost when the process is killed', { timeout: 60_000 }, async () => {
    const { db, url } = await openWithUrl()
    const acknowledged: string[] = []
    for (let round = 0; round < 4; round++) {
      const child = spawn(
        process.execPath,
        ['--import', import.meta.resolve('tsx'), resolve('tests/db/keep-writing.ts'), url],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      const closed = once(child, 'close')
      const lines = createInterface({ input: child.stdout })
      let heard = 0
      lines.on('line', (id) => {
        acknowledged.push(id)
        if (heard++ === 0) void sleep(20 + 60 * round).then(() => child.kill('SIGKILL'))
      })
      const read = once(lines, 'close')
      expect(await closed).toEqual([null, 'SIGKILL'])
      await read
    }
    expect(acknowledged.length).toBeGreaterThan(50)
    const kept = new Set(await cartIds(db))
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
  })

  if (engine === 'postgres') return

  test('transactions run in the order in which they were asked for, those without one among them', async () => {
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
    const begun = order.filter((i) => i % 3 !== 0)
    expect(begun).toEqual(begun.toSorted((a, b) => a - b))
    expect(order).toHaveLength(30)
  })

  test('a steady stream of transactions delays no acknowledgement', async () => {
    const { db } = await openWithUrl()
    const over = new AbortController()
    let others = 0
    const streams = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) {
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
    over.abort()
    // Each of the others is once ahead of it, once in its own group and once more at most.
    expect(others - before).toBeLessThanOrEqual(24)
    await Promise.all(streams)
  })

  test('on a full disk everybody is told the truth, and writing goes on when there is room', async () => {
    const { db } = await openWithUrl()
    const limit = (pages: number) =>
      db.transaction().execute((tx) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(tx))
    await sql`create table fillings (id text primary key, text text not null)`.execute(db)
    const cart = await addCart(db)
    const { rows } = await sql<{ pageCount: number }>`select page_count from pragma_page_count`.execute(db)
    await limit((rows[0]?.pageCount ?? 0) + 60)

    const told = { kept: [] as string[], failed: [] as unknown[] }
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
          told.kept.push(id)
        } catch (error) {
          told.failed.push(error)
        }
      }),
    )
    expect(told.failed.length).toBeGreaterThan(10)
    for (const error of told.failed) expect(error).toMatchObject({ code: 'SQLITE_FULL' })
    const kept = await sql<{ id: string }>`select id from fillings`.execute(db)
    expect(kept.rows.map(({ id }) => id.slice(0, 36)).filter((id) => !told.kept.includes(id))).toEqual([])
    const there = new Set(kept.rows.map(({ id }) => id))
    expect(told.kept.filter((id) => !there.has(id))).toEqual([])

    // A use case that goes on would else write outside of any transaction, where there is room for this.
    const goingOn = db.transaction().execute(async (tx) => {
      await fill(tx, 'too much', 1_000_000).catch((error: unknown) => told.failed.push(error))
      await sql`update carts set token_hash = 'alone'`.execute(tx)
    })
    await expect(goingOn).rejects.toMatchObject({ code: 'SQLITE_FULL' })
    expect(await db.selectFrom('carts').select('tokenHash').execute()).toEqual([{ tokenHash: cart }])

    await limit(1_000_000)
    await db.transaction().execute((tx) => fill(tx, 'afterwards'))
    expect((await sql`select id from fillings where id = ${'afterwards'}`.execute(db)).rows).toHaveLength(1)
  })
})
