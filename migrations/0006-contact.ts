import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** What customers write to the shop, the mail that waits to be sent, and how often somebody did something. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('contact_messages')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('submission_hash', text, (col) => col.notNull().unique())
    .addColumn('sealed_name', text, (col) => col.notNull())
    .addColumn('sealed_email', text, (col) => col.notNull())
    .addColumn('sealed_message', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('outbox')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('sealed_mail', text)
    .addColumn('attempts', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('due_at', 'timestamptz', (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('sent_at', 'timestamptz')
    .addColumn('failed_at', 'timestamptz')
    .execute()
  // Only what waits, so that asking for it costs the same however much was sent.
  await sql`create index outbox_waiting on outbox (due_at, id) where sent_at is null and failed_at is null`.execute(
    db,
  )

  await db.schema
    .createTable('rate_limits')
    .addColumn('key_hash', text, (col) => col.primaryKey())
    .addColumn('hits', 'integer', (col) => col.notNull())
    .addColumn('ends_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('rate_limits_by_end').on('rate_limits').column('ends_at').execute()
}
