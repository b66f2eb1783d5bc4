import { variantLabel } from '#domain/catalog/catalog.ts'
import type { GridPage } from '#domain/grid.ts'
import { countedRows } from '#domain/grid-total.ts'
import { lowStock } from '#domain/inventory/inventory.ts'
import { decimalFromCents } from '#domain/money.ts'
import type { VariantQuery, VariantRow } from '#domain/catalog/variant-grid.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { getEngine, prepareQuery, type Db, type Params } from '../engine/client.ts'
import { keysetPage } from '../engine/keyset.ts'
import { isOneOf } from '../engine/sql.ts'
import { publicVariantColumns, toVariant } from './variants.ts'

/**
 * Up to this many matching rows are sorted. With more, the index of the sort order has enough
 * matches near any start.
 */
const maxSorted = 1000

/** The indexed expressions of migration 0016. */
const sortTerms: Readonly<Record<VariantQuery['sort'], RawBuilder<string | number>>> = {
  product: sql`p.sort_name`,
  price: sql`coalesce(v.price_cents, -1)`,
  stock: sql`v.stock_quantity`,
  margin: sql`coalesce((v.price_cents - v.acquisition_cost_cents) * 1000 / nullif(v.price_cents, 0), -1000000000)`,
  newest: sql`v.id`,
}

/**
 * A page of the matching variants, among `found` when there was a search, at the cost of a few rows
 * at any depth. Many matches are read off an index in order. Few matches, and search results, are
 * found first and then sorted.
 */
export async function listVariantRows(
  db: Db,
  query: VariantQuery,
  found: readonly string[] | null,
): Promise<GridPage<VariantRow>> {
  const count = await countMatching(db, query, found)
  const page =
    found !== null || count <= maxSorted
      ? await sortedPage(db, query, found, count)
      : await keysetPage(
          queryInOrder(db, query),
          { by: sortTerms[query.sort], id: sql`v.id` },
          query,
          Promise.resolve(count),
        )
  const rows = await rowsByIds(db, { ids: JSON.stringify(page.rows.map(({ id }) => id)) })
  const byId = new Map(rows.map((row) => [row.id, toRow(row)]))
  return { ...page, rows: page.rows.flatMap(({ id }) => byId.get(id) ?? []) }
}

const sortedPage = (db: Db, query: VariantQuery, found: readonly string[] | null, count: number) =>
  keysetPage(
    db
      .with(
        (cte) => cte('found').materialized(),
        () => sql<{ id: string; place: string | number }>`
          (select v.id, ${sortTerms[query.sort]} as place ${matching(db, query, found, { withProduct: query.sort === 'product' })})`,
      )
      .selectFrom('found')
      .select('found.id'),
    { by: sql`found.place`, id: sql`found.id` },
    query,
    Promise.resolve(count),
  )

/** A variant as the grid shows it, or null. */
export async function findVariantRow(db: Db, id: string): Promise<VariantRow | null> {
  const [row] = await rowsByIds(db, { ids: JSON.stringify([id]) })
  return row ? toRow(row) : null
}

/**
 * The number of matching variants, up to one above `countedRows`. Products store their count and a
 * search knows its own, so only other filters need counting.
 */
async function countMatching(db: Db, query: VariantQuery, found: readonly string[] | null): Promise<number> {
  const { category, stock, price, manufacturerId } = query
  const isNarrowed = [stock, price, manufacturerId].some((filter) => filter !== undefined)
  if (found && !isNarrowed && category === undefined) return found.length
  const counted = countedRows + 1
  const count =
    found || isNarrowed
      ? sql`count(*) as integer) as count from (select 1 ${matching(db, query, found)} limit ${counted}) as counted_rows`
      : sql`coalesce(sum(variant_count), 0) as integer) as count from (select variant_count from products
          where ${inCategory(category)} and variant_count > 0 limit ${counted}) as counted_rows`
  const { rows } = await sql<{ count: number }>`select cast(${count}`.execute(db)
  return Math.min(rows[0]?.count ?? 0, counted)
}

const inCategory = (category: VariantQuery['category']): RawBuilder<SqlBool> =>
  category === undefined ? sql`deleted_at is null` : sql`deleted_at is null and category = ${category}`

