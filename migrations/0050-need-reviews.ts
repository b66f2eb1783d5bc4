import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** What pharmacists decided on the rows of the committed table of lay terms and classes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('need_reviews')
    // Everything that the row says, so that a changed row has no review.
    .addColumn('row_key', text, (col) => col.primaryKey())
    // `reviewed` or `rejected`.
    .addColumn('status', text, (col) => col.notNull())
    .addColumn('decided_by', text, (col) => col.notNull())
    .addColumn('decided_at', 'timestamptz', (col) => col.notNull())
    .execute()
}
