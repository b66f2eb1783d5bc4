import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** What search reads: names, one document a product, and the words that typing mistakes are repaired to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`

  // Names as one reads them, for suggestions: the product's own, its ingredients', its brands'.
  await db.schema
    .createTable('product_names')
    .addColumn('name_key', text, (col) => col.notNull())
    .addColumn('product_id', text, (col) => col.notNull().references('products.id').onDelete('cascade'))
    .addColumn('kind', text, (col) => col.notNull())
    // As one reads it; the first spelling met.
    .addColumn('label', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('product_names_pk', ['name_key', 'product_id', 'kind'])
    .execute()
  await db.schema.createIndex('product_names_by_product').on('product_names').column('product_id').execute()

  // id is the place in the order of results, so that a search for a common word may stop at its first page.
  await db.schema
    .createTable('product_documents')
    .addColumn('id', postgres ? 'bigint' : 'integer', (col) => col.primaryKey())
    .addColumn('product_id', text, (col) =>
      col.notNull().unique().references('products.id').onDelete('cascade'),
    )
    .execute()
  if (postgres) {
    // Words live out of line, so that the ids of a thousand hits lie on a few pages.
    await sql`alter table product_documents add column words tsvector not null`.execute(db)
    await sql`alter table product_documents alter column words set storage external`.execute(db)
    await sql`alter table product_documents set (toast_tuple_target = 128)`.execute(db)
    await sql`create index product_documents_words on product_documents using gin (words) with (fastupdate = off)`.execute(
      db,
    )
  } else {
    // Words come folded and cut; the ascii tokenizer leaves all letters beyond ASCII alone.
    await sql`create virtual table product_documents_fts using fts5(
      words, content = '', contentless_delete = 1, detail = none,
      tokenize = "ascii tokenchars '=~+@%#$|_.'", prefix = '1 2 3 4 5')`.execute(db)
  }

  // A word with one typing mistake still shares its first or its last half with the right one.
  await db.schema
    .createTable('search_words')
    .addColumn('word', text, (col) => col.primaryKey())
    .addColumn('reversed', text, (col) => col.notNull())
    .addColumn('products', 'integer', (col) => col.notNull())
    .execute()
  await db.schema
    .createIndex('search_words_by_end')
    .on('search_words')
    .columns(['reversed', 'word', 'products'])
    .execute()
}
