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
  split: (variables: Record<string, string>) => Promise<void>
}> {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const db = openDatabase(url, () => {})
  onTestFinished(async () => {
    await db.destroy()
    await remove()
  })
  const runScript = async (name: string, variables: Record<string, string>): Promise<void> => {
    const set = Object.entries(variables).flatMap(([key, value]) => ['--set', `${key}=${value}`])
    // The months begin in the server's time zone.
    const env = { ...process.env, PGTZ: 'UTC' }
    await run('psql', ['--no-psqlrc', '-q', '-d', url, ...set, '-f', `deploy/sql/${name}.sql`], { env })
  }
  return {
    db,
    partition: (variables) => runScript('partition', variables),
    split: (variables) => runScript('split-first-partition', { pause: '0', ...variables }),
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

/** An order, or its event, at noon of a day. */
const idAt = (day: string): string =>
  `${Date.parse(`${day}T12:00:00Z`).toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')}-7000-8000-000000000000`

const addOrder = (db: Db, day: string) =>
  sql`insert into orders
      (id, checkout_id, payment_id, status, total_cents, has_rx, sealed_order, created_at, updated_at)
    values (${idAt(day)}, ${day}, ${day}, 'processing', 100, false, '', ${day}::date, ${day}::date)`.execute(
    db,
  )

const addEvent = (db: Db, { order, day = order }: { order: string; day?: string }) =>
  sql`insert into order_events (id, order_id, status, at)
    values (${idAt(day)}, ${idAt(order)}, 'shipped', ${day}::date)`.execute(db)

const addAudit = (db: Db, day: string) =>
  sql`insert into audit_log (id, subject_id, action, request_id, at)
    values (${idAt(day)}, 'customer', 'order.placed', 'test', ${day}::date)`.execute(db)

/** The rows of each partition, by the days that their ids begin with. */
const readDays = async (db: Db, table: string): Promise<Record<string, string[]>> => {
  const { rows } = await sql<{ partition: string; days: string[] }>`
    select tableoid::regclass::text as partition,
      array_agg(to_char(to_timestamp(('x' || lpad(replace(substr(id, 1, 13), '-', ''), 16, '0'))::bit(64)::bigint
        / 1000.0) at time zone 'UTC', 'YYYY-MM-DD') order by id) as days
    from ${sql.table(table)} group by 1 order by 1`.execute(db)
  return Object.fromEntries(rows.map(({ partition, days }) => [partition, days]))
}

const listIndexes = async (db: Db, table: string): Promise<string[]> =>
  (
    await sql<{ columns: string }>`
      select indisunique || substring(pg_get_indexdef(indexrelid) from ' USING .*$') as columns
      from pg_index where indrelid = ${table}::regclass order by 1`.execute(db)
  ).rows.map(({ columns }) => columns)

test('the first partition is split by months, with what the shop changed while it was copied', async () => {
  const { db, partition, split } = await openShop()
  for (const day of ['2026-01-31', '2026-02-01', '2026-03-15', '2026-03-16']) await addOrder(db, day)
  for (const order of ['2026-01-31', '2026-02-01', '2026-03-16']) await addEvent(db, { order })
  await partition({ table: 'orders', from: `${year}-01-01`, count: '1' })
  // Its foreign key to the orders can only be verified by its partitions.
  await partition({ table: 'order_events', from: `${year}-01-01`, count: '1' })
  const indexes = await listIndexes(db, 'orders_first')

  await split({ table: 'orders', batch: '1', only: 'copy' })
  await sql`update orders set version = 2 where id = ${idAt('2026-02-01')}`.execute(db)
  await sql`delete from orders where id = ${idAt('2026-03-15')}`.execute(db)
  await addOrder(db, '2026-04-01')
  expect(Object.keys(await readDays(db, 'orders'))).toEqual(['orders_first'])
  await split({ table: 'orders', batch: '1' })

  expect(await readDays(db, 'orders')).toEqual({
    orders_2026_01: ['2026-01-31'],
    orders_2026_02: ['2026-02-01'],
    orders_2026_03: ['2026-03-16'],
    orders_2026_04: ['2026-04-01'],
  })
  const { rows: versions } = await sql`select version from orders order by id`.execute(db)
  expect(versions).toEqual([1, 2, 1, 1].map((version) => ({ version })))
  // One order was placed three times, and one was deleted.
  const { rows: sums } = await sql`
    select sum(orders)::int as orders from (
      select orders from order_day_sums union all select orders from order_sum_changes
    ) as all_sums`.execute(db)
  expect(sums).toEqual([{ orders: 4 }])
  for (const name of ['orders_2026_01', 'orders_2026_04'])
    expect(await listIndexes(db, name)).toEqual(indexes)

  await expect(addEvent(db, { order: '2026-01-30' })).rejects.toThrow('order_events_order_id_fkey')
  const { rows: keys } = await sql`select conrelid::regclass::text as child from pg_constraint
    where confrelid = 'orders'::regclass and contype = 'f' and conparentid = 0 and convalidated
    order by 1`.execute(db)
  expect(keys.map((row) => (row as { child: string }).child)).toEqual([
    'label_choices',
    'line_reviews',
    'message_threads',
    'order_events',
    'order_notes',
    'orders_to_index',
    'refund_lines',
  ])
  await sql`delete from orders where id = ${idAt('2026-01-31')}`.execute(db)
  expect(await readDays(db, 'order_events')).toEqual({ order_events_first: ['2026-02-01', '2026-03-16'] })
  expect(await listPartitionEnds(db, new Date())).toContainEqual({
    table: 'orders',
    end: { at: new Date(`${year}-02-01T00:00:00Z`) },
  })
})

test('a split table keeps its guards, and gets the next partitions without its first one', async () => {
  const { db, partition, split } = await openShop()
  for (const day of ['2026-01-31', '2026-02-01']) await addAudit(db, day)
  for (const day of ['2026-01-31', '2026-02-01']) await addOrder(db, day)
  for (const table of ['orders', 'audit_log']) {
    await partition({ table, from: `${year}-01-01`, count: '1' })
    await split({ table })
    await sql`drop table ${sql.table(`${table}_unsplit`)}`.execute(db)
    await sql`alter table ${sql.table(table)} detach partition ${sql.table(`${table}_2026_01`)}`.execute(db)
    await partition({ table, from: `${year}-02-01`, count: '1' })
  }
  for (const name of ['audit_log_2026_02', `audit_log_${year}_02`])
    await expect(sql`delete from ${sql.table(name)}`.execute(db)).rejects.toThrow('append-only')
  expect(await listIndexes(db, `orders_${year}_02`)).toEqual(await listIndexes(db, 'orders_2026_02'))
})

test('a split that was given up leaves the table as it was', async () => {
  const { db, partition, split } = await openShop()
  for (const day of ['2026-01-31', '2026-02-01']) await addOrder(db, day)
  await partition({ table: 'orders', from: `${year}-01-01`, count: '1' })
  const listTables = async () =>
    (
      await sql<{ name: string }>`select relname as name from pg_class
        where relname like 'orders%' and relkind in ('r', 'p') union all
        select tgname from pg_trigger where tgname like 'note_split%' order by 1`.execute(db)
    ).rows
  const before = await listTables()
  await split({ table: 'orders', only: 'copy' })
  expect((await listTables()).length).toBeGreaterThan(before.length)
  const { rows } = await sql<{ bounds: string }>`select pg_get_constraintdef(oid) as bounds from pg_constraint
    where conname = 'orders_split_bounds' order by conrelid::regclass::text`.execute(db)
  const [first, second] = rows.map(({ bounds }) => bounds)
  expect(first).toMatch(/^CHECK \(\(id < '[^']+'::text\)\)$/)
  expect(second).toMatch(/^CHECK \(\(\(id >= '[^']+'::text\) AND \(id < '[^']+'::text\)\)\)$/)
  await split({ table: 'orders', abandon: '1' })
  expect(await listTables()).toEqual(before)
})

test('a split starts over when a deploy has changed the table since', async () => {
  const { db, partition, split } = await openShop()
  for (const day of ['2026-01-31', '2026-02-01']) await addOrder(db, day)
  await partition({ table: 'orders', from: `${year}-01-01`, count: '1' })
  await split({ table: 'orders', only: 'copy' })
  await sql`alter table orders add column gift text not null default 'none'`.execute(db)
  await split({ table: 'orders' })
  const { rows } = await sql`select gift from orders where tableoid = 'orders_2026_02'::regclass`.execute(db)
  expect(rows).toEqual([{ gift: 'none' }])
})

test('a table is split by one run at a time, and only once', async () => {
  const { db, partition, split } = await openShop()
  for (const day of ['2026-01-31', '2026-02-01', '2026-03-01']) await addAudit(db, day)
  await expect(split({ table: 'audit_log' })).rejects.toThrow('no first partition to split')
  await partition({ table: 'audit_log', from: `${year}-01-01`, count: '1' })
  const runs = await Promise.allSettled(
    [1, 2].map(() => split({ table: 'audit_log', batch: '1', pause: '1' })),
  )
  expect(runs.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(runs).toContainEqual({
    status: 'rejected',
    reason: expect.objectContaining({ message: expect.stringContaining('Another run is splitting') }),
  })
  // Another run only verifies the foreign keys again.
  await split({ table: 'audit_log' })
  expect(Object.keys(await readDays(db, 'audit_log'))).toEqual([
    'audit_log_2026_01',
    'audit_log_2026_02',
    'audit_log_2026_03',
  ])
})
