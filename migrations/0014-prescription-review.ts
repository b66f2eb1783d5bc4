import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** The queue of prescriptions with the questions that are asked about them, and what the dashboard counts by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('prescription_questions')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('prescription_id', text, (col) =>
      col.notNull().references('prescriptions.id').onDelete('cascade'),
    )
    .addColumn('asked_by', text, (col) => col.notNull())
    .addColumn('asked_at', 'timestamptz', (col) => col.notNull())
    // Both sealed under the key of the prescription's user.
    .addColumn('sealed_question', text, (col) => col.notNull())
    .addColumn('sealed_answer', text)
    .addColumn('answered_at', 'timestamptz')
    .execute()
  await db.schema
    .createIndex('prescription_questions_by_prescription')
    .on('prescription_questions')
    .columns(['prescription_id', 'id'])
    .execute()

  // The queue: by age, of one status or of all.
  await db.schema
    .createIndex('prescriptions_by_status_and_age')
    .on('prescriptions')
    .columns(['status', 'uploaded_at', 'id'])
    .execute()
  await db.schema
    .createIndex('prescriptions_by_age')
    .on('prescriptions')
    .columns(['uploaded_at', 'id'])
    .execute()

  // Each holds all that is asked of it: an order's own row is some kilobytes of sealed text.
  await db.schema
    .createIndex('orders_by_day')
    .on('orders')
    .columns(['created_at', 'total_cents', 'refunded_cents', 'status', 'user_id'])
    .execute()
  await sql`create index inventory_transactions_of_orders on inventory_transactions (created_at, product_variant_id, quantity_change)
    where transaction_type in ('sale', 'cancellation')`.execute(db)
  await sql`create index product_variants_running_out on product_variants (stock_quantity, id)
    where deleted_at is null and track_inventory and stock_quantity <= 10`.execute(db)
}
