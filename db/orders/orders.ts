import type { Selectable } from 'kysely'
import { prepared, type Db, type Params } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'
import { isForeignKeyViolation } from '../engine/sql.ts'

export type OrderRow = Selectable<Schema['orders']>

export type NewOrder = Omit<
  OrderRow,
  'refundedCents' | 'version' | 'trackingNumber' | 'carrier' | 'restockedAt'
>

const insert = prepared((db, p: Params<NewOrder>) =>
  db.insertInto('orders').values({
    id: p.id,
    userId: p.userId,
    checkoutId: p.checkoutId,
    paymentId: p.paymentId,
    prescriptionId: p.prescriptionId,
    status: p.status,
    totalCents: p.totalCents,
    hasRx: p.hasRx,
    sealedOrder: p.sealedOrder,
    estimatedDelivery: p.estimatedDelivery,
    createdAt: p.createdAt,
    updatedAt: p.updatedAt,
  }),
)

/**
 * Stores an order. A second one of the same payment or checkout is refused by the database. Returns false when its user is gone; then
 * the transaction is to be given up.
 */
export async function insertOrder(db: Db, order: NewOrder): Promise<boolean> {
  try {
    await insert(db, order)
    return true
  } catch (error) {
    if (isForeignKeyViolation(error)) return false
    throw error
  }
}

const byPayment = prepared((db, p: Params<{ paymentId: string }>) =>
  db.selectFrom('orders').selectAll().where('paymentId', '=', p.paymentId),
)

/** The order that a payment became, or null. */
export async function findOrderByPayment(db: Db, paymentId: string): Promise<OrderRow | null> {
  const [row] = await byPayment(db, { paymentId })
  return row ?? null
}

/** A user's newest order since a moment, or null. */
export async function findLastOrder(db: Db, userId: string, since: Date): Promise<OrderRow | null> {
  const row = await db
    .selectFrom('orders')
    .selectAll()
    .where('userId', '=', userId)
    .where('createdAt', '>=', since)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** An order, whoever's it is, or null. */
export async function findOrder(db: Db, id: string): Promise<OrderRow | null> {
  const row = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Notes that money of an order went back. */
export async function addRefunded(
  db: Db,
  { id, amountCents, now }: { id: string; amountCents: number; now: Date },
): Promise<void> {
  await db
    .updateTable('orders')
    .set(({ eb }) => ({
      refundedCents: eb('refundedCents', '+', amountCents),
      version: eb('version', '+', 1),
      updatedAt: now,
    }))
    .where('id', '=', id)
    .execute()
}

type Sought = {
  /** Whose; null for those of everybody who has an account. */
  userId: string | null
  /** The orders that are older than this one alone. */
  before: string | null
  limit: number
  offset?: number
}

/** Orders with somebody to whom they belong, the newest first: those of a deleted user are in no list. */
export const listOrders = (db: Db, { userId, before, limit, offset = 0 }: Sought): Promise<OrderRow[]> =>
  db
    .selectFrom('orders')
    .selectAll()
    .$if(userId !== null, (query) => query.where('userId', '=', userId))
    .$if(userId === null, (query) => query.where('userId', 'is not', null))
    .$if(before !== null, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export async function countOrders(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The newest orders that use a prescription. */
export const listPrescriptionOrders = (db: Db, prescriptionId: string, limit: number): Promise<OrderRow[]> =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('prescriptionId', '=', prescriptionId)
    .where('userId', 'is not', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Whether any order names this prescription, whatever became of the order. */
export async function isPrescriptionOrdered(db: Db, prescriptionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('orders')
    .select('id')
    .where('prescriptionId', '=', prescriptionId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

type ChangedOrder = Pick<
  OrderRow,
  | 'id'
  | 'version'
  | 'status'
  | 'trackingNumber'
  | 'carrier'
  | 'estimatedDelivery'
  | 'restockedAt'
  | 'updatedAt'
>

/** Writes a change of an order that is still at this version, and takes its row. Returns false when it is not. */
export async function updateOrder(db: Db, { id, version, ...changed }: ChangedOrder): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ ...changed, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const insertEvent = prepared((db, p: Params<Schema['orderEvents']>) =>
  db
    .insertInto('orderEvents')
    .values({ id: p.id, orderId: p.orderId, status: p.status, actorId: p.actorId, at: p.at }),
)

export async function insertOrderEvent(db: Db, event: Schema['orderEvents']): Promise<void> {
  await insertEvent(db, event)
}

/** The changes of an order's status since it was placed, the oldest first. */
export const listOrderEvents = (
  db: Db,
  orderId: string,
): Promise<Pick<Schema['orderEvents'], 'status' | 'at' | 'actorId'>[]> =>
  db
    .selectFrom('orderEvents')
    .select(['status', 'at', 'actorId'])
    .where('orderId', '=', orderId)
    .orderBy('id')
    .execute()

export async function insertOrderNote(db: Db, note: Schema['orderNotes']): Promise<void> {
  await db.insertInto('orderNotes').values(note).execute()
}

/** What was noted about all orders of a user, the oldest first. */
export const listNotesOfUser = (db: Db, userId: string): Promise<Schema['orderNotes'][]> =>
  db
    .selectFrom('orderNotes')
    .selectAll()
    .where('orderId', 'in', (eb) => eb.selectFrom('orders').select('id').where('userId', '=', userId))
    .orderBy('id')
    .execute()

/** Deletes them: no law asks to keep them with the orders when the user goes. */
export async function deleteNotesOfUser(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('orderNotes')
    .where('orderId', 'in', (eb) => eb.selectFrom('orders').select('id').where('userId', '=', userId))
    .execute()
}

/** What was noted about an order, the oldest first. */
export const listOrderNotes = (db: Db, orderId: string): Promise<Schema['orderNotes'][]> =>
  db.selectFrom('orderNotes').selectAll().where('orderId', '=', orderId).orderBy('id').execute()
