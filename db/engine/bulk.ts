import { sql } from 'kysely'
import { getEngine, type Db } from './client.ts'

/** Pages (32 MiB). More frequent checkpoints would write each page of an import many times. */
const pagesBetweenCheckpoints = 8192

/**
 * Prepares this process for bulk writes. On SQLite: a small page cache, fewer checkpoints, and the
 * journals of single statements in memory. SQLite keeps each page that a statement changes in such
 * a journal until the statement ends. By default it writes them to a temporary file, which was a
 * third of an import's CPU time. On Postgres: nothing.
 */
export async function prepareForBulk(db: Db): Promise<void> {
  if (getEngine(db) !== 'sqlite') return
  // SQLite applies these when they are prepared, and the driver prepares them on both handles.
  await sql`pragma cache_size = -4000`.execute(db)
  await sql`pragma temp_store = memory`.execute(db)
  await sql`pragma wal_autocheckpoint = ${sql.lit(pagesBetweenCheckpoints)}`.execute(db)
}

/**
 * One short transaction over many rows. Postgres keeps plans made while the tables were small or
 * without statistics. All of this work is by key, so sequential scans are turned off.
 */
export async function bulkTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    if (getEngine(tx) === 'postgres')
      await sql`select set_config(name, 'off', true)
        from (values ('enable_seqscan'), ('enable_hashjoin'), ('enable_mergejoin')) as settings(name)`.execute(
        tx,
      )
    return work(tx)
  })
}
