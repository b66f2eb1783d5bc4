import { openDatabase, type Db } from '#db/engine/client.ts'
import { listPartitionEnds } from '#db/monitoring/partitions.ts'
import { prometheusMetrics } from '#server/integrations/metrics/prometheus.ts'
import { getShopGauges } from '#server/monitoring/get-shop-gauges.ts'
import { freshDatabase } from '#tests/support/databases.ts'
import '#tests/support/engines.ts'
import { sql } from 'kysely'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'

const run = promisify(execFile)

/** A shop on Postgres, and the operator's script for it. */
async function openShop(): Promise<{
  db: Db
  partition: (variables: Record<string, string>) => Promise<void>
}> {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const db = openDatabase(url, () => {})
  onTestFinished(async () => {
    await db.destroy()
    await remove()
  })
  return {
    db,
    partition: async (variables) => {
      const set = Object.entries(variables).flatMap(([name, value]) => ['--set', `${name}=${value}`])
      // The months begin in the server's time zone.
      const env = { ...process.env, PGTZ: 'UTC' }
      await run('psql', ['--no-psqlrc', '-q', '-d', url, ...set, '-f', 'deploy/sql/partition.sql'], { env })
    },
  }
}

const readPartitions = async (db: Db, now: Date): Promise<string[]> => {
  const metrics = prometheusMetrics({
    readShop: () => getShopGauges(db, { now, version: 'test' }),
    poolStates: () => ({}),
    pressure: () => 0,
  })
  return (await metrics.read()).split('\n').filter((line) => line.startsWith('meridian_partition_'))
}

const year = new Date().getUTCFullYear() + 1
const seconds = (month: string): number => Date.parse(`${month}-01T00:00:00Z`) / 1000

/** The first UUIDv7 of a day. */
const firstIdOf = (day: string): string =>
  Date.parse(`${day}T00:00:00Z`).toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')

// SQLite has no partitions.
test('the metrics have the end of the newest partition of each table, and none before the first', async () => {
  const { db, partition } = await openShop()
  expect(await readPartitions(db, new Date())).toEqual([])

  await partition({ table: 'orders', from: `${year}-01-01`, count: '2' })
  await partition({ table: 'audit_chain', key: 'seq', from: '1000', step: '500', count: '2' })
  expect(await readPartitions(db, new Date())).toEqual([
    `meridian_partition_end_timestamp_seconds{table="orders"} ${seconds(`${year}-03`)}`,
    'meridian_partition_numbers_left{table="audit_chain"} 1999',
  ])

  // The operator adds the next ones.
  await partition({ table: 'orders', from: `${year}-03-01`, count: '12' })
  await sql`insert into audit_chain (seq, audit_id, hash) values (1200, 'entry', 'hash')`.execute(db)
  expect(await readPartitions(db, new Date())).toEqual([
    `meridian_partition_end_timestamp_seconds{table="orders"} ${seconds(`${year + 1}-03`)}`,
    'meridian_partition_numbers_left{table="audit_chain"} 799',
  ])
})

test('the partitions end where a month is missing, until that month is over', async () => {
  const { db, partition } = await openShop()
  await partition({ table: 'order_events', from: `${year}-01-01`, count: '2' })
  await partition({ table: 'order_events', from: `${year}-04-01`, count: '2' })
  const endAt = async (month: string): Promise<unknown> =>
    (await listPartitionEnds(db, new Date(`${month}-15T00:00:00Z`))).map(({ table, end }) => ({
      table,
      ...end,
    }))
  const end = (month: string) => [{ table: 'order_events', at: new Date(`${month}-01T00:00:00Z`) }]
  expect(await endAt(`${year}-02`)).toEqual(end(`${year}-03`))
  expect(await endAt(`${year}-04`)).toEqual(end(`${year}-06`))
  // Rows are refused already.
  expect(await endAt(`${year}-07`)).toEqual(end(`${year}-06`))
})

test('partitions that have ended are continued from their end in the past, and a first one is refused there', async () => {
  const { db, partition } = await openShop()
  const past = `${year - 2}-01-01`
  await expect(partition({ table: 'order_events', from: past, count: '1' })).rejects.toThrow(
    'must be beyond every row',
  )
  // A shop that was partitioned years ago.
  await partition({ table: 'order_events', from: `${year}-01-01`, count: '1' })
  await sql`drop table ${sql.table(`order_events_${year}_01`)}`.execute(db)
  await sql`alter table order_events detach partition order_events_first`.execute(db)
  await sql`alter table order_events attach partition order_events_first
    for values from (minvalue) to (${sql.raw(`'${firstIdOf(past)}'`)})`.execute(db)
  await partition({ table: 'order_events', from: past, count: '60' })
  expect(await listPartitionEnds(db, new Date())).toMatchObject([
    { table: 'order_events', end: { at: new Date(`${year + 3}-01-01T00:00:00Z`) } },
  ])
})

test('partitions that take every row have no end, and those of other keys are not read', async () => {
  const { db, partition } = await openShop()
  await partition({ table: 'order_events', from: `${year}-01-01`, count: '1' })
  await partition({ table: 'audit_chain', key: 'seq', from: '1000', step: '500', count: '1' })
  await sql`create table order_events_rest partition of order_events default`.execute(db)
  await sql`create table audit_chain_rest partition of audit_chain for values from (1500) to (maxvalue)`.execute(
    db,
  )
  await sql`create table own_notes (at timestamptz) partition by range (at)`.execute(db)
  await sql`create table own_notes_1 partition of own_notes for values from (minvalue) to ('2027-01-01')`.execute(
    db,
  )
  expect(await listPartitionEnds(db, new Date())).toEqual([])
})
