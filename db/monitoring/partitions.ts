import { sql } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'

/**
 * Where the partitions of a table end (deploy/sql/partition.sql). Postgres refuses a row beyond.
 * Partitions by id end at a time, because ids begin with theirs. Partitions by number end after as
 * many more rows.
 */
export type PartitionEnd = { table: string; end: { at: Date } | { numbersLeft: number } }

type PartitionedTable = { table: string; key: string; bounds: string[] }
/** `from` is null without a lower bound. */
type Range = { from: string | null; to: string }

const rangePattern = /^FOR VALUES FROM \((?:MINVALUE|'([^']+)')\) TO \('([^']+)'\)$/
/** The milliseconds that a UUIDv7 begins with. */
const idPattern = /^([0-9a-f]{8})-([0-9a-f]{4})/
const numberPattern = /^\d+$/

/**
 * The tables whose partitions end. None on SQLite, and none before the first is partitioned. One
 * that an operator partitioned by something else is left out: an error here would look like a
 * database that is down.
 */
export async function listPartitionEnds(db: Db, now: Date): Promise<PartitionEnd[]> {
  if (getEngine(db) !== 'postgres') return []
  const ends: PartitionEnd[] = []
  for (const { table, key, bounds } of await listPartitionedTables(db)) {
    const ranges = bounds.map(parseRange)
    // One without an upper bound takes every row.
    if (!ranges.every((range) => range !== null)) continue
    if (ranges.every(({ to }) => idPattern.test(to))) {
      ends.push({ table, end: { at: new Date(findEnd(ranges, now.getTime())) } })
    } else if (ranges.every(({ to }) => numberPattern.test(to))) {
      const last = await findLastNumber(db, table, key)
      ends.push({ table, end: { numbersLeft: findEnd(ranges, last) - 1 - last } })
    }
  }
  return ends
}

/**
 * Lists the tables that are partitioned by ranges of one column, without a default partition, which
 * would take every row.
 */
async function listPartitionedTables(db: Db): Promise<PartitionedTable[]> {
  const { rows } = await sql<PartitionedTable>`
    select parent.relname::text as "table", keys.attname::text as key,
      array_agg(pg_get_expr(child.relpartbound, child.oid)) as bounds
    from pg_partitioned_table partitioned
    join pg_class parent on parent.oid = partitioned.partrelid
    join pg_namespace own on own.oid = parent.relnamespace and own.nspname = current_schema()
    join pg_attribute keys on keys.attrelid = parent.oid and keys.attnum = partitioned.partattrs[0]
    join pg_inherits children on children.inhparent = parent.oid
    join pg_class child on child.oid = children.inhrelid
    where partitioned.partstrat = 'r' and partitioned.partnatts = 1 and partitioned.partdefid = 0
    group by 1, 2 order by 1`.execute(db)
  return rows
}

function parseRange(bound: string): Range | null {
  const [, from = null, to] = rangePattern.exec(bound) ?? []
  return to === undefined ? null : { from, to }
}

function toPosition(bound: string): number {
  const [, high = '', low = ''] = idPattern.exec(bound) ?? []
  return high === '' ? Number(bound) : parseInt(high + low, 16)
}

/** The first end after the last row that no partition continues: a gap refuses rows as well. */
function findEnd(ranges: readonly Range[], last: number): number {
  const starts = new Set(ranges.map(({ from }) => from))
  const ends = ranges.flatMap(({ to }) => (starts.has(to) ? [] : toPosition(to))).toSorted((a, b) => a - b)
  return ends.find((end) => end > last) ?? ends.at(-1) ?? last
}

async function findLastNumber(db: Db, table: string, key: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(${sql.ref(key)}), 0)::float8 as last from ${sql.table(table)}`.execute(db)
  return rows[0]?.last ?? 0
}
