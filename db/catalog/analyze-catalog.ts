import { sql } from 'kysely'
import { engineOf, type Db } from '../engine/client.ts'

/**
 * Gives Postgres' planner the figures of what was loaded, also inside the transaction that loads it. It looks by itself about once a minute: until
 * then it takes a table of thousands for one of ten, or, where it looked while nothing was committed, for an empty one, and reads all of it for
 * one row. SQLite's plans go by the indexes alone.
 */
export async function analyzeCatalog(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  await sql`analyze products, product_variants, variant_identifiers, manufacturers, product_brands, product_documents,
    product_names, search_words`.execute(db)
}
