import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** Browsers that signed in to an account before, so that others' failures do not lock them out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('known_devices')
    .addColumn('token_hash', text, (col) => col.primaryKey())
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('has_given_factor', 'boolean', (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('expires_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('known_devices_by_user').on('known_devices').column('user_id').execute()
  await db.schema.createIndex('known_devices_by_expiry').on('known_devices').column('expires_at').execute()
}
