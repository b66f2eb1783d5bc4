import { labelOfRow } from '#domain/catalog/form-label.ts'
import type { GridPage } from '#domain/grid.ts'
import { countedRows } from '#domain/grid-total.ts'
import { lowStock } from '#domain/inventory/inventory.ts'
import { decimalFromCents } from '#domain/money.ts'
import type { VariantQuery, VariantRow } from '#domain/catalog/variant-grid.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { getEngine, prepareQuery, type Db, type Params } from '../engine/client.ts'
import { keysetPage, toPageStart } from '../engine/keyset.ts'
import { isOneOf } from '../engine/sql.ts'
import { perCatalog } from './catalog-memo.ts'
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
 * The number of matching variants, up to one above `countedRows`. A search knows its own, and those
 * of a category are counted once per change of the catalog, so only other filters need counting.
 */
async function countMatching(db: Db, query: VariantQuery, found: readonly string[] | null): Promise<number> {
  const { category, stock, price, manufacturerId } = query
  const isNarrowed = [stock, price, manufacturerId].some((filter) => filter !== undefined)
  if (!isNarrowed && found === null) return countInCategory(db, category)
  if (!isNarrowed && category === undefined) return found?.length ?? 0
  const { rows } = await sql<{ count: number }>`select cast(count(*) as integer) as count
    from (select 1 ${matching(db, query, found)} limit ${countedRows + 1}) as counted_rows`.execute(db)
  return rows[0]?.count ?? 0
}

const countsByCategory = perCatalog(async () => new Map<VariantQuery['category'], number>())

/** Sums what products store, up to one above `countedRows`. */
async function countInCategory(db: Db, category: VariantQuery['category']): Promise<number> {
  // Before the count, so that a count is never older than its version.
  const counts = await countsByCategory(db)
  const known = counts.get(category)
  if (known !== undefined) return known
  const limit = countedRows + 1
  const { rows } = await sql<{
    count: number
  }>`select cast(coalesce(sum(variant_count), 0) as integer) as count
    from (select variant_count from products
      where ${inCategory(category)} and variant_count > 0 limit ${limit}) as counted_rows`.execute(db)
  const count = Math.min(rows[0]?.count ?? 0, limit)
  counts.set(category, count)
  return count
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
    // A product's variants are adjacent in its index.
    conditions.push(
      isIn(db, sql`v.product_id`, sql`select id from products where ${inCategory(query.category)}`),
    )
  }
  if (found) conditions.push(isOneOf(db, 'v.id', sql`${JSON.stringify(found)}`))
  if (withProduct) conditions.push(sql`v.product_id = p.id`)
  return sql`from product_variants v ${withProduct ? sql`cross join products p` : sql``}
    where ${sql.join(conditions, sql` and `)}`
}

/** `column in (rows)`. An array on Postgres, which would join a subquery's tables whole. */
const isIn = (db: Db, column: RawBuilder<string>, rows: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  getEngine(db) === 'postgres' ? sql`${column} = any(array(${rows}))` : sql`${column} in (${rows})`

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

/** Sorts after each id: a UUID has no digit beyond f. */
const afterAllIds = 'g'

/**
 * The matches, read in order off an index. The index's table comes first, and SQLite keeps it
 * first.
 */
function queryInOrder(db: Db, query: VariantQuery) {
  const conditions = [sql<SqlBool>`v.product_id = p.id`, ...buildConditions(query)]
  if (query.sort !== 'product') {
    if (query.category !== undefined) conditions.push(sql`p.category = ${query.category}`)
    return db
      .selectFrom('productVariants as v')
      .crossJoin('products as p')
      .select('v.id')
      .where(sql<SqlBool>`${sql.join(conditions, sql` and `)}`)
  }
  const { from, isDescending, order, beyond } = toPageStart(query)
  const productConditions = [sql<SqlBool>`p.deleted_at is null`]
  if (query.category !== undefined) productConditions.push(sql`p.category = ${query.category}`)
  if (from) {
    // Without these, neither engine would start reading its index at the page's position.
    productConditions.push(sql`p.sort_name ${beyond}= ${from.value}`)
    const start = isDescending ? afterAllIds : ''
    conditions.push(
      sql`v.id ${beyond} case when p.sort_name = ${from.value} then ${from.id} else ${start} end`,
    )
  }
  // No more of each product than the page can show: one product may have thousands of variants.
  const nextIds = sql`select v.id from product_variants v
    where ${sql.join(conditions, sql` and `)} order by v.id ${order} limit ${query.size + 1}`
  return db
    .selectFrom('products as p')
    .crossJoin('productVariants as v')
    .select('v.id')
    .where(sql<SqlBool>`${sql.join(productConditions, sql` and `)} and ${isIn(db, sql`v.id`, nextIds)}`)
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
      'linked.dosageForm as linkedDosageForm',
      'linked.labelForm as linkedLabelForm',
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
  linkedDosageForm,
  linkedLabelForm,
}: SelectedRow): string | null {
  if (linkedStrength === null || linkedPackageSize === null) return null
  return labelOfRow({
    brandName: linkedBrand,
    strength: linkedStrength,
    strengthUnit: linkedStrengthUnit ?? '',
    packageSize: linkedPackageSize,
    packageUnit: linkedPackageUnit ?? '',
    dosageForm: linkedDosageForm,
    labelForm: linkedLabelForm,
  })
}
