import { sql } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'

/**
 * Updates Postgres' statistics for freshly loaded tables, also inside the transaction that loads
 * them. Autovacuum runs about once a minute. Until then the planner assumes a table of ten rows, or
 * an empty one if it was analyzed before the commit, and reads the whole table for one row.
 * SQLite's plans depend on the indexes only.
 */
export async function analyzeCatalog(db: Db): Promise<void> {
  if (getEngine(db) === 'sqlite') return
  await sql`analyze products, product_variants, variant_identifiers, manufacturers, product_brands, product_documents,
    product_names, search_words`.execute(db)
}
