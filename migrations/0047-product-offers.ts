import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * What the filters and sorts of the results need of a product's variants, so that a count reads no
 * variants: the different forms, whether in stock, and price bands ("tablet+2,tablet-3"), and the
 * lowest price of a unit. And an index for finding the ingredients of a class.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  await db.schema
    .alterTable('products')
    .addColumn('offers', isPostgres ? sql`text collate "C"` : sql`text`, (col) => col.notNull().defaultTo(''))
    .execute()
  // In ten-thousandths of a cent.
  await db.schema.alterTable('products').addColumn('unit_price_min', 'bigint').execute()

  const offer = sql`coalesce(v.dosage_form, 'other') || case when v.in_stock then '+' else '-' end ||
    case when coalesce(v.price_cents, 0) = 0 then 0 when v.price_cents < 1000 then 1
      when v.price_cents < 2500 then 2 when v.price_cents < 5000 then 3 when v.price_cents < 10000 then 4
      else 5 end`
  const offers = isPostgres
    ? sql`string_agg(distinct (${offer}) collate "C", ',' order by (${offer}) collate "C")`
    : sql`group_concat(distinct ${offer} order by ${offer})`
  await sql`update products set offers = s.offers, unit_price_min = s.unit_price_min
    from (
      select v.product_id, ${offers} as offers,
        min(case when v.price_cents > 0 and v.package_size > 0
          then v.price_cents * 10000 / v.package_size end) as unit_price_min
      from product_variants v where v.deleted_at is null group by v.product_id
    ) s
    where products.id = s.product_id`.execute(db)

  await sql`create index products_by_offers on products (category, pharmacy_id, offers)
    where deleted_at is null`.execute(db)
  await db.schema
    .createIndex('care_classes_by_system')
    .on('care_classes')
    .columns(['system', 'code', 'name'])
    .execute()
}
