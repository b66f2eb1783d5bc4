import { getPoolState, openDatabase, type Db } from '#db/engine/client.ts'
import { setFastPaths } from '#domain/fast-paths.ts'
import { toAppError } from '#server/errors.ts'
import { openTestDatabase, freshDatabase } from '#tests/support/databases.ts'
import '#tests/support/engines.ts'
import { wantsFastPaths } from '#tests/support/fast-paths.ts'
import { sql } from 'kysely'
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest'

// Only Postgres has connections to share. They are part of the fast paths.
beforeEach(() => {
  setFastPaths(true)
  return () => setFastPaths(wantsFastPaths)
})

async function openPostgres(options: { parameters?: string; onIdleError?: () => void } = {}): Promise<Db> {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const { parameters = '', onIdleError } = options
  const db = onIdleError ? openDatabase(url, onIdleError) : openTestDatabase(url + parameters)
  onTestFinished(async () => {
    await db.destroy()
    await remove()
  })
  return db
}

/** The server's process of the connection on which the read ran. */
async function findPid(db: Db, seconds = 0): Promise<number> {
  const { pid } = await db
    .selectNoFrom([
      sql<number>`pg_backend_pid()`.as('pid'),
      sql`pg_sleep(${seconds}::double precision)`.as('slept'),
    ])
    .executeTakeFirstOrThrow()
  return pid
}
const findPids = (db: Db, count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => findPid(db)))

test('reads that start together share a connection, up to eight', async () => {
  const db = await openPostgres()
  const eight = await findPids(db, 8)
  expect(new Set(eight).size).toBe(1)
  const many = await findPids(db, 17)
  expect([0, 8, 16].map((from) => new Set(many.slice(from, from + 8)).size)).toEqual([1, 1, 1])
  expect(new Set(many).size).toBe(3)
  expect(getPoolState(db)).toEqual({ idle: 3, busy: 0, waiting: 0 })
})

test('reads that share a connection each get their own rows and errors', async () => {
  const db = await openPostgres()
  const read = (divisor: number) =>
    db
      .selectNoFrom([
        sql<number>`12 / ${divisor}::int`.as('quotient'),
        sql<number>`pg_backend_pid()`.as('pid'),
      ])
      .executeTakeFirstOrThrow()
  const [three, none, four] = await Promise.allSettled([read(4), read(0), read(3)])
  expect(three).toMatchObject({ value: { quotient: 3 } })
  expect(none).toMatchObject({ reason: { message: 'division by zero' } })
  expect(four).toMatchObject({ value: { quotient: 4 } })
  expect((await read(1)).quotient).toBe(12)
  expect(getPoolState(db)).toEqual({ idle: 1, busy: 0, waiting: 0 })
})

test('a connection that breaks fails the reads that share it, and no later one', async () => {
  const db = await openPostgres({ onIdleError: () => {} })
  const breaking = db
    .selectNoFrom(sql`pg_terminate_backend(pg_backend_pid())`.as('is_ended'))
    .executeTakeFirst()
  const outcomes = await Promise.allSettled([breaking, findPid(db)])
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && toAppError(outcome.reason).code)).toEqual(
    ['UNAVAILABLE', 'UNAVAILABLE'],
  )
  expect(new Set(await findPids(db, 2)).size).toBe(1)
})

test('locks, writes and transactions have connections of their own', async () => {
  const db = await openPostgres()
  await sql`create table pids (pid integer)`.execute(db)
  const inTransaction = db.transaction().execute((tx) => findPids(tx, 2))
  const [shared, own, transaction] = await Promise.all([
    findPids(db, 2),
    Promise.all([
      db
        .selectNoFrom(sql<number>`pg_backend_pid()`.as('pid'))
        .forShare()
        .executeTakeFirstOrThrow(),
      sql<{ pid: number }>`insert into pids values (pg_backend_pid()) returning pid`
        .execute(db)
        .then(({ rows }) => rows[0]),
    ]),
    inTransaction,
  ])
  expect(new Set(shared).size).toBe(1)
  expect(new Set(transaction).size).toBe(1)
  expect(new Set([shared[0], transaction[0], ...own.map((row) => row?.pid)]).size).toBe(4)
})

test('a slow read has a connection of its own until it is fast again', async () => {
  const db = await openPostgres()
  const order: string[] = []
  const quick = db.selectNoFrom(sql<number>`pg_backend_pid()`.as('pid'))
  const countConnections = async (seconds: number): Promise<number> => {
    order.length = 0
    const pids = await Promise.all([
      findPid(db, seconds).finally(() => order.push('slow')),
      quick
        .executeTakeFirstOrThrow()
        .then(({ pid }) => pid)
        .finally(() => order.push('quick')),
    ])
    return new Set(pids).size
  }
  expect(await countConnections(0.3)).toBe(1)
  expect(order).toEqual(['slow', 'quick'])
  expect(await countConnections(0.3)).toBe(2)
  expect(order).toEqual(['quick', 'slow'])
  expect(await countConnections(0)).toBe(2)
  await expect.poll(() => countConnections(0), { timeout: 60_000 }).toBe(1)
})

test('behind a pooler, no connection is shared', async () => {
  const db = await openPostgres({ parameters: '?pooler=transaction' })
  expect(new Set(await findPids(db, 3)).size).toBe(3)
})
