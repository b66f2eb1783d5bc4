import { countedTo, type DayFigures, type LowStock, type TopMedicine } from '#domain/dashboard/dashboard.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { engineOf, type Db } from '../engine/client.ts'

type Span = { before: Date; from: Date; to: Date }

/**
 * What was ever sold. The revenue is that of all orders, money captured less what went back; counted are those of people who have an
 * account, as every list shows them.
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

/** What was sold each day of both periods, days in UTC; those without an order are left out. */
export async function sumOrdersByDay(db: Db, { before, to }: Span): Promise<DayFigures[]> {
  const day =
    engineOf(db) === 'postgres'
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

/** The products of which most units left the stock in the later period, cancelled ones taken off, with those of the period before. */
export async function listTopMedicines(
  db: Db,
  { before, from, to }: Span,
  limit: number,
): Promise<TopMedicine[]> {
  const unitsIn = (isWanted: RawBuilder<SqlBool>) =>
    sql<number>`cast(sum(case when ${isWanted} then -quantity_change else 0 end) as integer)`
  // Summed by variant first, off the index alone: there are many times more sales than variants.
  const ofVariants = db
    .selectFrom('inventoryTransactions')
    .select([
      'productVariantId',
      unitsIn(sql`created_at >= ${from}`).as('units'),
      unitsIn(sql`created_at < ${from}`).as('unitsBefore'),
    ])
    // In the words of the index.
    .where(sql<boolean>`transaction_type in ('sale', 'cancellation')`)
    .where('createdAt', '>=', before)
    .where('createdAt', '<', to)
    .groupBy('productVariantId')
  const ofProducts = db
    .selectFrom(ofVariants.as('sold'))
    .innerJoin('productVariants', 'productVariants.id', 'sold.productVariantId')
    .select([
      'productVariants.productId',
      sql<number>`cast(sum(sold.units) as integer)`.as('units'),
      sql<number>`cast(sum(sold.units_before) as integer)`.as('unitsBefore'),
    ])
    .groupBy('productVariants.productId')
  return db
    .selectFrom(ofProducts.as('sold'))
    .innerJoin('products', 'products.id', 'sold.productId')
    .select(['sold.productId', 'products.name', 'sold.units', 'sold.unitsBefore'])
    .where('sold.units', '>', 0)
    .orderBy('sold.units', 'desc')
    .orderBy('sold.productId')
    .limit(limit)
    .execute()
}

const runningOut = (db: Db) =>
  db
    .selectFrom('productVariants')
    // In the words of the index.
    .where(sql<boolean>`product_variants.deleted_at is null and track_inventory and stock_quantity <= 10`)

async function countUpTo(db: Db, isEmpty: boolean): Promise<number> {
  const some = runningOut(db)
    .select('id')
    .where('stockQuantity', isEmpty ? '=' : '>', 0)
    .limit(countedTo + 1)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select(sql<number>`cast(count(*) as integer)`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const rowsOf = (db: Db, isEmpty: boolean, limit: number) =>
  runningOut(db)
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

/** What runs out: first what there is little of, then what there is none of. */
export async function readLowStock(db: Db, limit: number): Promise<LowStock> {
  const [few, none, rows] = await Promise.all([
    countUpTo(db, false),
    countUpTo(db, true),
    rowsOf(db, false, limit),
  ])
  const more = rows.length < limit ? await rowsOf(db, true, limit - rows.length) : []
  return { few, none, rows: [...rows, ...more] }
}

export async function countActiveProducts(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('products')
    .select(sql<number>`cast(count(*) as integer)`.as('count'))
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Prescriptions under review, since when the oldest is, and how many paid orders they hold. */
export async function sumWaiting(
  db: Db,
): Promise<{ count: number; oldest: Date | null; heldOrders: number }> {
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
  return { count: waiting.count, oldest: oldest?.uploadedAt ?? null, heldOrders: held.count }
}
