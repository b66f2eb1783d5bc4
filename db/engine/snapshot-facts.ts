import { sql } from 'kysely'
import { getEngine, type Db } from './client.ts'

/** The names of the applied migrations, oldest first. */
export async function listMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Whether there is any table. */
export async function hasTables(db: Db): Promise<boolean> {
  const { rows } = await (
    getEngine(db) === 'postgres'
      ? sql`select 1 from information_schema.tables where table_schema = current_schema() limit 1`
      : sql`select 1 from sqlite_master limit 1`
  ).execute(db)
  return rows.length > 0
}

/** Exports the snapshot of a Postgres transaction, for another connection. */
export async function exportSnapshot(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(db)
  return rows[0]?.id ?? ''
}
