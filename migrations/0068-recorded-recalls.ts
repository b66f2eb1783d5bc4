import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * Recalls that staff record before the agency lists them. Their class may not be known yet. What
 * was recorded and why it ended stays with who and when.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .alterTable('care_recalls')
    .addColumn('class_known', 'boolean', (col) => col.notNull().defaultTo(true))
    .execute()
  await db.schema
    .createTable('recall_events')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('recall_id', text, (col) => col.notNull())
    .addColumn('action', text, (col) => col.notNull())
    .addColumn('sealed_note', text, (col) => col.notNull())
    .addColumn('actor_id', text, (col) => col.notNull())
    .addColumn('at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema
    .createIndex('recall_events_recall')
    .on('recall_events')
    .columns(['recall_id', 'id'])
    .execute()
}
