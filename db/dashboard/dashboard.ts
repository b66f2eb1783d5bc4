import { lowStock } from '#domain/inventory/inventory.ts'
import { countLimit, type DayFigures, type LowStock, type TopMedicine } from '#domain/dashboard/dashboard.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'

type Span = { before: Date; from: Date; to: Date }

/**
 * All-time sales. The revenue covers all orders: captured money less refunds. The counts cover only
 * orders whose customer still has an account, as in every list.
 */
export async function sumOrders(db: Db): Promise<{ cents: number; orders: number; pending: number }> {
  return db
    .selectFrom('orders')
    .select([
      sql<number>`cast(coalesce(sum(total_cents - refunded_cents), 0) as bigint)`.as('cents'),
      sql<number>`cast(count(user_id) as integer)`.as('orders'),
      sql<number>`cast(count(case when status = 'processing' then user_id end) as integer)`.as('pending'),
    ])
    .executeTakeFirstOrThrow()
}

/** The sales of each UTC day of both periods; days without orders are omitted. */
export async function sumOrdersByDay(db: Db, { before, to }: Span): Promise<DayFigures[]> {
  const day =
    getEngine(db) === 'postgres'
      ? sql<string>`cast(created_at at time zone 'UTC' as date)`
      : sql<string>`substr(created_at, 1, 10)`
  return db
    .selectFrom('orders')
    .select([
      sql<string>`cast(${day} as text)`.as('day'),
      sql<number>`cast(sum(total_cents - refunded_cents) as bigint)`.as('cents'),
      sql<number>`cast(count(*) as integer)`.as('orders'),
    ])
    .where('createdAt', '>=', before)
    .where('createdAt', '<', to)
    .groupBy(day)
    .execute()
}

/**
 * The products with the most units sold in the later period, less cancellations, with the previous
 * period's units.
 */
export async function listTopMedicines(
  db: Db,
  { before, from, to }: Span,
  limit: number,
): Promise<TopMedicine[]> {
  const unitsIn = (condition: RawBuilder<SqlBool>) =>
    sql<number>`cast(sum(case when ${condition} then -quantity_change else 0 end) as integer)`
  // Sums by variant first, from the index alone: there are many more sales than variants.
  const byVariant = db
    .selectFrom('inventoryTransactions')
    .select([
      'productVariantId',
      unitsIn(sql`created_at >= ${from}`).as('units'),
      unitsIn(sql`created_at < ${from}`).as('previousUnits'),
    ])
    // Repeats the index's own condition.
    .where(sql<boolean>`transaction_type in ('sale', 'cancellation')`)
    .where('createdAt', '>=', before)
    .where('createdAt', '<', to)
    .groupBy('productVariantId')
  const byProduct = db
    .selectFrom(byVariant.as('sold'))
    .innerJoin('productVariants', 'productVariants.id', 'sold.productVariantId')
    .select([
      'productVariants.productId',
      sql<number>`cast(sum(sold.units) as integer)`.as('units'),
      sql<number>`cast(sum(sold.previous_units) as integer)`.as('previousUnits'),
    ])
    .groupBy('productVariants.productId')
  return db
    .selectFrom(byProduct.as('sold'))
    .innerJoin('products', 'products.id', 'sold.productId')
    .select(['sold.productId', 'products.name', 'sold.units', 'sold.previousUnits'])
    .where('sold.units', '>', 0)
    .orderBy('sold.units', 'desc')
    .orderBy('sold.productId')
    .limit(limit)
    .execute()
}

const lowStockVariants = (db: Db) =>
  db
    .selectFrom('productVariants')
    // Repeats the condition of the partial index of migration 0014, which another `lowStock` would
    // need to replace.
    .where(
      sql<boolean>`product_variants.deleted_at is null and track_inventory and stock_quantity <= ${sql.lit(lowStock)}`,
    )

async function countLowStock(db: Db, isEmpty: boolean): Promise<number> {
  const limited = lowStockVariants(db)
    .select('id')
    .where('stockQuantity', isEmpty ? '=' : '>', 0)
    .limit(countLimit + 1)
  const { count } = await db
    .selectFrom(limited.as('some'))
    .select(sql<number>`cast(count(*) as integer)`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const listLowStockRows = (db: Db, isEmpty: boolean, limit: number) =>
  lowStockVariants(db)
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .select([
      'productVariants.id as variantId',
      'products.name',
      'brandName',
      'strength',
      'strengthUnit',
      'packageSize',
      'packageUnit',
      'stockQuantity',
    ])
    .where('stockQuantity', isEmpty ? '=' : '>', 0)
    .orderBy('stockQuantity')
    .orderBy('productVariants.id')
    .limit(limit)
    .execute()

/** Variants with low stock, lowest first, then those out of stock. */
export async function getLowStock(db: Db, limit: number): Promise<LowStock> {
  const [lowCount, outOfStockCount, rows] = await Promise.all([
    countLowStock(db, false),
    countLowStock(db, true),
    listLowStockRows(db, false, limit),
  ])
  const outOfStock = rows.length < limit ? await listLowStockRows(db, true, limit - rows.length) : []
  return { lowCount, outOfStockCount, rows: [...rows, ...outOfStock] }
}

export async function countActiveProducts(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('products')
    .select(sql<number>`cast(count(*) as integer)`.as('count'))
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Prescriptions under review, the upload time of the oldest, and the paid orders that wait for
 * them.
 */
export async function sumWaitingPrescriptions(
  db: Db,
): Promise<{ count: number; oldest: Date | null; waitingOrders: number }> {
  const [waiting, oldest, held] = await Promise.all([
    db
      .selectFrom('prescriptions')
      .select(sql<number>`cast(count(*) as integer)`.as('count'))
      .where('status', '=', 'under_review')
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('prescriptions')
      .select('uploadedAt')
      .where('status', '=', 'under_review')
      .orderBy('uploadedAt')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('prescriptions')
      .innerJoin('orders', 'orders.prescriptionId', 'prescriptions.id')
      .select(sql<number>`cast(count(*) as integer)`.as('count'))
      .where('prescriptions.status', '=', 'under_review')
      .where('orders.status', 'in', ['pending', 'processing'])
      .executeTakeFirstOrThrow(),
  ])
  return { count: waiting.count, oldest: oldest?.uploadedAt ?? null, waitingOrders: held.count }
}
