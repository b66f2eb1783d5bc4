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
  return db.connection().execute(async (connection) => {
    await sql`set lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(connection)
    try {
      for (const table of tables) await sql`vacuum (full) ${sql.table(table)}`.execute(connection)
      return true
    } catch (error) {
      if (isLockTimeout(error)) return false
      throw error
    } finally {
      await sql`reset lock_timeout`.execute(connection)
    }
  })
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03'
