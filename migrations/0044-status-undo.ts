import { PostgresAdapter, sql, type Kysely } from 'kysely'

const columns = [
  // The status before the change, and the order's version after it.
  ['previous_status', 'text'],
  ['order_version', 'integer'],
  // The email that waits until the change can no longer be undone.
  ['mail_id', 'text'],
  ['undo_until', 'timestamptz'],
  ['reverted_at', 'timestamptz'],
  ['reverted_by', 'text'],
] as const

/** What undoing a status change needs. Each is null for a change that can't be undone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  // SQLite adds one column a statement.
  for (const [name, type] of columns) {
    await db.schema
      .alterTable('order_events')
      .addColumn(name, type === 'text' ? text : type)
      .execute()
  }
}
