import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** Who wants an email when a refill opens, and for which refills one was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('refill_reminders')
    .addColumn('user_id', text, (col) => col.primaryKey().references('users.id').onDelete('cascade'))
    // The hash of the token in the emails' link that turns them off.
    .addColumn('token_hash', text, (col) => col.notNull().unique())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    // When a process last looked for refills of this customer.
    .addColumn('checked_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema
    .createIndex('refill_reminders_by_check')
    .on('refill_reminders')
    .column('checked_at')
    .execute()
  await db.schema
    .createTable('sent_reminders')
    // The fill that the refill follows: one refill window.
    .addColumn('fill_id', text, (col) => col.primaryKey().references('fills.id').onDelete('cascade'))
    .addColumn('sent_at', 'timestamptz', (col) => col.notNull())
    .execute()
}
