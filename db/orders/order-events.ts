import type { Selectable } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export type OrderEventRow = Selectable<Schema['orderEvents']>
type UndoParts = 'previousStatus' | 'orderVersion' | 'mailId' | 'undoUntil'
export type NewOrderEvent = Omit<OrderEventRow, 'revertedAt' | 'revertedBy'>

const insertEvent = prepareQuery((db, p: Params<NewOrderEvent>) =>
  db.insertInto('orderEvents').values({
    id: p.id,
    orderId: p.orderId,
    status: p.status,
    actorId: p.actorId,
    at: p.at,
    previousStatus: p.previousStatus,
    orderVersion: p.orderVersion,
    mailId: p.mailId,
    undoUntil: p.undoUntil,
  }),
)

const noUndo = { previousStatus: null, orderVersion: null, mailId: null, undoUntil: null }

/** Stores a status change; without the parts of an undo when it can't be undone. */
export async function insertOrderEvent(
  db: Db,
  event: Omit<NewOrderEvent, UndoParts> & Partial<Pick<NewOrderEvent, UndoParts>>,
): Promise<void> {
  await insertEvent(db, { ...noUndo, ...event })
}

/** The status changes of an order since it was placed, oldest first, without those undone. */
export const listOrderEvents = (
  db: Db,
  orderId: string,
): Promise<Pick<OrderEventRow, 'status' | 'at' | 'actorId'>[]> =>
  db
    .selectFrom('orderEvents')
    .select(['status', 'at', 'actorId'])
    .where('orderId', '=', orderId)
    .where('revertedAt', 'is', null)
    .orderBy('id')
    .execute()

/** All status changes of an order, oldest first, for staff. */
export const listAllOrderEvents = (db: Db, orderId: string): Promise<OrderEventRow[]> =>
  db.selectFrom('orderEvents').selectAll().where('orderId', '=', orderId).orderBy('id').execute()

/** A status change of an order, or null. */
export const findOrderEvent = async (
  db: Db,
  { id, orderId }: Pick<OrderEventRow, 'id' | 'orderId'>,
): Promise<OrderEventRow | null> =>
  (await db
    .selectFrom('orderEvents')
    .selectAll()
    .where('id', '=', id)
    .where('orderId', '=', orderId)
    .executeTakeFirst()) ?? null

/** Marks a status change as undone. Returns false when it was undone before. */
export async function markEventReverted(
  db: Db,
  { id, now, userId }: { id: string; now: Date; userId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orderEvents')
    .set({ revertedAt: now, revertedBy: userId })
    .where('id', '=', id)
    .where('revertedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
