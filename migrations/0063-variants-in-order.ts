import { sql, type Kysely } from 'kysely'

/**
 * A product's variants in the order of their ids, with what grids count. Without the id, each list
 * of them sorted all variants of a product, and Postgres read their rows for it.
 * `product_variants_by_product` has no column that this index lacks. A later migration can drop it:
 * in this transaction, that could deadlock with a sale.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index product_variants_in_order
    on product_variants (product_id, id, version, in_stock, stock_quantity, price_cents) where deleted_at is null`.execute(
    db,
  )
}
