import { AppError } from '#domain/errors.ts'
import { sql } from 'kysely'
import { getEngine, openDatabase, type Db } from './client.ts'
import { drillMarker, dropDrillMarker } from './drill-marker.ts'
import { emptyPostgres } from './reset.ts'
import { hasTables } from './snapshot-facts.ts'

/** The advisory lock of a drill that runs. Any number that no other lock of the database has. */
const drillLock = 0x6472_696c

const refusal = (message: string): AppError => new AppError('INVALID', message)

/**
 * Runs work that fills an empty Postgres database, and empties it afterwards. Also empties what a
 * drill left that was killed. Throws INVALID for a database that is not empty otherwise, for the
 * shop's, and while another drill uses it.
 * @param stopped rejects when the work must be abandoned
 */
export async function withDrillDatabase<T>(
  url: string,
  { shop, stopped }: { shop: Db; stopped: Promise<never> },
  work: () => Promise<T>,
): Promise<T> {
  const db = openDatabase(url, () => {})
  try {
    return await db.connection().execute(async (session) => {
      await claim(session, shop)
      let isSettled = false
      const working = work().finally(() => (isSettled = true))
      try {
        return await Promise.race([stopped, working])
      } catch (error) {
        await endOthers(session)
        throw error
      } finally {
        // Abandoned work can still write while the database is emptied. Then the marker must stay.
        const hasEnded = isSettled
        await emptyPostgres(session)
        if (hasEnded) await dropDrillMarker(session)
      }
    })
  } finally {
    await db.destroy()
  }
}

async function claim(session: Db, shop: Db): Promise<void> {
  if (getEngine(shop) === 'postgres' && (await identify(shop)) === (await identify(session))) {
    throw refusal('The drill’s database is the shop’s. Name another one with --into.')
  }
  const { rows: locks } = await sql<{
    got: boolean
  }>`select pg_try_advisory_lock(${drillLock}) as got`.execute(session)
  if (locks[0]?.got !== true) throw refusal('Another drill uses this database. Wait until it ends.')
  const { rows: markers } = await sql`select 1 from pg_namespace where nspname = ${drillMarker}`.execute(
    session,
  )
  if (markers.length > 0) {
    await endOthers(session)
    await emptyPostgres(session)
    return
  }
  if (await hasTables(session)) {
    throw refusal('The drill’s database is not empty, and no drill filled it. Name an empty one with --into.')
  }
  await sql`create schema ${sql.id(drillMarker)}`.execute(session)
}

/** The same for two connections to one database, and different for any two databases. */
async function identify(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select concat(extract(epoch from pg_postmaster_start_time()), ' ', current_database()) as id
  `.execute(db)
  return rows[0]?.id
}

/** Ends what a stopped drill left, such as pg_restore: its locks would delay the rest. */
async function endOthers(session: Db): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
  `.execute(session)
}
