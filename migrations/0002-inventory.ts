import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** The stock ledger: every change is a row; the level on the variant is the last row's quantity_after. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('inventory_transactions')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('product_variant_id', text, (col) => col.notNull().references('product_variants.id'))
    .addColumn('transaction_type', text, (col) => col.notNull())
    .addColumn('quantity_change', 'integer', (col) => col.notNull())
    .addColumn('quantity_before', 'integer', (col) => col.notNull())
    .addColumn('quantity_after', 'integer', (col) => col.notNull())
    .addColumn('notes', text)
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addCheckConstraint(
      'inventory_transactions_add_up',
      sql`quantity_before + quantity_change = quantity_after`,
    )
    .addCheckConstraint('inventory_transactions_not_negative', sql`quantity_after >= 0`)
    .execute()
  await db.schema
    .createIndex('inventory_transactions_by_variant')
    .on('inventory_transactions')
    .columns(['product_variant_id', 'id'])
    .execute()
}
