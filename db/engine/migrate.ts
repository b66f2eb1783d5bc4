import { Migrator } from 'kysely'
import { migrations } from '../../migrations/all.ts'
import type { Db } from './client.ts'

const migrator = (db: Db): Migrator =>
  new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
  })

/**
 * Applies pending migrations under the engine's lock and returns their names. Throws the first
 * failure.
 */
export async function migrate(db: Db): Promise<string[]> {
  const { error, results } = await migrator(db).migrateToLatest()
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}

/** The name of the newest migration that is applied; empty before the first. */
export async function findLastMigration(db: Db): Promise<string> {
  const applied = (await migrator(db).getMigrations()).filter((migration) => migration.executedAt)
  return applied.at(-1)?.name ?? ''
}

/** Whether every migration of this build is applied. */
export async function isMigrated(db: Db): Promise<boolean> {
  const state = await migrator(db).getMigrations()
  return state.every((migration) => migration.executedAt)
}
