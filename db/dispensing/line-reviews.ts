import { groupBy } from '#domain/group-by.ts'
import { sql, type Insertable, type Selectable } from 'kysely'
import type { OrderRow } from '../orders/orders.ts'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import { returnClearedFills } from './fills.ts'
import type { ItemRow } from './items.ts'
import type { Schema } from '../schema/schema.ts'

export type LineReviewRow = Selectable<Schema['lineReviews']>

/** Stores reviews; a line that has one keeps it. */
export async function insertLineReviews(
  db: Db,
  rows: readonly Insertable<Schema['lineReviews']>[],
): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('lineReviews')
    .values(rows)
    .onConflict((conflict) => conflict.column('lineId').doNothing())
    .execute()
}

/** The reviews of these orders' prescription lines. */
export const listLineReviews = (db: Db, orderIds: readonly string[]): Promise<LineReviewRow[]> =>
  db
    .selectFrom('lineReviews')
    .selectAll()
    .where(isOneOf(db, 'order_id', sql`${JSON.stringify(orderIds)}`))
    .orderBy('orderId')
    .orderBy('lineId')
    .execute()

type LineStatus = Pick<LineReviewRow, 'orderId' | 'lineId' | 'status' | 'checkedBy'>

/** The review statuses of these orders' prescription lines, by order. */
export async function listLineStatuses(
  db: Db,
  orderIds: readonly string[],
): Promise<Map<string, LineStatus[]>> {
  const rows = await db
    .selectFrom('lineReviews')
    .select(['orderId', 'lineId', 'status', 'checkedBy'])
    .where(isOneOf(db, 'order_id', sql`${JSON.stringify(orderIds)}`))
    .execute()
  return groupBy(rows, ({ orderId }) => orderId)
}

/** A line's review, or null. */
export async function findLineReview(db: Db, lineId: string): Promise<LineReviewRow | null> {
  const row = await db.selectFrom('lineReviews').selectAll().where('lineId', '=', lineId).executeTakeFirst()
  return row ?? null
}

/** Changes a review that is still at this version. Returns false when it is not. */
export async function updateLineReview(
  db: Db,
  {
    lineId,
    version,
    ...changes
  }: Pick<LineReviewRow, 'lineId' | 'version'> &
    Partial<Omit<LineReviewRow, 'orderId' | 'lineId' | 'version' | 'createdAt'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('lineReviews')
    .set({ ...changes, version: version + 1 })
    .where('lineId', '=', lineId)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The columns of a review that no pharmacist has decided. */
export const undecidedReview = {
  status: 'waiting',
  decidedBy: null,
  decidedAt: null,
  checkedBy: null,
  checkedAt: null,
} as const

/**
 * Returns what was cleared on an item and has not shipped to the queue: the item was edited, closed
 * or has expired, or its prescription lost its approval (docs/dispensing.md, rule 7). Shipped
 * orders keep their decisions.
 * @param options.orderId only the lines of this order
 */
export async function reopenLinesOfItem(
  db: Db,
  itemId: string,
  { orderId }: { orderId?: string } = {},
): Promise<void> {
  await returnClearedFills(db, itemId, { orderId })
  await db
    .updateTable('lineReviews')
    .set((eb) => ({ ...undecidedReview, version: eb('version', '+', 1) }))
    .where('itemId', '=', itemId)
    .where('status', '=', 'cleared')
    .$if(orderId !== undefined, (query) => query.where('orderId', '=', orderId ?? ''))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('orders')
          .select('orders.id')
          .whereRef('orders.id', '=', 'lineReviews.orderId')
          .where('orders.status', 'in', ['pending', 'processing']),
      ),
    )
    .execute()
}

/** Deletes what staff wrote about an order's lines. The decisions themselves stay. */
export async function deleteLineNotes(db: Db, orderId: string): Promise<void> {
  await db
    .updateTable('lineReviews')
    .set((eb) => ({ sealedDecision: null, version: eb('version', '+', 1) }))
    .where('orderId', '=', orderId)
    .where('sealedDecision', 'is not', null)
    .execute()
}

/**
 * The next orders by id of deleted accounts with staff's notes on lines, which an earlier version
 * kept.
 */
export const listOrdersWithEarlierNotes = (
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<OrderRow[]> =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('userId', 'is', null)
    .where('id', '>', after)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('lineReviews')
          .select('lineId')
          .whereRef('lineReviews.orderId', '=', 'orders.id')
          .where('lineReviews.sealedDecision', 'is not', null),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute()

/** Unshipped orders with prescription lines that have no review yet: from before migration 0032. */
export const listOrdersWithoutReview = (db: Db, limit: number): Promise<OrderRow[]> =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('hasRx', '=', true)
    .where('userId', 'is not', null)
    .where('status', 'in', ['pending', 'processing'])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('lineReviews').select('lineId').whereRef('lineReviews.orderId', '=', 'orders.id'),
        ),
      ),
    )
    .limit(limit)
    .execute()

/** The items of cleared lines that have not shipped. */
export const listItemsToShip = (db: Db): Promise<ItemRow[]> =>
  db
    .selectFrom('prescriptionItems')
    .selectAll()
    .where('id', 'in', (row) =>
      row
        .selectFrom('lineReviews')
        .innerJoin('orders', 'orders.id', 'lineReviews.orderId')
        .select('lineReviews.itemId')
        .where('lineReviews.status', '=', 'cleared')
        .where('lineReviews.itemId', 'is not', null)
        .where('orders.status', 'in', ['pending', 'processing']),
    )
    .orderBy('id')
    .execute()
