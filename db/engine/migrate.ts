import { Migrator, sql, type Migration } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrations } from '../../migrations/all.ts'
import { getEngine, type Db } from './client.ts'
import { isDeadlock, isLockTimeout, isMissingTable } from './sql.ts'

/**
 * How long a migration waits for a lock of Postgres. Other statements queue behind it: if it waited
 * for a backup to end, the running shop would too.
 */
const lockLimit = '3s'
const pauseMs = 2000
/** Longer than a backup usually takes. */
const patienceMs = 30 * 60_000

/**
 * The advisory lock that lets one process at a time migrate. Any number that no other lock of the
 * database has.
 */
const migrationLock = 4_610_237

const withLockLimit = (migration: Migration): Migration => ({
  ...migration,
  up: async (db) => {
    if (getEngine(db) === 'postgres') await sql`set local lock_timeout = ${sql.lit(lockLimit)}`.execute(db)
    await migration.up(db)
  },
})

const limited = Object.fromEntries(
  Object.entries(migrations).map(([name, migration]) => [name, withLockLimit(migration)]),
)

const migrator = (db: Db): Migrator =>
  new Migrator({
    db,
    provider: { getMigrations: async () => limited },
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
  })

/** The name of a migration that removes what versions before the named one use. */
const contractPattern = /-contracts-(\d{4})$/

/**
 * Applies pending migrations and returns their names. While a table is locked, or another process
 * migrates, and after a deadlock, it starts again after a pause, for half an hour at most. Throws
 * the first failure.
 * A newer version's migrations are accepted, so that an earlier one can start beside it and after a
 * rollback, unless one of them removed what this version uses.
 * @param onBlocked called before each pause
 */
export async function migrate(db: Db, onBlocked: () => void = () => {}): Promise<string[]> {
  const applied = await listApplied(db)
  const contract = findBreak(applied)
  if (contract) {
    const needed = contractPattern.exec(contract)?.[1]
    throw new Error(
      `Migration ${contract} removed what this version uses. Start a version with migration ${needed}.`,
    )
  }
  if (hasAll(applied)) return []
  const lastStart = performance.now() + patienceMs
  for (;;) {
    const { error, results } = await oneAtATime(db, () => migrator(db).migrateToLatest()).catch(
      (error: unknown) => ({ error, results: undefined }),
    )
    if (!error) return (results ?? []).map((result) => result.migrationName)
    const isBlocked = isLockTimeout(error) || isDeadlock(error)
    if (!isBlocked || performance.now() > lastStart) throw error
    onBlocked()
    await sleep(pauseMs)
  }
}

/**
 * Calls `run` while no other process migrates this Postgres database. A transaction on a second
 * connection holds the lock. A session's lock would not do: a pooler may run the migration in
 * another session, and keeps the session with its lock afterwards. SQLite has one writer.
 */
async function oneAtATime<T>(db: Db, run: () => Promise<T>): Promise<T> {
  if (getEngine(db) !== 'postgres') return run()
  return db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(lockLimit)}`.execute(tx)
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(tx)
    return run()
  })
}

/** The name of the newest migration that is applied; empty before the first. */
export async function findLastMigration(db: Db): Promise<string> {
  const applied = (await migrator(db).getMigrations()).filter((migration) => migration.executedAt)
  return applied.at(-1)?.name ?? ''
}

/**
 * Whether this build can work: all of its migrations are applied, and none removed its columns. One
 * statement, because a probe asks under load.
 */
export async function isMigrated(db: Db): Promise<boolean> {
  const applied = await listApplied(db)
  return hasAll(applied) && findBreak(applied) === null
}

/** The names of the applied migrations, also of a newer version; none of an empty database. */
async function listApplied(db: Db): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db)
    return rows.map(({ name }) => name)
  } catch (error) {
    if (isMissingTable(error)) return []
    throw error
  }
}

const hasAll = (applied: readonly string[]): boolean =>
  Object.keys(migrations).every((name) => applied.includes(name))

/** The first migration of a newer version that removed what this build uses. */
function findBreak(applied: readonly string[]): string | null {
  const newest = Object.keys(migrations).at(-1) ?? ''
  const breaks = (name: string): boolean =>
    name > newest && (contractPattern.exec(name)?.[1] ?? '') > newest.slice(0, 4)
  return applied.find(breaks) ?? null
}
