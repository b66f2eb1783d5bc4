import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

const selectNames = prepareQuery((db, p: Params<{ ids: string }>) =>
  db
    .selectFrom('productVariants as v')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .select([
      'v.id',
      'p.name as productName',
      'v.brandName',
      'v.strength',
      'v.strengthUnit',
      'v.packageSize',
      'v.packageUnit',
      'v.dosageForm',
      'v.labelForm',
    ])
    .where(isOneOf(db, 'v.id', p.ids)),
)

type VariantName = Awaited<ReturnType<typeof selectNames>>[number]

/** What names these variants, by id, even deleted ones. */
export async function listVariantNames(db: Db, ids: readonly string[]): Promise<Map<string, VariantName>> {
  const rows = await selectNames(db, { ids: JSON.stringify(ids) })
  return new Map(rows.map((row) => [row.id, row]))
}

const selectReserved = prepareQuery((db, p: Params<{ ids: string }>) =>
  db
    .selectFrom('productVariants')
    .select(['id', 'reservedQuantity'])
    .where(isOneOf(db, 'id', p.ids)),
)

/** The reserved quantity of these variants, by id. */
export async function listReserved(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await selectReserved(db, { ids: JSON.stringify(ids) })
  return new Map(rows.map(({ id, reservedQuantity }) => [id, reservedQuantity]))
}

/** What names a variant, and its stock. */
const namedColumns = [
  'v.id',
  'v.productId',
  'v.brandName',
  'v.strength',
  'v.strengthUnit',
  'v.packageSize',
  'v.packageUnit',
  'v.dosageForm',
  'v.labelForm',
  'v.stockQuantity',
  'v.inStock',
  'p.name as productName',
] as const

const selectChoices = prepareQuery((db, p: Params<{ ids: string }>) =>
  db
    .selectFrom('productVariants as v')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .leftJoin('manufacturers as m', 'm.id', 'v.manufacturerId')
    .select([
      'm.name as manufacturerName',
      ...namedColumns,
      'v.ndc',
      'v.din',
      'v.upc',
      'v.trackInventory',
      'p.route',
      'p.category',
    ])
    .where(isOneOf(db, 'v.id', p.ids))
    .where('v.deletedAt', 'is', null),
)

/** These variants with what tells them apart, in the order of the ids. */
export async function listVariantChoices(db: Db, ids: readonly string[]) {
  const rows = await selectChoices(db, { ids: JSON.stringify(ids) })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** A variant with its stock, even a deleted one; null when it never existed. */
export async function findVariantStock(db: Db, id: string) {
  const row = await db
    .selectFrom('productVariants as v')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .select([...namedColumns, 'v.reservedQuantity', 'v.deletedAt'])
    .where('v.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export type StockSums = {
  units: number
  costCents: number
  priceCents: number
  withoutCost: number
  withoutPrice: number
}

/** All stock on hand of active variants and its value in cents, read from a covering index. */
export async function sumStock(db: Db): Promise<StockSums> {
  const { rows } = await sql<Record<keyof StockSums, number | string>>`
    select coalesce(sum(stock_quantity), 0) as units,
      coalesce(sum(stock_quantity * acquisition_cost_cents), 0) as cost_cents,
      coalesce(sum(stock_quantity * price_cents), 0) as price_cents,
      coalesce(sum(case when acquisition_cost_cents is null then stock_quantity else 0 end), 0) as without_cost,
      coalesce(sum(case when price_cents is null then stock_quantity else 0 end), 0) as without_price
    from product_variants where deleted_at is null and stock_quantity > 0`.execute(db)
  const [sums] = rows
  if (!sums) throw new Error('The stock sum returned no row.')
  // Postgres returns sums of integers as numeric, which the driver reads as text.
  return {
    units: Number(sums.units),
    costCents: Number(sums.costCents),
    priceCents: Number(sums.priceCents),
    withoutCost: Number(sums.withoutCost),
    withoutPrice: Number(sums.withoutPrice),
  }
}
