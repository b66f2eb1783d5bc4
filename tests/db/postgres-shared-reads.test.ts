import { getPoolState, openDatabase, type Db } from '#db/engine/client.ts'
import { jobLimits, requestLimits } from '#db/engine/statement-limits.ts'
import { setFastPaths } from '#domain/fast-paths.ts'
import { toAppError } from '#server/errors.ts'
import { freshDatabase } from '#tests/support/databases.ts'
import '#tests/support/engines.ts'
import { wantsFastPaths } from '#tests/support/fast-paths.ts'
import { sql } from 'kysely'
import { beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'

// Only Postgres has connections to share. They are part of the fast paths.
beforeEach(() => {
  setFastPaths(true)
  return () => setFastPaths(wantsFastPaths)
})

/** A database as requests open it. */
async function openPostgres({ parameters = '', limits = requestLimits } = {}): Promise<Db> {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const db = openDatabase(url + parameters, () => {}, { limits })
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

/** On a busy machine, an answer can be slow. The next reads then have connections of their own. */
const patiently = { timeout: 60_000 }

async function whenFast(db: Db): Promise<void> {
  await expect.poll(async () => new Set(await findPids(db, 2)).size, patiently).toBe(1)
}

test('reads that start together share a connection, up to eight', async () => {
  const db = await openPostgres()
  await expect.poll(async () => new Set(await findPids(db, 8)).size, patiently).toBe(1)
  const countByEights = async () => {
    const pids = await findPids(db, 17)
    const eights = [0, 8, 16].map((from) => new Set(pids.slice(from, from + 8)).size)
    return { eights, all: new Set(pids).size }
  }
  await expect.poll(countByEights, patiently).toEqual({ eights: [1, 1, 1], all: 3 })
  expect(getPoolState(db)).toMatchObject({ busy: 0, waiting: 0 })
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
  expect(getPoolState(db)).toMatchObject({ busy: 0, waiting: 0 })
})

test('when a statement cannot be prepared, each read of its text fails for its own reason', async () => {
  const db = await openPostgres()
  const read = () => sql.table('nowhere')
  const reads = [0, 1, 2].map(() => db.selectFrom(read().as('nowhere')).selectAll().execute())
  const outcomes = await Promise.allSettled(reads)
  const undefinedTable = { status: 'rejected', reason: { code: '42P01' } }
  expect(outcomes).toMatchObject([undefinedTable, undefinedTable, undefinedTable])
})

test('a connection that breaks fails the reads that share it, and no later one', async () => {
  const db = await openPostgres()
  const breaking = db
    .selectNoFrom(sql`pg_terminate_backend(pg_backend_pid())`.as('is_ended'))
    .executeTakeFirst()
  const outcomes = await Promise.allSettled([breaking, findPid(db)])
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && toAppError(outcome.reason).code)).toEqual(
    ['UNAVAILABLE', 'UNAVAILABLE'],
  )
  await whenFast(db)
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

test('a read that starts while the database is closed is unavailable', async () => {
  const db = await openPostgres()
  const reading = findPid(db).catch(toAppError)
  await db.destroy()
  expect(await reading).toMatchObject({ code: 'UNAVAILABLE' })
})

/** Runs the read of so many seconds and a quick one at once. */
async function runBoth(db: Db, seconds: number): Promise<{ connections: number; first: string }> {
  const order: string[] = []
  const quick = db.selectNoFrom(sql<number>`pg_backend_pid()`.as('pid')).executeTakeFirstOrThrow()
  const pids = await Promise.all([
    findPid(db, seconds).finally(() => order.push('slow')),
    quick.then(({ pid }) => pid).finally(() => order.push('quick')),
  ])
  return { connections: new Set(pids).size, first: order[0] ?? '' }
}

test('a read has a connection of its own for a minute after a long answer', async () => {
  const db = await openPostgres()
  await whenFast(db)
  expect((await runBoth(db, 0.5)).connections).toBe(1)
  expect(await runBoth(db, 0.5)).toEqual({ connections: 2, first: 'quick' })
  expect((await runBoth(db, 0)).connections).toBe(2)
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000)
  await expect.poll(async () => (await runBoth(db, 0)).connections, { timeout: 60_000 }).toBe(1)
})

test('a read that was never fast has a connection of its own', async () => {
  const db = await openPostgres()
  await runBoth(db, 0.05)
  expect(await runBoth(db, 0.05)).toMatchObject({ connections: 2 })
  await expect.poll(async () => (await runBoth(db, 0)).connections, { timeout: 60_000 }).toBe(1)
})

test.each([
  { what: 'behind a pooler', options: { parameters: '?pooler=transaction' } },
  { what: 'where statements have no limit', options: { limits: jobLimits } },
])('$what, no connection is shared', async ({ options }) => {
  const db = await openPostgres(options)
  expect(new Set(await findPids(db, 3)).size).toBe(3)
})
