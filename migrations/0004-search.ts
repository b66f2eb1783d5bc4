import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** What search reads: names, one document a product, and the words with their one-letter deletions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`

  // Folded names for the exact and prefix tiers: the product's own, its ingredients', its brands'.
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

  // id is the place in the list's order, so that a full-text hit comes back ranked and may stop early.
  await db.schema
    .createTable('product_documents')
    .addColumn('id', 'integer', (col) => col.primaryKey())
    .addColumn('product_id', text, (col) => col.notNull().unique().references('products.id').onDelete('cascade'))
    .execute()
  if (postgres) {
    await sql`alter table product_documents add column words tsvector not null`.execute(db)
    await sql`create index product_documents_words on product_documents using gin (words) with (fastupdate = off)`.execute(db)
  } else {
    await sql`create virtual table product_documents_fts using fts5(
      words, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4')`.execute(db)
  }

  await db.schema
    .createTable('search_words')
    .addColumn('word', text, (col) => col.primaryKey())
    .addColumn('products', 'integer', (col) => col.notNull())
    .execute()
  // Each word without one of its letters: two words one edit apart meet in such a deletion.
  await db.schema
    .createTable('search_word_deletions')
    .addColumn('deletion', text, (col) => col.notNull())
    .addColumn('word', text, (col) => col.notNull().references('search_words.word').onDelete('cascade'))
    .addPrimaryKeyConstraint('search_word_deletions_pk', ['deletion', 'word'])
    .execute()
}
