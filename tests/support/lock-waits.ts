import { getEngine, type Db } from '#db/engine/client.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'

/** How many other connections of this Postgres database wait for a lock. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

/**
 * Resolves once the work waits for a lock. Fails if the work ends first, because the test would
 * then prove nothing. On SQLite the work has no lock to wait for: its transaction begins when the
 * other one has ended.
 * @param options.waiters the connections that the work waits with
 * @param options.mayEnd whether the work may also end without waiting
 */
export async function untilWaiting(
  db: Db,
  work: Promise<unknown>,
  { waiters = 1, mayEnd = false }: { waiters?: number; mayEnd?: boolean } = {},
): Promise<void> {
  if (getEngine(db) === 'sqlite') return
  let hasEnded = false
  const note = (): void => void (hasEnded = true)
  work.then(note, note)
  const isDecided = async (): Promise<boolean> => (await countWaiting(db)) >= waiters || hasEnded
  const message = `${waiters} connections should wait for a lock`
  await expect.poll(isDecided, { message, interval: 5, timeout: 60_000 }).toBe(true)
  expect(hasEnded && !mayEnd, 'the work ended without waiting for a lock').toBe(false)
}
