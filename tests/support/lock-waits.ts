import { getEngine, type Db } from '#db/engine/client.ts'
import { sql } from 'kysely'

/** How many other connections of this Postgres database wait for a lock. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

/**
 * Until some work waits for locks, or has ended without. On SQLite the work has no lock to wait
 * for: its transaction begins when the other one has ended.
 * @param waiters the connections that the work waits with
 */
export async function untilWaiting(db: Db, work: Promise<unknown>, waiters = 1): Promise<void> {
  if (getEngine(db) === 'sqlite') return
  const ended = work.then(
    () => true,
    () => true,
  )
  const isWaiting = async (): Promise<boolean> => (await countWaiting(db)) >= waiters
  while (!(await Promise.race([ended, isWaiting()])));
}
