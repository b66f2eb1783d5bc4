import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** What to check before a line of a CSV import is applied. Null in rows from before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema.alterTable('csv_import_rows').addColumn('warning', text).execute()
}