/** `from … where …` of the matches: `v` is the variant, `p` its product if requested. */
function matching(
  db: Db,
  query: VariantQuery,
  found: readonly string[] | null,
  { withProduct = false } = {},
): RawBuilder<unknown> {
  const conditions = buildConditions(query)
  if (query.category !== undefined) {
    const ids = sql`select id from products where ${inCategory(query.category)}`
    // An array: with a subquery Postgres would join both tables whole. A product's variants are
    // adjacent in its index.
    conditions.push(
      getEngine(db) === 'postgres' ? sql`v.product_id = any(array(${ids}))` : sql`v.product_id in (${ids})`,
    )
  }
  if (found) conditions.push(isOneOf(db, 'v.id', sql`${JSON.stringify(found)}`))
  if (withProduct) conditions.push(sql`v.product_id = p.id`)
  return sql`from product_variants v ${withProduct ? sql`cross join products p` : sql``}
    where ${sql.join(conditions, sql` and `)}`
}

function buildConditions({ stock, price, manufacturerId }: VariantQuery): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = [sql`v.deleted_at is null`]
  if (stock === 'in') conditions.push(sql`v.in_stock`)
  if (stock === 'out') conditions.push(sql`not v.in_stock`)
  if (stock === 'low') conditions.push(sql`v.stock_quantity <= ${sql.lit(lowStock)}`)
  // A price of 0 counts as no price.
  if (price === 'none') conditions.push(sql`coalesce(v.price_cents, -1) <= 0`)
  if (manufacturerId !== undefined) conditions.push(sql`v.manufacturer_id = ${manufacturerId}`)
  return conditions
}

/**
 * The matches, read in order off an index. The index's table comes first, and SQLite keeps it
 * first.
 */
function queryInOrder(db: Db, query: VariantQuery) {
  const conditions = [sql<SqlBool>`v.product_id = p.id`, ...buildConditions(query)]
  if (query.category !== undefined) conditions.push(sql`p.category = ${query.category}`)
  if (query.sort !== 'product') {
    return db
      .selectFrom('productVariants as v')
      .crossJoin('products as p')
      .select('v.id')
      .where(sql<SqlBool>`${sql.join(conditions, sql` and `)}`)
  }
  // Without this, neither engine would start reading the index at the page's position.
  const from = query.last === undefined ? (query.before ?? query.after) : undefined
  const isAscending = (query.dir === 'asc') === (query.before === undefined)
  if (from) conditions.push(sql`p.sort_name ${isAscending ? sql`>=` : sql`<=`} ${from.value}`)
  return db
    .selectFrom('products as p')
    .crossJoin('productVariants as v')
    .select('v.id')
    .where(sql<SqlBool>`p.deleted_at is null and ${sql.join(conditions, sql` and `)}`)
}

const rowsByIds = prepareQuery((db, p: Params<{ ids: string }>) =>
  db
    .selectFrom('productVariants')
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .leftJoin('manufacturers', 'manufacturers.id', 'productVariants.manufacturerId')
    .leftJoin('productVariants as linked', (join) =>
      join.onRef('linked.id', '=', 'productVariants.linkedVariantId').on('linked.deletedAt', 'is', null),
    )
    .select(publicVariantColumns)
    .select([
      'productVariants.acquisitionCostCents',
      'productVariants.version',
      'products.name as productName',
      'products.category',
      'products.controlledSchedule',
      'manufacturers.name as manufacturerName',
      'linked.brandName as linkedBrand',
      'linked.strength as linkedStrength',
      'linked.strengthUnit as linkedStrengthUnit',
      'linked.packageSize as linkedPackageSize',
      'linked.packageUnit as linkedPackageUnit',
    ])
    .where(isOneOf(db, 'product_variants.id', p.ids))
    .where('productVariants.deletedAt', 'is', null),
)

type SelectedRow = Awaited<ReturnType<typeof rowsByIds>>[number]

const toRow = (row: SelectedRow): VariantRow => ({
  ...toVariant(row),
  acquisitionCost: row.acquisitionCostCents === null ? null : decimalFromCents(row.acquisitionCostCents),
  productName: row.productName,
  category: row.category,
  controlledSchedule: row.controlledSchedule,
  manufacturerName: row.manufacturerName,
  linkedVariant: linkedLabel(row),
  version: row.version,
})

function linkedLabel({
  linkedBrand,
  linkedStrength,
  linkedStrengthUnit,
  linkedPackageSize,
  linkedPackageUnit,
}: SelectedRow): string | null {
  if (linkedStrength === null || linkedPackageSize === null) return null
  return variantLabel({
    brandName: linkedBrand,
    strength: linkedStrength,
    strengthUnit: linkedStrengthUnit ?? '',
    packageSize: linkedPackageSize,
    packageUnit: linkedPackageUnit ?? '',
  })
}
