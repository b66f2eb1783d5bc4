import { batchCustomers } from '#domain/ledger/ledger.ts'
import type { RunningShop } from '#tests/support/start-shop.ts'
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { crashRepeatedly, type CrashRun } from './crash-repeatedly.ts'
import type { Fault, Journal } from './journal.ts'
import { withOwnPostgres } from './own-postgres.ts'
import { openSite } from './site.ts'

/**
 * In the order that the script requires: each with its key, and how long the shop then sells. The
 * job that closes the ledger's batches runs every minute.
 */
const tables = [
  ['orders', 'id', 4000],
  ['order_events', 'id', 4000],
  ['audit_log', 'id', 4000],
  ['ledger_batches', 'id', 65_000],
  ['ledger_rows', 'batch_id', 65_000],
] as const
export const partitionedTables = tables.length
/** The script must be done by then: from then on, rows go to the new partitions. */
const aheadMs = 8000
/** A ledger batch needs orders of this many customers; two spare, in case some are slow. */
const ledgerCustomers = batchCustomers + 2
/** An attempt that does not get its locks is repeated, with its own beginning. */
const attempts = 30
const pauseMs = 200
const script = 'deploy/sql/partition-by-month.sql'
const run = promisify(execFile)

type Table = { table: string; key: string }

/**
 * An operator partitions a table by month while the shop sells, and adds a month: one table a
 * trial. The new partitions begin a few seconds later, so that the shop writes to old and new ones.
 */
export const partition: Fault = (_site, times) =>
  withOwnPostgres(null, async (postgres) => {
    const site = openSite('postgres', postgres.url)
    let next = 0
    const partitionNext = async (shop: RunningShop, { journal }: CrashRun): Promise<RunningShop> => {
      const [table, key, sellMs] = tables[next++ % tables.length] ?? tables[0]
      const from = await partitionTable(postgres.url, { table, key }, () => new Date(Date.now() + aheadMs))
      await partitionTable(postgres.url, { table, key }, () => monthAfter(from))
      await sleep(Math.max(0, from - Date.now()) + sellMs)
      await expectRows(postgres.url, table, journal)
      return { ...shop, readyMs: 0 }
    }
    try {
      return await crashRepeatedly(site, times, partitionNext, { customers: ledgerCustomers })
    } finally {
      await site.close()
    }
  })

const psql = async (url: string, args: readonly string[]): Promise<string> =>
  (await run('psql', ['--no-psqlrc', '--quiet', '--tuples-only', '--dbname', url, ...args])).stdout.trim()

/** Runs the script until it gets its locks. */
async function partitionTable(url: string, { table, key }: Table, findFrom: () => Date): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const from = findFrom()
    const variables = { table, key, from: from.toISOString(), months: '1' }
    const args = Object.entries(variables).flatMap(([name, value]) => ['--set', `${name}=${value}`])
    try {
      await psql(url, [...args, '--file', script])
      return from.getTime()
    } catch (error) {
      if (attempt === attempts || !/lock timeout|could not obtain lock/.test(String(error))) throw error
      await sleep(pauseMs)
    }
  }
}

function monthAfter(time: number): Date {
  const date = new Date(time)
  date.setUTCMonth(date.getUTCMonth() + 1)
  return date
}

/** Both the old and the new partitions must have rows: otherwise this proved nothing. */
async function expectRows(url: string, table: string, journal: Journal): Promise<void> {
  const partitions = await psql(url, [
    '--command',
    `select string_agg(distinct tableoid::regclass::text, ' ' order by tableoid::regclass::text) from ${table}`,
  ])
  const [first, ...later] = partitions.split(' ').toReversed()
  if (first !== `${table}_first` || later.length === 0)
    journal.findings.push(`${table} has rows in these partitions only: ${partitions}`)
}
