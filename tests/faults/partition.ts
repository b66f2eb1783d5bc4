import { batchCustomers } from '#domain/ledger/ledger.ts'
import type { RunningShop } from '#tests/support/start-shop.ts'
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { crashRepeatedly, type CrashRun } from './crash-repeatedly.ts'
import type { Fault, Journal } from './journal.ts'
import { withOwnPostgres } from './own-postgres.ts'
import { openSite } from './site.ts'

type Table = {
  table: string
  key: string
  /** Of partitions by number: how many numbers each has, and how far ahead the first one begins. */
  numbers?: { step: number; ahead: number }
  /** How long the shop then sells. */
  sellMs: number
}

/**
 * In the order that the script requires. The job that closes the ledger's batches runs every
 * minute, the one that chains the audit log every few seconds.
 */
const tables: readonly Table[] = [
  { table: 'orders', key: 'id', sellMs: 4000 },
  { table: 'order_events', key: 'id', sellMs: 4000 },
  { table: 'audit_log', key: 'id', sellMs: 4000 },
  { table: 'ledger_batches', key: 'id', sellMs: 65_000 },
  { table: 'ledger_rows', key: 'batch_id', sellMs: 65_000 },
  { table: 'audit_chain', key: 'seq', numbers: { step: 1_000_000, ahead: 200 }, sellMs: 20_000 },
]
export const partitionedTables = tables.length
/** The script must be done by then: from then on, rows go to the new partitions. */
const aheadMs = 8000
/** A ledger batch needs orders of this many customers; two spare, in case some are slow. */
const ledgerCustomers = batchCustomers + 2
/** An attempt that does not get its locks is repeated, with its own beginning. */
const attempts = 30
const pauseMs = 200
const script = 'deploy/sql/partition.sql'
const run = promisify(execFile)

/**
 * An operator partitions a table while the shop sells, and adds a partition: one table a trial. The
 * new partitions begin a few seconds later, so that the shop writes to old and new ones.
 */
export const partition: Fault = (_site, times) =>
  withOwnPostgres(null, async (postgres) => {
    const { url } = postgres
    const site = openSite('postgres', url)
    let next = 0
    const partitionNext = async (shop: RunningShop, { journal }: CrashRun): Promise<RunningShop> => {
      const table = tables[next++ % tables.length]
      if (!table) throw new Error('There is no table to partition.')
      await (table.numbers ? partitionByNumber(url, table, table.numbers) : partitionByMonth(url, table))
      await sleep(table.sellMs)
      await expectRows(url, table.table, journal)
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

const select = (url: string, statement: string): Promise<string> => psql(url, ['--command', statement])

/** By month, and a month more. Ends when the first new one begins. */
async function partitionByMonth(url: string, table: Table): Promise<void> {
  const from = await partitionTable(url, table, () => new Date(Date.now() + aheadMs).toISOString())
  const monthAfter = new Date(from)
  monthAfter.setUTCMonth(monthAfter.getUTCMonth() + 1)
  await partitionTable(url, table, () => monthAfter.toISOString())
  await sleep(Math.max(0, Date.parse(from) - Date.now()))
}

/** By ranges of numbers, and a range more. */
async function partitionByNumber(
  url: string,
  table: Table,
  { step, ahead }: NonNullable<Table['numbers']>,
): Promise<void> {
  const findFrom = (): Promise<string> =>
    select(url, `select coalesce(max(${table.key}), 0) + ${ahead} from ${table.table}`)
  const from = await partitionTable(url, table, findFrom)
  await partitionTable(url, table, () => String(Number(from) + step))
}

/** Runs the script until it gets its locks. Returns where the new partitions begin. */
async function partitionTable(
  url: string,
  { table, key, numbers }: Table,
  findFrom: () => string | Promise<string>,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const from = await findFrom()
    const variables = { table, key, from, count: '1', ...(numbers && { step: String(numbers.step) }) }
    const args = Object.entries(variables).flatMap(([name, value]) => ['--set', `${name}=${value}`])
    try {
      await psql(url, [...args, '--file', script])
      return from
    } catch (error) {
      if (attempt === attempts || !/lock timeout|could not obtain lock/.test(String(error))) throw error
      await sleep(pauseMs)
    }
  }
}

/** Both the old and the new partitions must have rows: otherwise this proved nothing. */
async function expectRows(url: string, table: string, journal: Journal): Promise<void> {
  const partitions = await select(
    url,
    `select string_agg(distinct tableoid::regclass::text, ' ' order by tableoid::regclass::text) from ${table}`,
  )
  const [first, ...later] = partitions.split(' ').toReversed()
  if (first !== `${table}_first` || later.length === 0)
    journal.findings.push(`${table} has rows in these partitions only: ${partitions}`)
}
