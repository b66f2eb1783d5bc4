import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * Nothing beside a medicine tells when an order was placed: what orders change in the stock is
 * sealed, and only rows of many customers' orders together get a place in time. A start of the shop
 * seals the rows of before, because a migration has no keys.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`
  const withoutRowid = <T extends { modifyEnd: (end: ReturnType<typeof sql>) => T }>(table: T): T =>
    postgres ? table : table.modifyEnd(sql`without rowid`)

  // Changes that are in no batch yet. An id is random, so it says nothing about the time.
  await db.schema
    .createTable('ledger_inbox')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('sealed_changes', text, (col) => col.notNull())
    .$call(withoutRowid)
    .execute()
  await db.schema
    .createTable('ledger_batches')
    // A UUIDv7 of when the batch was closed. Batches are in the order of their ids.
    .addColumn('id', text, (col) => col.primaryKey())
    // Whole hours, or when it was closed. Never the time of an order.
    .addColumn('from_at', 'timestamptz', (col) => col.notNull())
    .addColumn('to_at', 'timestamptz', (col) => col.notNull())
    .addColumn('sealed_sums', text, (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('ledger_rows')
    .addColumn('id', text, (col) => col.notNull().unique())
    .addColumn('batch_id', text, (col) => col.notNull().references('ledger_batches.id'))
    .addColumn('variant_hash', text, (col) => col.notNull())
    .addColumn('sealed_row', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('ledger_rows_pk', ['batch_id', 'id'])
    .$call(withoutRowid)
    .execute()
  await db.schema
    .createIndex('ledger_rows_by_variant')
    .on('ledger_rows')
    .columns(['variant_hash', 'batch_id'])
    .execute()

  // An account's cart: one row a line, without a medicine or a time that can be read.
  await db.schema
    .createTable('account_cart_lines')
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('line_hash', text, (col) => col.notNull())
    .addColumn('sealed_line', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('account_cart_lines_pk', ['user_id', 'line_hash'])
    .$call(withoutRowid)
    .execute()

  // A keyed hash takes the place of the customer's id, at the next start of the shop.
  await db.schema.alterTable('checkouts').renameColumn('user_id', 'user_hash').execute()

  // Times of variants and products that an order may have set.
  const ordered = sql`select product_variant_id from inventory_transactions
    where transaction_type in ('sale', 'cancellation')`
  await sql`update product_variants set ledger_ms = 0, updated_at = coalesce((select max(c.at) from catalog_changes c
      where c.product_id = product_variants.product_id and c.variant_id = product_variants.id), created_at)
    where id in (${ordered})`.execute(db)
  await sql`update products set updated_at = coalesce((select max(c.at) from catalog_changes c
      where c.product_id = products.id), created_at)
    where id in (select product_id from product_variants where id in (${ordered}))`.execute(db)
  await db.schema.alterTable('product_variants').dropColumn('ledger_ms').execute()

  // Units that wait to be counted are sealed from now on.
  await sql`update products set units_sold = units_sold + (select sum(u.units) from units_to_count u
      where u.product_id = products.id)
    where id in (select product_id from units_to_count)`.execute(db)
  await db.schema.dropTable('units_to_count').execute()
  await db.schema
    .createTable('units_to_count')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('sealed_units', text, (col) => col.notNull())
    .$call(withoutRowid)
    .execute()
}
