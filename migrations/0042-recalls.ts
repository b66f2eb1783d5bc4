import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * Files of recalls and shortages that wait for their import, and what an import of recalls does:
 * what is left to do, the units it took out of the stock, and who was notified.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('care_uploads')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('file_name', text, (col) => col.notNull())
    // The file as it was sent, gzipped and in base64.
    .addColumn('content', text, (col) => col.notNull())
    .addColumn('created_by', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()

  // Recalls whose effects on stock and orders are not applied yet, also after a crash.
  await db.schema
    .createTable('recall_tasks')
    .addColumn('recall_id', text, (col) => col.primaryKey())
    .addColumn('requested_at', 'timestamptz', (col) => col.notNull())
    .execute()

  // Units in no lot that left the stock because a recall is for all lots.
  await db.schema
    .createTable('recall_holds')
    .addColumn('recall_id', text, (col) => col.notNull())
    .addColumn('variant_id', text, (col) => col.notNull().references('product_variants.id'))
    .addColumn('units', 'integer', (col) => col.notNull().check(sql`units > 0`))
    .addPrimaryKeyConstraint('recall_holds_key', ['recall_id', 'variant_id'])
    .execute()

  // Blind indexes only: a recall names a medicine, and an order names its customer.
  await db.schema
    .createTable('recall_notices')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('recall_key', text, (col) => col.notNull())
    .addColumn('order_key', text, (col) => col.notNull())
    // Of the recall and the customer together: a customer is emailed once about a recall.
    .addColumn('person_key', text, (col) => col.notNull())
    .addColumn('sealed_notice', text, (col) => col.notNull())
    .addUniqueConstraint('recall_notices_once', ['recall_key', 'order_key'])
    .execute()
  for (const column of ['order_key', 'person_key'])
    await db.schema.createIndex(`recall_notices_by_${column}`).on('recall_notices').column(column).execute()
}
