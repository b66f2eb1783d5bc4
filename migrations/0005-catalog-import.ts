import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** What an import of directories needs to remember between its short transactions and after a kill. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`

  // One row: who imports now, and whether search is behind the catalogue.
  await db.schema
    .createTable('catalog_import')
    .addColumn('id', 'integer', (col) => col.primaryKey().check(sql`id = 1`))
    .addColumn('host', text)
    .addColumn('pid', 'integer')
    .addColumn('beat_at', 'timestamptz')
    .addColumn('search_is_stale', 'boolean', (col) => col.notNull())
    .execute()
  await sql`insert into catalog_import (id, search_is_stale) values (1, false)`.execute(db)

  // The keys met in this run: of a repeated key the first row counts.
  await db.schema
    .createTable('catalog_seen')
    .addColumn('catalog_key', text, (col) => col.primaryKey())
    .addColumn('digest', text, (col) => col.notNull())
    .execute()

  // Products of which a variant changed and whose names, links and summary are still to be settled.
  await db.schema
    .createTable('catalog_touched')
    .addColumn('product_id', text, (col) => col.primaryKey().references('products.id').onDelete('cascade'))
    .execute()

  // Rows that made no variant of their own: a UPC that completed one.
  await db.schema
    .createTable('catalog_rows')
    .addColumn('catalog_key', text, (col) => col.primaryKey())
    .addColumn('digest', text, (col) => col.notNull())
    .addColumn('variant_id', text, (col) =>
      col.notNull().references('product_variants.id').onDelete('cascade'),
    )
    .execute()
}
