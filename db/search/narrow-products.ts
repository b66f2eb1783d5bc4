import type { Category } from '#domain/catalog/catalog.ts'
import type { OfferGroup, ProductSort } from '#domain/search/facets.ts'
import { sql, type RawBuilder } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import { groupExpression, groupText } from './count-offers.ts'

const popularFirst = sql`p.sales_order, p.sort_name, p.id`
const orders: Readonly<Record<Exclude<ProductSort, 'relevance'>, RawBuilder<unknown>>> = {
  popularity: popularFirst,
  name: sql`p.sort_name, p.id`,
  // Without a price, last.
  price: sql`case when p.price_min_cents is null then 1 else 0 end, p.price_min_cents, ${popularFirst}`,
  'price-desc': sql`case when p.price_max_cents is null then 1 else 0 end, p.price_max_cents desc, ${popularFirst}`,
  'unit-price': sql`case when p.unit_price_min is null then 1 else 0 end, p.unit_price_min, ${popularFirst}`,
}

type Narrowing = {
  /** In order of relevance; null for all listed products, which are then ordered by popularity. */
  productIds: readonly string[] | null
  /** Products of these groups only; null for all. */
  groups: readonly OfferGroup[] | null
  sort: ProductSort
  offset: number
  limit: number
}

/**
 * The category of all these groups, if they have one. Its index is in the order of a list, so that
 * no product of another category is read.
 */
const commonCategory = (groups: readonly OfferGroup[] | null): Category | null => {
  const [first = null, ...others] = new Set(groups?.map(({ category }) => category))
  return others.length === 0 ? first : null
}

/** The ids of one page of the products of some groups. */
export async function listNarrowed(
  db: Db,
  { productIds, groups, sort, offset, limit }: Narrowing,
): Promise<string[]> {
  const json = sql<string>`${JSON.stringify(productIds)}`
  const found =
    getEngine(db) === 'sqlite'
      ? sql`(select value as id, key as place from json_each(${json}))`
      : sql`(select value as id, place from jsonb_array_elements_text(${json}::jsonb) with ordinality as t (value, place))`
  const keys = sql<string>`${JSON.stringify((groups ?? []).map(groupText))}`
  const inGroups =
    getEngine(db) === 'sqlite'
      ? sql`${groupExpression} in (select value from json_each(${keys}))`
      : sql`${groupExpression} in (select jsonb_array_elements_text(${keys}::jsonb))`
  const category = productIds === null ? commonCategory(groups) : null
  const order = sort === 'relevance' ? (productIds === null ? popularFirst : sql`f.place`) : orders[sort]
  const { rows } = await sql<{ id: string }>`
    select p.id from products p ${productIds === null ? sql`` : sql`join ${found} f on f.id = p.id`}
    where p.deleted_at is null ${groups === null ? sql`` : sql`and ${inGroups}`}
      ${category === null ? sql`` : sql`and p.category = ${category}`}
    order by ${order} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The cheapest unit of each of these products: its price and pack. */
export async function findCheapestUnits(
  db: Db,
  productIds: readonly string[],
): Promise<Map<string, { priceCents: number; packageSize: number; packageUnit: string }>> {
  const { rows } = await sql<{
    productId: string
    priceCents: number
    packageSize: number
    packageUnit: string
  }>`
    select v.product_id as "productId", v.price_cents as "priceCents", v.package_size as "packageSize",
      v.package_unit as "packageUnit"
    from product_variants v join products p on p.id = v.product_id
    where ${isOneOf(db, 'v.product_id', sql`${JSON.stringify(productIds)}`)} and v.deleted_at is null
      and v.price_cents > 0 and v.package_size > 0
      and v.price_cents * 10000 / v.package_size = p.unit_price_min
    order by v.id desc`.execute(db)
  return new Map(rows.map(({ productId, ...unit }) => [productId, unit]))
}
