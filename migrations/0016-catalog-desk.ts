import { sql, type Kysely } from 'kysely'

/** What the desk sorts and finds products and variants by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const indexes = {
    products_by_name: sql`products (sort_name, id) where deleted_at is null`,
    products_by_category_name: sql`products (category, sort_name, id) where deleted_at is null`,
    products_by_price: sql`products ((coalesce(price_min_cents, -1)), id) where deleted_at is null`,
    products_by_variant_count: sql`products (variant_count, id) where deleted_at is null`,
    product_variants_by_price: sql`product_variants ((coalesce(price_cents, -1)), id) where deleted_at is null`,
    product_variants_by_stock: sql`product_variants (stock_quantity, id) where deleted_at is null`,
    // The same terms stand in db/catalog/variant-rows.ts and db/catalog/product-rows.ts, or the index would not be found.
    product_variants_by_margin: sql`product_variants ((coalesce((price_cents - acquisition_cost_cents) * 1000 / nullif(price_cents, 0), -1000000000)), id) where deleted_at is null`,
    product_variants_in_stock: sql`product_variants (id) where in_stock and deleted_at is null`,
    product_variants_by_sku: sql`product_variants (sku) where sku is not null and deleted_at is null`,
    catalog_changes_by_variant: sql`catalog_changes (variant_id, id) where variant_id is not null`,
  }
  // With what the desk asks of a product's variants, so that it counts them without reading their rows.
  await sql`drop index product_variants_by_product`.execute(db)
  await sql`create index product_variants_by_product
    on product_variants (product_id, version, in_stock, stock_quantity, price_cents) where deleted_at is null`.execute(
    db,
  )
  for (const [name, on] of Object.entries(indexes)) {
    await sql`create index ${sql.ref(name)} on ${on}`.execute(db)
  }
}
