import { sql } from 'kysely'
import { getEngine, type Db } from './client.ts'

/** Pages (32 MiB). More frequent checkpoints would write each page of an import many times. */
const pagesBetweenCheckpoints = 8192

/**
 * Prepares this process for bulk writes. On SQLite: a small page cache and fewer checkpoints. On
 * Postgres: nothing.
 */
export async function prepareForBulk(db: Db): Promise<void> {
  if (getEngine(db) !== 'sqlite') return
  // SQLite applies these when they are prepared, and the driver prepares them on both handles.
  await sql`pragma cache_size = -4000`.execute(db)
  await sql`pragma wal_autocheckpoint = ${sql.lit(pagesBetweenCheckpoints)}`.execute(db)
}

/**
 * One short transaction over many rows, of work that can run again. Postgres keeps plans made while
 * the tables were small or without statistics. All of this work is by key, so sequential scans are
 * turned off. Its commit does not wait for the disk: a crash loses the last ones, and each later
 * commit that waits makes all before it durable.
 */
export async function bulkTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    if (getEngine(tx) === 'postgres')
      await sql`select set_config(name, 'off', true)
        from (values ('enable_seqscan'), ('enable_hashjoin'), ('enable_mergejoin'), ('synchronous_commit')) as
          settings(name)`.execute(tx)
    return work(tx)
  })
}

/** Writes what depends on the committed rows of a first step. */
export type SecondStep = (tx: Db) => Promise<void>
type RunBatch = (first: (tx: Db) => Promise<SecondStep | null>) => Promise<void>

/**
 * Lets `work` run batches of up to two steps, one batch after the other. On Postgres, each step is
 * a transaction, and a second one runs beside the first one of the next batch. On SQLite, a batch
 * is one transaction. Resolves or rejects when every step has ended.
 */
export async function pipelineBulk(db: Db, work: (run: RunBatch) => Promise<void>): Promise<void> {
  let second: Promise<unknown> = Promise.resolve()
  const run: RunBatch = async (first) => {
    if (getEngine(db) === 'sqlite') return bulkTransaction(db, async (tx) => (await first(tx))?.(tx))
    const next = await bulkTransaction(db, first)
    await second
    second = next ? bulkTransaction(db, next) : Promise.resolve()
    // It is awaited later.
    second.catch(() => {})
  }
  try {
    await work(run)
  } finally {
    await Promise.allSettled([second])
  }
  await second
}

/**
 * Repeats a step until it returns false. On Postgres two steps run side by side: this process
 * prepares one while the server works on the other. So two steps must not take the same rows. When
 * one throws, none begins after it.
 */
export async function repeatBulk(db: Db, step: () => Promise<boolean>): Promise<void> {
  let goesOn = true
  const repeat = async (): Promise<void> => {
    try {
      while (goesOn) goesOn = (await step()) && goesOn
    } catch (error) {
      goesOn = false
      throw error
    }
  }
  const isOneWriter = db.isTransaction || getEngine(db) === 'sqlite'
  const lanes = isOneWriter ? [repeat()] : [repeat(), repeat()]
  // The caller may close the database once this has ended.
  await Promise.allSettled(lanes)
  await Promise.all(lanes)
}
