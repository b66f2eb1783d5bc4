import { sql, type Selectable } from 'kysely'
import { getEngine, prepareQuery, type Db, type Params } from '../engine/client.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'
import type { Schema } from '../schema/schema.ts'
import { isForeignKeyViolation, isOneOf } from '../engine/sql.ts'

export type OrderRow = Selectable<Schema['orders']>

export type NewOrder = Omit<
  OrderRow,
  'refundedCents' | 'version' | 'trackingNumber' | 'carrier' | 'restockedAt'
>

const insert = prepareQuery((db, p: Params<NewOrder>) =>
  db.insertInto('orders').values({
    id: p.id,
    userId: p.userId,
    checkoutId: p.checkoutId,
    paymentId: p.paymentId,
    prescriptionId: p.prescriptionId,
    status: p.status,
    totalCents: p.totalCents,
    capturedCents: p.capturedCents,
    hasRx: p.hasRx,
    sealedOrder: p.sealedOrder,
    estimatedDelivery: p.estimatedDelivery,
    createdAt: p.createdAt,
    updatedAt: p.updatedAt,
  }),
)

/**
 * Stores an order. The database rejects a second order for the same payment or checkout. Returns
 * false when the user was deleted; the caller must then roll back.
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

const byPayment = prepareQuery((db, p: Params<{ paymentId: string }>) =>
  db.selectFrom('orders').selectAll().where('paymentId', '=', p.paymentId),
)

/** The order of a payment, or null. */
export async function findOrderByPayment(db: Db, paymentId: string): Promise<OrderRow | null> {
  const [row] = await byPayment(db, { paymentId })
  return row ?? null
}

/** A user's newest order since this time, or null. */
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

/** Any user's order, or null. */
export async function findOrder(db: Db, id: string): Promise<OrderRow | null> {
  const row = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Any user's order, locked until the end of the transaction, or null. */
export async function lockOrder(db: Db, id: string): Promise<OrderRow | null> {
  const order = db.selectFrom('orders').selectAll().where('id', '=', id)
  // SQLite has one writer anyway. In Postgres a new row that references the order locks its key.
  // FOR UPDATE would block that lock, so a first message could deadlock with a question.
  const row = await (getEngine(db) === 'postgres' ? order.forNoKeyUpdate() : order).executeTakeFirst()
  return row ?? null
}

/**
 * Locks the customers of these orders and then the orders, each in the order of their ids, as
 * deleting an account does. Otherwise the two could deadlock. SQLite has one writer anyway.
 */
export async function lockOrdersAndCustomers(db: Db, ids: readonly string[]): Promise<void> {
  if (getEngine(db) !== 'postgres') return
  const own = isOneOf(db, 'id', sql`${JSON.stringify(ids)}`)
  const customers = db.selectFrom('orders').select('userId').where(own)
  await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', customers)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  await db.selectFrom('orders').select('id').where(own).orderBy('id').forNoKeyUpdate().execute()
}

/**
 * Stores what the provider captured of an order's payment. More than the total is captured only
 * outside the shop; the database keeps refunds within the total.
 */
export async function setCapturedCents(
  db: Db,
  { id, capturedCents, now }: { id: string; capturedCents: number; now: Date },
): Promise<void> {
  await db
    .updateTable('orders')
    .set((eb) => ({
      capturedCents,
      totalCents: eb
        .case()
        .when('totalCents', '<', capturedCents)
        .then(eb.val(capturedCents))
        .else(eb.ref('totalCents'))
        .end(),
      version: eb('version', '+', 1),
      updatedAt: now,
    }))
    .where('id', '=', id)
    .execute()
}

/** Adds to the refunded amount of an order. */
export async function addRefundedCents(
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

/** A user's orders, locked until the end of the transaction, as `lockOrder` does. */
export async function lockOrdersOf(
  db: Db,
  userId: string,
  statuses?: readonly OrderStatus[],
): Promise<OrderRow[]> {
  const orders = db
    .selectFrom('orders')
    .selectAll()
    .where('userId', '=', userId)
    .$if(statuses !== undefined, (query) => query.where('status', 'in', statuses ?? []))
    .orderBy('id')
  return (getEngine(db) === 'postgres' ? orders.forNoKeyUpdate() : orders).execute()
}

export async function countOrders(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Replaces the sealed content of an order. A change of the version before it then conflicts. */
export async function updateSealedOrder(
  db: Db,
  { id, sealedOrder }: Pick<OrderRow, 'id' | 'sealedOrder'>,
): Promise<void> {
  await db
    .updateTable('orders')
    .set(({ eb }) => ({ sealedOrder, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

type OrderUpdate = Pick<
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

/**
 * Updates an order at this version and locks its row. Returns false when its version has changed.
 */
export async function updateOrder(db: Db, { id, version, ...changed }: OrderUpdate): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ ...changed, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type LinesUpdate = Pick<
  OrderRow,
  'id' | 'version' | 'status' | 'sealedOrder' | 'totalCents' | 'restockedAt' | 'updatedAt'
>

/**
 * Removes lines of an order at this version and locks its row. Returns false when its version has
 * changed.
 */
export async function updateOrderLines(
  db: Db,
  { id, version, status, sealedOrder, totalCents, restockedAt, updatedAt }: LinesUpdate,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('orders')
    .set({ status, sealedOrder, totalCents, restockedAt, updatedAt, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The customers of these orders, by order; without those of deleted accounts. */
export async function listOrderCustomers(db: Db, orderIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('orders')
    .select(['id', 'userId'])
    .where(isOneOf(db, 'id', sql`${JSON.stringify(orderIds)}`))
    .execute()
  return new Map(rows.flatMap(({ id, userId }) => (userId === null ? [] : [[id, userId]])))
}

/** How many different customers ordered between two times. */
export async function countCustomersBetween(db: Db, { from, to }: { from: Date; to: Date }): Promise<number> {
  const { count } = await db
    .selectFrom('orders')
    .select((eb) => eb.cast<number>(eb.fn.count('userId').distinct(), 'integer').as('count'))
    .where('createdAt', '>=', from)
    .where('createdAt', '<=', to)
    .executeTakeFirstOrThrow()
  return count
}
