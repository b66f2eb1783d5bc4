import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** What a page for visitors without cookies shows, besides the variants. */
const shown = [
  'products',
  'product_names',
  'product_brands',
  'product_documents',
  'product_ingredients',
  'search_words',
  'variant_identifiers',
  'manufacturers',
  'pharmacies',
  'settings',
  'shop_ingredient_names',
  'care_lists',
  'care_brands',
  'care_classes',
  'care_class_members',
  'care_equivalents',
  'care_ingredients',
  'care_ingredient_names',
]

/** Every column of a variant that a page shows or chooses by, except its stock. */
const variantColumns = [
  'id',
  'product_id',
  'brand_name',
  'generic_name',
  'manufacturer_id',
  'dosage_form',
  'strength',
  'strength_unit',
  'package_size',
  'package_unit',
  'price_cents',
  'sku',
  'upc',
  'ndc',
  'application_number',
  'din',
  'track_inventory',
  'in_stock',
  'linked_variant_id',
  'label_strength',
  'label_form',
  'label_pack',
  'controlled_schedule',
  'deleted_at',
]

/**
 * The versions of what visitors see, set by triggers in the transaction of each change: `catalog`
 * for all pages, and `stock` for the pages with a variant's stock.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('page_versions')
    .addColumn('scope', text, (col) => col.notNull())
    // The connection that wrote it on Postgres, so that writers do not wait for each other.
    .addColumn('slot', 'integer', (col) => col.notNull())
    // Random, so that it counts no orders and never returns.
    .addColumn('version', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('page_versions_pkey', ['scope', 'slot'])
    .execute()
  await (isPostgres ? createOnPostgres(db) : createOnSqlite(db))
}

async function createOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`insert into page_versions (scope, slot, version)
    values ('catalog', 0, ''), ('stock', 0, '')`.execute(db)
  const set = (scope: string) =>
    sql`begin update page_versions set version = hex(randomblob(8)) where scope = ${sql.lit(scope)}; end`
  for (const table of [...shown, 'product_variants']) {
    const events = table === 'product_variants' ? ['insert', 'delete'] : ['insert', 'update', 'delete']
    for (const event of events) {
      await sql`create trigger ${sql.id(`${table}_shown_${event}`)} after ${sql.raw(event)} on ${sql.id(table)}
        ${set('catalog')}`.execute(db)
    }
  }
  const changed = sql.join(
    variantColumns.map((column) => sql`old.${sql.id(column)} is not new.${sql.id(column)}`),
    sql` or `,
  )
  await sql`create trigger product_variants_shown_update after update on product_variants
    when ${changed} ${set('catalog')}`.execute(db)
  await sql`create trigger product_variants_stock_update after update on product_variants
    when old.stock_quantity is not new.stock_quantity ${set('stock')}`.execute(db)
}

async function createOnPostgres(db: Kysely<unknown>): Promise<void> {
  // A row is rewritten in place for as long as its page has room.
  await sql`alter table page_versions set (fillfactor = 20)`.execute(db)
  // Once a transaction: its later changes become visible together with its first.
  await sql`create function set_page_version(changed text) returns void language sql as $$
    insert into page_versions (scope, slot, version)
    values (changed, pg_backend_pid(), gen_random_uuid()::text)
    on conflict (scope, slot) do update set version = excluded.version
      where page_versions.xmin <> pg_current_xact_id()::xid
  $$`.execute(db)
  await sql`create function note_shown_change() returns trigger language plpgsql as $$
    begin
      perform set_page_version('catalog');
      return null;
    end
  $$`.execute(db)
  // As sets, which are compared in the time of a sort: a join of the two has no index.
  const columns = sql.join(variantColumns.map((column) => sql.id(column)))
  await sql`create function note_variant_changes() returns trigger language plpgsql as $$
    begin
      if exists (select ${columns} from new_rows except select ${columns} from old_rows) then
        perform set_page_version('catalog');
      end if;
      if exists (select id, stock_quantity from new_rows except select id, stock_quantity from old_rows) then
        perform set_page_version('stock');
      end if;
      return null;
    end
  $$`.execute(db)
  for (const table of shown) {
    await sql`create trigger ${sql.id(`${table}_shown`)}
      after insert or update or delete or truncate on ${sql.id(table)}
      for each statement execute function note_shown_change()`.execute(db)
  }
  await sql`create trigger product_variants_shown after insert or delete or truncate on product_variants
    for each statement execute function note_shown_change()`.execute(db)
  await sql`create trigger product_variants_shown_update after update on product_variants
    referencing old table as old_rows new table as new_rows
    for each statement execute function note_variant_changes()`.execute(db)
}
