import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** From a cart to an order: checkouts with what they reserve, orders, refunds, and what the payment provider told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  // What open and paid checkouts hold of the stock on hand; it leaves the stock itself as it is.
  await sql`alter table product_variants add column reserved_quantity integer not null default 0 check (reserved_quantity >= 0)`.execute(
    db,
  )

  // No foreign keys: what was paid outlives whoever paid it.
  await db.schema
    .createTable('checkouts')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('user_id', text, (col) => col.notNull())
    .addColumn('status', text, (col) =>
      col.notNull().check(sql`status in ('open', 'paid', 'ordered', 'cancelled', 'refunded')`),
    )
    .addColumn('payment_id', text, (col) => col.unique())
    .addColumn('session_id', text, (col) => col.unique())
    .addColumn('amount_cents', 'bigint', (col) => col.notNull().check(sql`amount_cents > 0`))
    .addColumn('sealed_frozen', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('expires_at', 'timestamptz', (col) => col.notNull())
    // When the reconciler asks the provider about it next; null once nothing can happen any more.
    .addColumn('check_at', 'timestamptz')
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await sql`create unique index checkouts_open_by_user on checkouts (user_id) where status = 'open'`.execute(
    db,
  )
  await sql`create index checkouts_to_check on checkouts (check_at) where check_at is not null`.execute(db)

  await sql`create index checkouts_lapsed on checkouts (updated_at) where status = 'cancelled'`.execute(db)

  await db.schema
    .createTable('orders')
    .addColumn('id', text, (col) => col.primaryKey())
    // Null once the user is deleted: then the order is in no list, and its sealed part is kept as long as the law asks.
    .addColumn('user_id', text, (col) => col.references('users.id').onDelete('set null'))
    .addColumn('checkout_id', text, (col) => col.notNull().unique())
    .addColumn('payment_id', text, (col) => col.notNull().unique())
    .addColumn('prescription_id', text, (col) => col.references('prescriptions.id').onDelete('set null'))
    .addColumn('status', text, (col) =>
      col.notNull().check(sql`status in ('pending', 'processing', 'shipped', 'delivered', 'cancelled')`),
    )
    .addColumn('total_cents', 'bigint', (col) => col.notNull())
    .addColumn('refunded_cents', 'bigint', (col) => col.notNull().defaultTo(0))
    .addColumn('has_rx', 'boolean', (col) => col.notNull())
    .addColumn('sealed_order', text, (col) => col.notNull())
    .addColumn('tracking_number', text)
    .addColumn('carrier', text)
    .addColumn('estimated_delivery', text)
    // Whether its lines are back in stock.
    .addColumn('restocked_at', 'timestamptz')
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .addCheckConstraint('orders_refunded_at_most', sql`refunded_cents between 0 and total_cents`)
    .execute()
  await db.schema.createIndex('orders_by_user').on('orders').columns(['user_id', 'id']).execute()
  await db.schema.createIndex('orders_by_status').on('orders').columns(['status', 'id']).execute()
  await sql`create index orders_by_prescription on orders (prescription_id) where prescription_id is not null`.execute(
    db,
  )

  // Each change of an order's status after it was placed.
  await db.schema
    .createTable('order_events')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('order_id', text, (col) => col.notNull().references('orders.id').onDelete('cascade'))
    .addColumn('status', text, (col) => col.notNull())
    .addColumn('actor_id', text)
    .addColumn('at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema
    .createIndex('order_events_by_order')
    .on('order_events')
    .columns(['order_id', 'id'])
    .execute()

  // Money to give back: written in the transaction that decides it, given by a job under the idempotency key.
  await db.schema
    .createTable('refunds')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('idempotency_key', text, (col) => col.notNull().unique())
    .addColumn('checkout_id', text, (col) => col.notNull())
    .addColumn('order_id', text)
    .addColumn('payment_id', text, (col) => col.notNull())
    .addColumn('amount_cents', 'bigint', (col) => col.notNull().check(sql`amount_cents > 0`))
    .addColumn('reason', text, (col) => col.notNull())
    .addColumn('provider_refund_id', text)
    .addColumn('attempts', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('due_at', 'timestamptz')
    .addColumn('done_at', 'timestamptz')
    .addColumn('failed_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await sql`create index refunds_due on refunds (due_at) where due_at is not null`.execute(db)
  await db.schema.createIndex('refunds_by_checkout').on('refunds').column('checkout_id').execute()

  // What a provider's webhooks told: ids only, each handled once.
  await db.schema
    .createTable('payment_events')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('type', text, (col) => col.notNull())
    .addColumn('payment_id', text)
    .addColumn('session_id', text)
    .addColumn('received_at', 'timestamptz', (col) => col.notNull())
    .addColumn('handled_at', 'timestamptz')
    .execute()
  await sql`create index payment_events_to_handle on payment_events (received_at) where handled_at is null`.execute(
    db,
  )

  // The books of demo payments' provider, which no use case reads.
  await db.schema
    .createTable('demo_payments')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('idempotency_key', text, (col) => col.notNull().unique())
    .addColumn('secret', text, (col) => col.notNull())
    .addColumn('checkout_id', text, (col) => col.notNull())
    .addColumn('amount_cents', 'bigint', (col) => col.notNull())
    .addColumn('status', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('demo_refunds')
    .addColumn('idempotency_key', text, (col) => col.primaryKey())
    .addColumn('id', text, (col) => col.notNull())
    .addColumn('payment_id', text, (col) => col.notNull().references('demo_payments.id'))
    .addColumn('amount_cents', 'bigint', (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('demo_refunds_by_payment').on('demo_refunds').column('payment_id').execute()
}
