import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** Keys that machines send to /api. Only the hash of a key is stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  // No foreign key to the creator: a key outlives the account, without effect.
  await db.schema
    .createTable('api_keys')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('name', text, (col) => col.notNull())
    .addColumn('prefix', text, (col) => col.notNull())
    .addColumn('key_hash', text, (col) => col.notNull().unique())
    .addColumn('permissions', text, (col) => col.notNull())
    .addColumn('created_by', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('expires_at', 'timestamptz', (col) => col.notNull())
    .addColumn('last_used_at', 'timestamptz')
    .addColumn('revoked_at', 'timestamptz')
    .execute()
}
