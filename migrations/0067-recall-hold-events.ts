import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * What became of the units that a recall held: a recall is closed with this evidence. Holds that
 * ended before have no row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('recall_hold_events')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('recall_id', text, (col) => col.notNull())
    .addColumn('variant_id', text, (col) => col.notNull())
    .addColumn('units', 'integer', (col) => col.notNull().check(sql`units > 0`))
    .addColumn('outcome', text, (col) => col.notNull())
    .addColumn('reason', text, (col) => col.notNull())
    .addColumn('actor_id', text, (col) => col.notNull())
    .addColumn('at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema
    .createIndex('recall_hold_events_recall')
    .on('recall_hold_events')
    .columns(['recall_id', 'id'])
    .execute()
}
