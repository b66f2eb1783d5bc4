import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** Where the shop sends its events, and the log of what it sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('webhook_endpoints')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('url', text, (col) => col.notNull())
    .addColumn('topic', text, (col) => col.notNull())
    .addColumn('sealed_secret', text, (col) => col.notNull())
    .addColumn('created_by', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    // Since when every attempt has failed.
    .addColumn('failing_since', 'timestamptz')
    .addColumn('disabled_at', 'timestamptz')
    .addColumn('disabled_reason', text)
    .execute()

  // No foreign key: deleting an endpoint never fails the order that writes an event for it.
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('event_id', text, (col) => col.notNull())
    .addColumn('endpoint_id', text, (col) => col.notNull())
    .addColumn('type', text, (col) => col.notNull())
    // Sealed: the time of a stock event would link its variant with an order.
    .addColumn('sealed_payload', text, (col) => col.notNull())
    .addColumn('state', text, (col) => col.notNull())
    .addColumn('attempts', 'integer', (col) => col.notNull())
    // When the job may send it; null when it is delivered or given up.
    .addColumn('next_at', 'timestamptz')
    .addColumn('last_status', 'integer')
    .addColumn('last_error', text)
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('finished_at', 'timestamptz')
    .execute()
  await sql`create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at) where next_at is not null`.execute(
    db,
  )
  await sql`create index webhook_deliveries_failed on webhook_deliveries (finished_at) where state = 'failed'`.execute(
    db,
  )
  await db.schema
    .createIndex('webhook_deliveries_by_time')
    .on('webhook_deliveries')
    .column('created_at')
    .execute()
}
