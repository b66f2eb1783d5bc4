import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** The Idempotency-Keys of the last day, with what each request created. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  // No foreign key: a caller is a user or an API key, and what was created is of several tables.
  await db.schema
    .createTable('request_keys')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('scope', text, (col) => col.notNull())
    .addColumn('key', text, (col) => col.notNull())
    .addColumn('request_hash', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addUniqueConstraint('request_keys_by_scope', ['scope', 'key'])
    .execute()
  await db.schema.createIndex('request_keys_by_time').on('request_keys').column('created_at').execute()
}
