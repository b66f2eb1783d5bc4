import type { GridPage, GridQuery } from '#domain/grid.ts'
import type { TransactionType } from '#domain/inventory/inventory.ts'
import { sql } from 'kysely'
import { prepared, type Db, type Params } from '../engine/client.ts'
import { keysetPage } from '../engine/keyset.ts'
import { isOneOf } from '../engine/sql.ts'

/** A row of the ledger with the names of what it is about. */
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

/** A page of the ledger, of one variant or of all; deleted ones' rows are there, too. */
export async function listNamedTransactions(
  db: Db,
  { variantId, ...query }: GridQuery<string> & { variantId: string | null },
): Promise<GridPage<NamedTransaction>> {
  const total = db
    .selectFrom('inventoryTransactions')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .$if(variantId !== null, (asked) => asked.where('productVariantId', '=', variantId ?? ''))
    .executeTakeFirstOrThrow()
  // The ledger stands first, and SQLite keeps it there: its rows come in the order of its index, and few of them are read.
  const rows = db
    .selectFrom('inventoryTransactions as t')
    .crossJoin('productVariants as v')
    .crossJoin('products as p')
    .whereRef('v.id', '=', 't.productVariantId')
    .whereRef('p.id', '=', 'v.productId')
    .$if(variantId !== null, (asked) => asked.where('t.productVariantId', '=', variantId ?? ''))
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

const held = prepared((db, p: Params<{ ids: string }>) =>
  db
    .selectFrom('productVariants')
    .select(['id', 'reservedQuantity'])
    .where(isOneOf(db, 'id', p.ids)),
)

/** How many of these variants checkouts hold, by their ids. */
export async function listReserved(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await held(db, { ids: JSON.stringify(ids) })
  return new Map(rows.map(({ id, reservedQuantity }) => [id, reservedQuantity]))
}

/** A variant with what is at hand of it, also one that is no longer offered; null when it never was. */
export async function findStocked(db: Db, id: string) {
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

/** What is at hand of all that is offered, and what that is worth, in cents; read off an index of its own. */
export async function sumStock(db: Db): Promise<StockSums> {
  const { rows } = await sql<Record<keyof StockSums, number | string>>`
    select coalesce(sum(stock_quantity), 0) as units,
      coalesce(sum(stock_quantity * acquisition_cost_cents), 0) as cost_cents,
      coalesce(sum(stock_quantity * price_cents), 0) as price_cents,
      coalesce(sum(case when acquisition_cost_cents is null then stock_quantity else 0 end), 0) as without_cost,
      coalesce(sum(case when price_cents is null then stock_quantity else 0 end), 0) as without_price
    from product_variants where deleted_at is null and stock_quantity > 0`.execute(db)
  const [sums] = rows
  if (!sums) throw new Error('A sum is one row.')
  // Postgres sums whole numbers to numerics, which come as text.
  return {
    units: Number(sums.units),
    costCents: Number(sums.costCents),
    priceCents: Number(sums.priceCents),
    withoutCost: Number(sums.withoutCost),
    withoutPrice: Number(sums.withoutPrice),
  }
}
