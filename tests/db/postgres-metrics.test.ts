import { getPoolState, openDatabase, type Db } from '#db/engine/client.ts'
import { getReplicaPoolState, getReplicaState, openReplica } from '#db/engine/replica.ts'
import { prometheusMetrics } from '#server/integrations/metrics/prometheus.ts'
import type { Metrics } from '#server/metrics.ts'
import { getShopGauges } from '#server/monitoring/get-shop-gauges.ts'
import { freshDatabase } from '#tests/support/databases.ts'
import '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'

/** The metrics of these pools, without what the database contains. */
const metricsOf = (primary: Db): Metrics =>
  prometheusMetrics({
    readShop: () => Promise.reject(new Error('This test has no shop.')),
    poolStates: () => ({ requests: getPoolState(primary), replica: getReplicaPoolState(primary) }),
    pressure: () => 0,
    replicaState: () => getReplicaState(primary),
  })

const seriesOf = async (metrics: Metrics, name: string): Promise<string[]> =>
  (await metrics.read()).split('\n').filter((line) => line.startsWith(name))

// Only Postgres has pools and replicas.
const waitLimit = { timeout: 60_000, interval: 20 }

test('connections are idle, busy or waited for, by pool', async () => {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const db = openDatabase(url, () => {}, { maxConnections: 2 })
  onTestFinished(async () => {
    await db.destroy()
    await remove()
  })
  const metrics = metricsOf(db)
  const statesAre = (idle: number, busy: number, waiting: number) =>
    vi.waitFor(
      async () =>
        expect(await seriesOf(metrics, 'meridian_database_connections')).toEqual([
          `meridian_database_connections{pool="requests",state="idle"} ${idle}`,
          `meridian_database_connections{pool="requests",state="busy"} ${busy}`,
          `meridian_database_connections{pool="requests",state="waiting"} ${waiting}`,
        ]),
      waitLimit,
    )
  await statesAre(0, 0, 0)
  const ends: (() => void)[] = []
  const hold = () => db.connection().execute(() => new Promise<void>((resolve) => ends.push(resolve)))
  const holding = [hold(), hold(), hold()]
  const areHeld = (count: number) => vi.waitFor(() => expect(ends).toHaveLength(count), waitLimit)
  await areHeld(2)
  await statesAre(0, 2, 1)
  ends[0]?.()
  await areHeld(3)
  await statesAre(0, 2, 0)
  for (const end of ends) end()
  await Promise.all(holding)
  await statesAre(2, 0, 0)
})

test('reading the shop for the metrics takes one connection', async () => {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const db = openDatabase(url, () => {})
  onTestFinished(async () => {
    await db.destroy()
    await remove()
  })
  const { queues } = await getShopGauges(db, { now: new Date(), version: 'test' })
  expect(queues.length).toBeGreaterThan(10)
  expect(getPoolState(db)).toEqual({ idle: 1, busy: 0, waiting: 0 })
})

/**
 * A database that acts as its own replica; a table holds its replay position. The functions of this
 * schema come before Postgres' own. A real one is in the fault `replica`.
 */
async function openStandIn(): Promise<{
  primary: Db
  url: string
  replayTo: (position: string | null) => Promise<unknown>
}> {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const admin = openDatabase(url, () => {})
  const statements = [
    `create schema stand_in`,
    `create table stand_in.replay (position pg_lsn)`,
    `insert into stand_in.replay values (null)`,
    `create function stand_in.pg_is_in_recovery() returns boolean language sql as 'select true'`,
    `create function stand_in.pg_last_wal_replay_lsn() returns pg_lsn language sql as
      'select coalesce(position, pg_current_wal_flush_lsn()) from stand_in.replay'`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(admin)
  await sql`alter database ${sql.ref(new URL(url).pathname.slice(1))}
    set search_path = stand_in, pg_catalog, public`.execute(admin)
  const primary = openDatabase(url, () => {})
  onTestFinished(async () => {
    await primary.destroy()
    await admin.destroy()
    await remove()
  })
  return {
    primary,
    url,
    replayTo: (position) => sql`update stand_in.replay set position = ${position}::pg_lsn`.execute(admin),
  }
}

test('the lag of a replica is a number, and it leaves use when it is late', async () => {
  const { primary, url, replayTo } = await openStandIn()
  const metrics = metricsOf(primary)
  const inUse = () => seriesOf(metrics, 'meridian_replica_in_use')
  const readLag = async () =>
    Number((await seriesOf(metrics, 'meridian_replica_lag_seconds '))[0]?.split(' ')[1])
  expect([...(await inUse()), ...(await seriesOf(metrics, 'meridian_replica_lag_seconds'))]).toEqual([])

  const replica = openReplica(url, primary, { onChange: () => {}, onIdleError: () => {} })
  onTestFinished(() => replica.close())
  await vi.waitFor(async () => expect(await inUse()).toEqual(['meridian_replica_in_use 1']), waitLimit)
  expect(await readLag()).toBeGreaterThanOrEqual(0)
  expect(await readLag()).toBeLessThan(5)
  expect(await seriesOf(metrics, 'meridian_database_connections{pool="replica"')).toContain(
    'meridian_database_connections{pool="replica",state="waiting"} 0',
  )

  const divided = sql`select 1 / 0`.execute(replica.reads)
  await expect(divided).rejects.toThrow('division by zero')
  expect(await seriesOf(metrics, 'meridian_replica_fallbacks_total')).toEqual([
    'meridian_replica_fallbacks_total 1',
  ])

  // It stops replaying, and six seconds pass.
  await replayTo('0/1')
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 6000)
  expect(await inUse()).toEqual(['meridian_replica_in_use 0'])
  expect(await readLag()).toBeGreaterThan(5)

  await replayTo(null)
  await vi.waitFor(async () => expect(await inUse()).toEqual(['meridian_replica_in_use 1']), waitLimit)
  expect(await readLag()).toBeLessThan(5)
  clock.mockRestore()

  await replica.close()
  expect(
    [...(await inUse()), ...(await seriesOf(metrics, 'meridian_replica_lag_seconds'))].filter(
      (line) => !line.startsWith('#'),
    ),
  ).toEqual([])
})

test('a replica whose connections are all busy stays in use, and what waits for one reads the primary', async () => {
  const { primary, url } = await openStandIn()
  const replica = openReplica(url, primary, { onChange: () => {}, onIdleError: () => {} })
  onTestFinished(() => replica.close())
  const inUse = () => replica.getState().problem === null
  await vi.waitFor(() => expect(inUse()).toBe(true), { timeout: 30_000, interval: 20 })
  const problems: unknown[] = []
  const watch = setInterval(() => problems.push(replica.getState().problem), 20)
  // The pool has ten connections, waits 1.5 s for one, and the lag is measured every second.
  await Promise.all(Array.from({ length: 11 }, () => sql`select pg_sleep(2)`.execute(replica.reads)))
  clearInterval(watch)
  expect(problems.length).toBeGreaterThan(50)
  expect(new Set(problems)).toEqual(new Set([null]))
  expect(replica.getState().fallbacks).toBe(1)
})
