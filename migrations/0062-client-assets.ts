import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** The assets of every recent release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema
    .createTable('client_assets')
    .addColumn('name', isPostgres ? sql`text collate "C"` : sql`text`, (col) => col.primaryKey())
    .addColumn('gzipped', isPostgres ? sql`bytea` : sql`blob`, (col) => col.notNull())
    .addColumn('used_at', 'timestamptz', (col) => col.notNull())
    .execute()
}
