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

/**
 * The same for the tables that the rows of a directory are in, from a small sample: in a tenth of
 * the time, and enough to plan lookups by key. `analyzeCatalog` must follow.
 */
export async function analyzeImported(db: Db): Promise<void> {
  if (getEngine(db) === 'sqlite') return
  await db.transaction().execute(async (tx) => {
    await sql`set local default_statistics_target = 10`.execute(tx)
    await sql`analyze products, product_variants, variant_identifiers, manufacturers`.execute(tx)
  })
}
