import { sql } from 'kysely'
import { engineOf, type Db } from './client.ts'

/** Pages (32 MiB): a checkpoint after every few megabytes would write each page of an import many times. */
const pagesBetweenCheckpoints = 8192

/**
 * Sets this process up for writing much at once: on SQLite fewer checkpoints and a small cache of what is read.
 * Postgres needs nothing.
 */
export async function prepareForBulk(db: Db): Promise<void> {
  if (engineOf(db) !== 'sqlite') return
  // Outside a transaction a pragma reaches the reading handle, inside it the writing one.
  await sql`pragma cache_size = -4000`.execute(db)
  await db
    .transaction()
    .execute((tx) => sql`pragma wal_autocheckpoint = ${sql.lit(pagesBetweenCheckpoints)}`.execute(tx))
}

/**
 * One short transaction of many rows. Postgres keeps the plans that it made while the tables were small or without
 * figures; all of this work goes by keys, so it is told to use the indexes whatever it believes.
 */
export async function bulkTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    if (engineOf(tx) === 'postgres')
      await sql`select set_config(name, 'off', true)
        from (values ('enable_seqscan'), ('enable_hashjoin'), ('enable_mergejoin')) as settings(name)`.execute(
        tx,
      )
    return work(tx)
  })
}
