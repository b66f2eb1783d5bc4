import type { Selectable } from 'kysely'
import { prepared, type Db, type Params } from './client.ts'
import type { Schema } from './schema/schema.ts'
import { isForeignKeyViolation } from './sql.ts'

export type OrderRow = Selectable<Schema['orders']>

type NewOrder = Omit<OrderRow, 'refundedCents' | 'version' | 'trackingNumber' | 'carrier' | 'restockedAt'>

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
