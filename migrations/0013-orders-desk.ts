import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** What the desk needs of people and their orders: finding somebody whose name stands sealed, notes, and which lines went back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`

  // Keyed hashes of the words, and their beginnings, of a name and an e-mail address: what somebody is found by.
  await db.schema
    .createTable('person_tokens')
    .addColumn('token', text, (col) => col.notNull())
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('person_tokens_pk', ['token', 'user_id'])
    .$call((table) => (postgres ? table : table.modifyEnd(sql`without rowid`)))
    .execute()
  await db.schema.createIndex('person_tokens_by_user').on('person_tokens').column('user_id').execute()

  await db.schema
    .createTable('order_notes')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('order_id', text, (col) => col.notNull().references('orders.id').onDelete('cascade'))
    // No foreign key: what was noted stays when whoever wrote it is gone.
    .addColumn('author_id', text, (col) => col.notNull())
    .addColumn('sealed_note', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('order_notes_by_order').on('order_notes').columns(['order_id', 'id']).execute()

  // Which of an order's lines a refund is for. A line names no medicine: those stand sealed in the order.
  await db.schema
    .createTable('refund_lines')
    // No foreign key: an order can be called off when all of its money has gone back already.
    .addColumn('refund_id', text, (col) => col.notNull())
    .addColumn('order_id', text, (col) => col.notNull().references('orders.id').onDelete('cascade'))
    .addColumn('line_id', text, (col) => col.notNull())
    .addColumn('quantity', 'integer', (col) => col.notNull().check(sql`quantity > 0`))
    // How many of them are back in stock.
    .addColumn('restocked', 'integer', (col) => col.notNull().check(sql`restocked between 0 and quantity`))
    .addPrimaryKeyConstraint('refund_lines_pk', ['refund_id', 'line_id'])
    .execute()
  await db.schema.createIndex('refund_lines_by_order').on('refund_lines').column('order_id').execute()

  await db.schema.createIndex('orders_by_total').on('orders').columns(['total_cents', 'id']).execute()
}
