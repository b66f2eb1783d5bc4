import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** What was sold and is not in `products.units_sold` yet: lists are in that order, so each write of it goes through all of their indexes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema
    .createTable('units_to_count')
    .addColumn('product_id', postgres ? sql`text collate "C"` : sql`text`, (col) => col.notNull())
    .addColumn('units', 'integer', (col) => col.notNull())
    .execute()
}
