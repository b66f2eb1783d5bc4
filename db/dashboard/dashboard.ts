import { lowStock } from '#domain/inventory/inventory.ts'
import { countLimit, type LowStock, type TopMedicine } from '#domain/dashboard/dashboard.ts'
import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { jsonRows } from '../engine/json-rows.ts'

/** The products with the most units sold, from the units of their variants in both periods. */
export async function listTopMedicines(
  db: Db,
  {
    units,
    previousUnits,
  }: { units: ReadonlyMap<string, number>; previousUnits: ReadonlyMap<string, number> },
  limit: number,
): Promise<TopMedicine[]> {
  const sold = [...units].map(([id, count]) => ({ id, units: count, previous: previousUnits.get(id) ?? 0 }))
  // Products whose variants sold only in the previous period have no place in the list, but another
  // variant's units of it count.
  const past = [...previousUnits].flatMap(([id, previous]) =>
    units.has(id) ? [] : [{ id, units: 0, previous }],
  )
  const list = jsonRows(db, [...sold, ...past], { id: 'text', units: 'integer', previous: 'integer' })
  const { rows } = await sql<TopMedicine>`
    select sold.product_id, p.name, sold.units, sold.previous_units from (
      select v.product_id, cast(sum(r.units) as integer) as units,
        cast(sum(r.previous) as integer) as previous_units
      from ${list} join product_variants v on v.id = r.id group by v.product_id
    ) sold join products p on p.id = sold.product_id
    where sold.units > 0 order by sold.units desc, sold.product_id limit ${limit}`.execute(db)
  return rows
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
