import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * Orders with prescription lines are authorized at checkout and captured later, so an order keeps
 * what was captured, apart from its total. Earlier orders were paid in full.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  // An authorization and what becomes of it. No foreign keys: it outlives its customer.
  await db.schema
    .createTable('payment_holds')
    .addColumn('checkout_id', text, (col) => col.primaryKey())
    // Null while there is no order.
    .addColumn('order_id', text, (col) => col.unique())
    .addColumn('payment_id', text, (col) => col.notNull().unique())
    .addColumn('status', text, (col) =>
      col
        .notNull()
        .check(sql`status in ('authorized', 'capturing', 'captured', 'voiding', 'voided', 'failed')`),
    )
    .addColumn('authorized_cents', 'bigint', (col) => col.notNull().check(sql`authorized_cents > 0`))
    // What to capture: set before the provider is called, and never changed afterwards.
    .addColumn('amount_cents', 'bigint')
    .addColumn('captured_cents', 'bigint', (col) => col.notNull().defaultTo(0))
    // When the authorization lapses, as the provider says it.
    .addColumn('capture_before', 'timestamptz')
    // When the job acts next; null once nothing is left to do.
    .addColumn('due_at', 'timestamptz')
    .addColumn('attempts', 'integer', (col) => col.notNull().defaultTo(0))
    // When the provider refused the capture.
    .addColumn('refused_at', 'timestamptz')
    // When staff were warned that it lapses soon.
    .addColumn('warned_at', 'timestamptz')
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .addCheckConstraint('payment_holds_amount', sql`amount_cents between 1 and authorized_cents`)
    .addCheckConstraint('payment_holds_captured', sql`captured_cents between 0 and authorized_cents`)
    .execute()
  await sql`create index payment_holds_due on payment_holds (due_at) where due_at is not null`.execute(db)
  // What lapses next: the queue of reviews and the dashboard.
  await sql`create index payment_holds_to_capture on payment_holds (capture_before)
    where status = 'authorized'`.execute(db)

  await db.schema
    .alterTable('orders')
    .addColumn('captured_cents', 'bigint', (col) => col.notNull().defaultTo(0))
    .execute()
  await sql`update orders set captured_cents = total_cents`.execute(db)
  // Revenue is what was captured minus what was refunded, read from the index alone.
  await db.schema.dropIndex('orders_by_day').execute()
  await db.schema
    .createIndex('orders_by_day')
    .on('orders')
    .columns(['created_at', 'captured_cents', 'refunded_cents', 'total_cents', 'status', 'user_id'])
    .execute()

  await db.schema
    .alterTable('demo_payments')
    .addColumn('capture_method', text, (col) => col.notNull().defaultTo('automatic'))
    .execute()
  await db.schema
    .alterTable('demo_payments')
    .addColumn('captured_cents', 'bigint', (col) => col.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('demo_payments').addColumn('capture_before', 'timestamptz').execute()
  await sql`update demo_payments set captured_cents = amount_cents where status = 'succeeded'`.execute(db)
}
