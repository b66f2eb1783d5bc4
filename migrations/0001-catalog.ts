import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** Medicines, what is sold of them, who makes them (specification, section 3). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Byte order everywhere, so that both engines sort and page alike.
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('manufacturers')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('name', text, (col) => col.notNull())
    .addColumn('name_key', text, (col) => col.notNull().unique())
    // The name without its legal form, by which directories' spellings of one maker meet; null when made by hand.
    .addColumn('catalog_key', text, (col) => col.unique())
    .addColumn('street_address', text)
    .addColumn('city', text)
    .addColumn('state_province', text)
    .addColumn('country', text)
    .addColumn('postal_code', text)
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('pharmacies')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('name', text, (col) => col.notNull())
    .addColumn('country', text, (col) => col.notNull())
    .addColumn('licence_number', text, (col) => col.notNull())
    .addColumn('licence_expiry', text, (col) => col.notNull())
    .addColumn('ships_to', 'jsonb', (col) => col.notNull())
    .addColumn('active', 'boolean', (col) => col.notNull())
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('products')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('name', text, (col) => col.notNull())
    // The name folded for sorting and comparing: lower case, no accents, single spaces.
    .addColumn('sort_name', text, (col) => col.notNull())
    .addColumn('description', text)
    .addColumn('image', text)
    .addColumn('category', text, (col) => col.notNull().check(sql`category in ('Rx', 'OTC')`))
    .addColumn('pharmacy_id', text, (col) => col.references('pharmacies.id'))
    .addColumn('controlled_schedule', text)
    // All active ingredients as one reads them, "; " between; the name shows the first few.
    .addColumn('ingredients', text)
    // How it is taken ("oral") and its established pharmacologic class, when a directory says so.
    .addColumn('route', text)
    .addColumn('drug_class', text)
    // Which medicine of the directories this is; null for products made by hand.
    .addColumn('catalog_key', text, (col) => col.unique())
    // The description that the import wrote last: a description that differs is an administrator's and stays.
    .addColumn('catalog_description', text)
    .addColumn('units_sold', 'bigint', (col) => col.notNull().defaultTo(0))
    // Ascending beside sort_name and id, so that one index serves the popularity order and its keyset pages.
    .addColumn('sales_order', 'bigint', (col) =>
      col
        .generatedAlwaysAs(sql`(-units_sold)`)
        .stored()
        .notNull(),
    )
    // A summary of the variants, kept by refreshProductSummaries.
    .addColumn('price_min_cents', 'bigint')
    .addColumn('price_max_cents', 'bigint')
    .addColumn('in_stock', 'boolean', (col) => col.notNull().defaultTo(false))
    .addColumn('variant_count', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('dosage_forms', text, (col) => col.notNull().defaultTo(''))
    .addColumn('cover_variant_id', text)
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .addColumn('deleted_at', 'timestamptz')
    .execute()
  for (const [name, leading] of [
    ['products_by_popularity', ''],
    ['products_by_category', 'category, '],
  ] as const) {
    await sql`create index ${sql.ref(name)} on products (${sql.raw(leading)}sales_order, sort_name, id) where deleted_at is null`.execute(
      db,
    )
  }
  // The list's ETag reads counts and versions only.
  await sql`create index products_by_version on products (version, id) where deleted_at is null`.execute(db)

  await db.schema
    .createTable('product_variants')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('product_id', text, (col) => col.notNull().references('products.id'))
    .addColumn('brand_name', text)
    .addColumn('generic_name', text, (col) => col.notNull())
    .addColumn('manufacturer_id', text, (col) => col.references('manufacturers.id'))
    .addColumn('dosage_form', text)
    .addColumn('strength', text, (col) => col.notNull())
    .addColumn('strength_unit', text, (col) => col.notNull())
    .addColumn('package_size', 'integer', (col) => col.notNull())
    .addColumn('package_unit', text, (col) => col.notNull())
    .addColumn('price_cents', 'bigint', (col) => col.check(sql`price_cents >= 0`))
    .addColumn('acquisition_cost_cents', 'bigint', (col) => col.check(sql`acquisition_cost_cents >= 0`))
    .addColumn('sku', text)
    .addColumn('upc', text)
    .addColumn('ndc', text)
    .addColumn('din', text)
    .addColumn('track_inventory', 'boolean', (col) => col.notNull().defaultTo(true))
    .addColumn('in_stock', 'boolean', (col) => col.notNull().defaultTo(false))
    .addColumn('stock_quantity', 'integer', (col) =>
      col
        .notNull()
        .defaultTo(0)
        .check(sql`stock_quantity >= 0`),
    )
    .addColumn('linked_variant_id', text)
    // The directory's own words, kept as published.
    .addColumn('label_strength', text)
    .addColumn('label_form', text)
    .addColumn('label_pack', text)
    // The schedule that this row is under, in the directory's words or by its ingredients.
    .addColumn('controlled_schedule', text)
    // The directory row this came from ("ndc:0228-2899-96") and a digest of what it said; null when made by hand.
    .addColumn('catalog_key', text, (col) => col.unique())
    .addColumn('catalog_digest', text)
    // The names by which the row is asked for: [[kind, label, folded], …].
    .addColumn('catalog_names', 'jsonb')
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .addColumn('deleted_at', 'timestamptz')
    .execute()
  await sql`create index product_variants_by_product on product_variants (product_id, version) where deleted_at is null`.execute(
    db,
  )
  await sql`create index product_variants_by_manufacturer on product_variants (manufacturer_id, product_id) where deleted_at is null`.execute(
    db,
  )
  await sql`create index product_variants_by_link on product_variants (linked_variant_id) where linked_variant_id is not null`.execute(
    db,
  )

  // Every code by which a variant may be asked for. Several variants may share one: bare ten digits are ambiguous.
  await db.schema
    .createTable('variant_identifiers')
    .addColumn('code', text, (col) => col.notNull())
    .addColumn('kind', text, (col) => col.notNull())
    .addColumn('variant_id', text, (col) =>
      col.notNull().references('product_variants.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('variant_identifiers_pk', ['code', 'kind', 'variant_id'])
    .execute()
  await db.schema
    .createIndex('variant_identifiers_by_variant')
    .on('variant_identifiers')
    .column('variant_id')
    .execute()
}
