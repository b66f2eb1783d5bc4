import { sql } from 'kysely'
import { getEngine, type Db } from './client.ts'

/** Pages (32 MiB). More frequent checkpoints would write each page of an import many times. */
const pagesBetweenCheckpoints = 8192

/**
 * Prepares this process for bulk writes. On SQLite: fewer checkpoints and a small read cache. On
 * Postgres: nothing.
 */
export async function prepareForBulk(db: Db): Promise<void> {
  if (getEngine(db) !== 'sqlite') return
  // A pragma runs on the reader handle outside a transaction and on the writer handle inside one.
  await sql`pragma cache_size = -4000`.execute(db)
  await db
    .transaction()
    .execute((tx) => sql`pragma wal_autocheckpoint = ${sql.lit(pagesBetweenCheckpoints)}`.execute(tx))
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
