import { sql, type Kysely } from 'kysely'

/** What the desk sums up the worth of the stock by: its rows hold all that the sum asks for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index product_variants_worth on product_variants (stock_quantity, acquisition_cost_cents, price_cents, deleted_at)
    where deleted_at is null and stock_quantity > 0`.execute(db)
}
