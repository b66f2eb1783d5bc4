import type { Selectable } from 'kysely'
import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

/** A variant's stock according to its row. */
export type StockFigures = { id: string; stockQuantity: number; reservedQuantity: number }

/** The next `limit` variants by id, including deleted ones; `''` starts at the first. */
export const listStockFigures = (
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<StockFigures[]> =>
  db
    .selectFrom('productVariants')
    .select(['id', 'stockQuantity', 'reservedQuantity'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** The next `limit` checkouts by id that reserve stock. */
export const listReservingCheckouts = (db: Db, { after, limit }: { after: string; limit: number }) =>
  db
    .selectFrom('checkouts')
    .select(['id', 'sealedFrozen'])
    .where('status', 'in', ['open', 'paid'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** The next `limit` orders by id, including those of deleted accounts. */
export const listSealedOrders = (db: Db, { after, limit }: { after: string; limit: number }) =>
  db
    .selectFrom('orders')
    .select(['id', 'sealedOrder', 'restockedAt'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/**
 * By order and line, how many units are back in stock, for all orders with a refunded or returned
 * line.
 */
export async function listAllReturns(db: Db): Promise<Map<string, Map<string, number>>> {
  const rows = await db
    .selectFrom('refundLines')
    .select((eb) => ['orderId', 'lineId', eb.cast<number>(eb.fn.sum('restocked'), 'integer').as('restocked')])
    .groupBy(['orderId', 'lineId'])
    .execute()
  const orders = new Map<string, Map<string, number>>()
  for (const { orderId, lineId, restocked } of rows) {
    const lines = orders.get(orderId) ?? new Map<string, number>()
    orders.set(orderId, lines.set(lineId, restocked))
  }
  return orders
}

/** A lot according to its row. */
export type LotFigures = Pick<Selectable<Schema['stockLots']>, 'id' | 'status' | 'quantity'>

/** The lots of variants in a range of ids, by variant. */
export async function listLotFigures(
  db: Db,
  { after, last }: { after: string; last: string },
): Promise<Map<string, LotFigures[]>> {
  const rows = await db
    .selectFrom('stockLots')
    .select(['id', 'variantId', 'status', 'quantity'])
    .where('variantId', '>', after)
    .where('variantId', '<=', last)
    .execute()
  const lots = new Map<string, LotFigures[]>()
  for (const { variantId, ...lot } of rows) lots.set(variantId, [...(lots.get(variantId) ?? []), lot])
  return lots
}
