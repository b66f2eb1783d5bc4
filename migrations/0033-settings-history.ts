import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** Each change of a setting: who changed what, from what to what, and when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('settings_history')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('name', text, (col) => col.notNull())
    .addColumn('value_before', text, (col) => col.notNull())
    .addColumn('value_after', text, (col) => col.notNull())
    // Without a foreign key: the history outlives the accounts of former staff.
    .addColumn('changed_by', text, (col) => col.notNull())
    .addColumn('changed_at', 'timestamptz', (col) => col.notNull())
    .execute()
}
