import type { GridPage, GridQuery } from '#domain/grid.ts'
import type { TransactionType } from '#domain/inventory/inventory.ts'
import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { keysetPage } from '../engine/keyset.ts'
import { isOneOf } from '../engine/sql.ts'

/** A ledger row with the names of its product and variant. */
export type NamedTransaction = {
  id: string
  productVariantId: string
  transactionType: TransactionType
  quantityChange: number
  quantityBefore: number
  quantityAfter: number
  notes: string | null
  createdAt: Date
  productName: string
  brandName: string | null
  strength: string
  strengthUnit: string
  packageSize: number
  packageUnit: string
}

/** A page of the ledger, of one variant or all, including deleted ones. */
export async function listNamedTransactions(
  db: Db,
  { variantId, ...query }: GridQuery<string> & { variantId: string | null },
): Promise<GridPage<NamedTransaction>> {
  const total = db
    .selectFrom('inventoryTransactions')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .$if(variantId !== null, (filtered) => filtered.where('productVariantId', '=', variantId ?? ''))
    .executeTakeFirstOrThrow()
  // SQLite does not reorder a cross join: the ledger stays the outer table, in index order, so that
  // only the page's rows are read.
  const rows = db
    .selectFrom('inventoryTransactions as t')
    .crossJoin('productVariants as v')
    .crossJoin('products as p')
    .whereRef('v.id', '=', 't.productVariantId')
    .whereRef('p.id', '=', 'v.productId')
    .$if(variantId !== null, (filtered) => filtered.where('t.productVariantId', '=', variantId ?? ''))
    .select([
      't.id',
      't.productVariantId',
      't.transactionType',
      't.quantityChange',
      't.quantityBefore',
      't.quantityAfter',
      't.notes',
      't.createdAt',
      'p.name as productName',
      'v.brandName',
      'v.strength',
      'v.strengthUnit',
      'v.packageSize',
      'v.packageUnit',
    ])
  return keysetPage(
    rows,
    { by: sql`t.id`, id: sql`t.id` },
    query,
    total.then(({ count }) => count),
  )
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

/** A variant with its stock, even a deleted one; null when it never existed. */
export async function findVariantStock(db: Db, id: string) {
  const row = await db
    .selectFrom('productVariants as v')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .select([
      'v.id',
      'v.productId',
      'v.brandName',
      'v.strength',
      'v.strengthUnit',
      'v.packageSize',
      'v.packageUnit',
      'v.stockQuantity',
      'v.reservedQuantity',
      'v.deletedAt',
      'p.name as productName',
    ])
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
