import { dosageForms } from '#domain/catalog/catalog.ts'
import { otherForm, priceBands } from '#domain/search/facets.ts'
import { sql, type RawBuilder } from 'kysely'
import { isOneOf } from '../engine/sql.ts'
import { getEngine, prepareQuery, type Db, type Params } from '../engine/client.ts'
import { jsonRows, timestamp } from '../engine/json-rows.ts'
import type { Schema } from '../schema/schema.ts'
import { bestVariantFirst, refreshProductBrands } from './product-brands.ts'

/** "tablet,syrup": the forms among the variants, in the order of `dosageForms`. */
const formsList = sql.join(
  dosageForms.map(
    (form) => sql`max(case when dosage_form = ${sql.lit(form)} then ${sql.lit(`,${form}`)} else '' end)`,
  ),
  sql` || `,
)

/** "tablet+2": a variant's form, whether it is in stock (+ or -), and its price band. */
const offer = sql`coalesce(v.dosage_form, ${sql.lit(otherForm)}) || case when v.in_stock then '+' else '-' end ||
  case when coalesce(v.price_cents, 0) = 0 then 0 ${sql.join(
    priceBands.map(({ below }, i) =>
      below === null
        ? sql`else ${sql.lit(i + 1)} end`
        : sql`when v.price_cents < ${sql.lit(below * 100)} then ${sql.lit(i + 1)}`,
    ),
    sql` `,
  )}`

/** The different offers of the variants, sorted and joined by commas. */
const offersList = (db: Db): RawBuilder<string | null> => {
  const own = sql`case when v.id is not null then ${offer} end`
  return getEngine(db) === 'sqlite'
    ? sql`group_concat(distinct ${own} order by ${own})`
    : sql`string_agg(distinct (${own}) collate "C", ',' order by (${own}) collate "C")`
}

/**
 * Writes the summary of these products from their live variants: prices (0 is no price), stock,
 * count, forms, offers, the variant whose picture represents the product, and the brands. Products
 * whose summary is already correct are not written, so their version stays. Every edit of a product
 * or its variants calls this in its transaction.
 * @param now the time of the edit; null for an order, whose time must be at no medicine
 */
export async function refreshProductSummaries(
  db: Db,
  productIds: readonly string[],
  now: Date | null = new Date(),
): Promise<void> {
  if (productIds.length === 0) return
  const ids = sql<string>`${JSON.stringify(productIds)}`
  await lockProducts(db, ids)
  await sql`
    update products set
      price_min_cents = s.price_min, price_max_cents = s.price_max, in_stock = s.is_in_stock,
      variant_count = s.variants, dosage_forms = s.forms, cover_variant_id = s.cover,
      offers = s.offers, unit_price_min = s.unit_price_min,
      version = products.version + 1, updated_at = ${now === null ? sql`products.updated_at` : timestamp(db, now)}
    from (
      select p.id as product_id,
        min(case when v.price_cents > 0 then v.price_cents end) as price_min,
        max(case when v.price_cents > 0 then v.price_cents end) as price_max,
        max(case when v.in_stock then 1 else 0 end) = 1 as is_in_stock,
        count(v.id) as variants,
        substr(${formsList}, 2) as forms,
        coalesce(${offersList(db)}, '') as offers,
        min(case when v.price_cents > 0 and v.package_size > 0
          then v.price_cents * 10000 / v.package_size end) as unit_price_min,
        max(case when v.place = 1 then v.id end) as cover
      from products p
      left join (
        select *, row_number() over (
          partition by product_id
          order by ${bestVariantFirst}
        ) as place
        from product_variants
        where deleted_at is null and ${isOneOf(db, 'product_id', ids)}
      ) v on v.product_id = p.id
      where ${isOneOf(db, 'p.id', ids)}
      group by p.id
    ) s
    where products.id = s.product_id and (
      products.price_min_cents is distinct from s.price_min or products.price_max_cents is distinct from s.price_max
      or products.in_stock is distinct from s.is_in_stock or products.variant_count is distinct from s.variants
      or products.dosage_forms is distinct from s.forms or products.cover_variant_id is distinct from s.cover
      or products.offers is distinct from s.offers or products.unit_price_min is distinct from s.unit_price_min
    )`.execute(db)
  await refreshProductBrands(db, productIds)
}

/**
 * Locks the products before their variants are read, ordered by id. Otherwise, when two variants of
 * a product run out at the same moment, each transaction would still see the other's stock. SQLite
 * has one writer.
 */
async function lockProducts(db: Db, ids: RawBuilder<string>): Promise<void> {
  if (getEngine(db) === 'sqlite') return
  await db
    .selectFrom('products')
    .select('id')
    .where(isOneOf(db, 'id', ids))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

const insertUnits = prepareQuery((db, p: Params<{ id: string; sealedUnits: string }>) =>
  db.insertInto('unitsToCount').values({ id: p.id, sealedUnits: p.sealedUnits }),
)

/** Stores the units that an order sold or returned, for `countUnitsSold`. */
export async function insertUnitsToCount(db: Db, row: Schema['unitsToCount']): Promise<void> {
  await insertUnits(db, row)
}

/** Whether units wait to be counted. */
export const hasUnitsToCount = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('unitsToCount').select('id').limit(1).executeTakeFirst()) !== undefined

/** Takes all units that wait to be counted. Each is taken once, however many processes do. */
export const takeUnitsToCount = (db: Db): Promise<Schema['unitsToCount'][]> =>
  db.deleteFrom('unitsToCount').returningAll().execute()

/**
 * Adds units to `units_sold`, which orders the lists. In random order, because Postgres stores the
 * rows in the order in which they are written: not in that of the sales.
 */
export async function addUnitsSold(db: Db, sold: ReadonlyMap<string, number>): Promise<void> {
  const rows = [...sold].map(([id, units]) => ({ id, units }))
  await lockProducts(db, sql`${JSON.stringify([...sold.keys()])}`)
  await sql`update products set units_sold = units_sold + r.units
    from (select * from ${jsonRows(db, rows, { id: 'text', units: 'bigint' })} order by random()) as r
    where products.id = r.id`.execute(db)
}
