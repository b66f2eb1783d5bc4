import { sql } from 'kysely'
import type { Db } from './client.ts'

/** How long other statements may have to wait behind a rewrite that waits for its lock. */
const lockTimeoutMs = 200

/**
 * Moves SQLite's write-ahead log into the database and empties the log's file, so that what was
 * deleted is in neither. False while a reader or another process holds an older snapshot.
 */
export async function truncateWal(db: Db): Promise<boolean> {
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
  return rows[0]?.busy === 0
}

/**
 * Rewrites small tables on Postgres without the rows that were deleted. Reads of them
 * wait. Returns false when another transaction used one of them for too long.
 */
export async function rewriteTables(db: Db, tables: readonly string[]): Promise<boolean> {
  try {
    for (const table of tables) await db.transaction().execute((tx) => rewriteTable(tx, table))
    return true
  } catch (error) {
    if (isLockTimeout(error)) return false
    throw error
  }
}

/**
 * CLUSTER writes the same files as VACUUM FULL. It accepts a transaction, and so limits that end
 * with it: behind a pooler, `set` without `local` would reach other transactions.
 */
async function rewriteTable(tx: Db, table: string): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(tx)
  await sql`set local statement_timeout = 0`.execute(tx)
  const { rows } = await sql<{ name: string }>`select relname as name from pg_index
    join pg_class on pg_class.oid = indexrelid
    where indrelid = ${table}::regclass and indisprimary`.execute(tx)
  // A table that was not rewritten would still contain what was erased.
  if (rows.length === 0) throw new Error(`${table} has no primary key.`)
  for (const { name } of rows) await sql`cluster ${sql.table(table)} using ${sql.ref(name)}`.execute(tx)
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03'
