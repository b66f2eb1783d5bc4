import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * A product's category, pharmacy and offers as one text beside its search document, so that a
 * page of results counts its filters by the documents alone. Triggers keep it current.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema
    .alterTable('product_documents')
    .addColumn('offer_group', isPostgres ? sql`text collate "C"` : sql`text`)
    .execute()
  // Room on a document's page, so that a change of its offers does not index its words again.
  if (isPostgres) await sql`alter table product_documents set (fillfactor = 90)`.execute(db)

  const groupOf = (product: string) =>
    sql.raw(`${product}.category || ' ' || coalesce(${product}.pharmacy_id, '') || ' ' || ${product}.offers`)
  const ofProduct = sql`(select ${groupOf('products')} from products where products.id = new.product_id)`
  if (isPostgres) {
    await sql`create function set_document_offers() returns trigger language plpgsql as
      $$ begin new.offer_group := ${ofProduct}; return new; end $$`.execute(db)
    await sql`create trigger product_documents_offers before insert on product_documents for each row
      execute function set_document_offers()`.execute(db)
    // Once a statement, and only when something changed: an update of no document would also be
    // noted as a change of the pages (0049).
    const changed = sql`select id, ${groupOf('new_rows')} as offer_group from new_rows
      except select id, ${groupOf('old_rows')} from old_rows`
    await sql`create function follow_product_offers() returns trigger language plpgsql as $$ begin
      if exists (select from (${changed}) as changed join product_documents on product_id = changed.id) then
        update product_documents set offer_group = changed.offer_group
          from (${changed}) as changed where product_id = changed.id;
      end if;
      return null;
    end $$`.execute(db)
    await sql`create trigger products_offers after update on products
      referencing old table as old_rows new table as new_rows
      for each statement execute function follow_product_offers()`.execute(db)
  } else {
    await sql`create trigger product_documents_offers after insert on product_documents
      begin update product_documents set offer_group = ${ofProduct} where id = new.id; end`.execute(db)
    const changed = sql.raw(
      ['category', 'pharmacy_id', 'offers']
        .map((column) => `old.${column} is not new.${column}`)
        .join(' or '),
    )
    await sql`create trigger products_offers after update on products when ${changed}
      begin update product_documents set offer_group = ${groupOf('new')} where product_id = new.id; end`.execute(
      db,
    )
  }
  // SQLite writes 20,000 in a tenth of a second. Postgres would index the words of each document
  // again, and sales of a last unit would wait for it: there, the next import writes them.
  if (!isPostgres)
    await sql`update product_documents set offer_group = ${groupOf('products')}
      from products where products.id = product_documents.product_id`.execute(db)
}
