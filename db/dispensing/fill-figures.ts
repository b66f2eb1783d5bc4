import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'

/** What `fills:verify` compares. */

/** The next `limit` users by id who have prescription items; `''` starts at the first. */
export const listItemOwners = (db: Db, { after, limit }: { after: string; limit: number }) =>
  db
    .selectFrom('prescriptionItems')
    .select('userId')
    .distinct()
    .where('userId', '>', after)
    .orderBy('userId')
    .limit(limit)
    .execute()

/** Fills that no order can have: why, by their ids. */
export async function listStrayFills(db: Db): Promise<{ id: string; problem: string }[]> {
  const withoutOrder = db
    .selectFrom('fills')
    .leftJoin('orders', 'orders.id', 'fills.orderId')
    .select('fills.id')
    .where('fills.status', '<>', sql.lit('released'))
    .where('fills.orderId', 'is not', null)
    .where((eb) => eb.or([eb('orders.id', 'is', null), eb('orders.hasRx', '=', false)]))
  const ofEndedCheckout = db
    .selectFrom('fills')
    .leftJoin('checkouts', 'checkouts.id', 'fills.checkoutId')
    .select('fills.id')
    .where('fills.status', '<>', sql.lit('released'))
    .where('fills.orderId', 'is', null)
    .where((eb) =>
      eb.or([eb('checkouts.id', 'is', null), eb('checkouts.status', 'not in', ['open', 'paid'])]),
    )
  const beforeOrder = db
    .selectFrom('fills')
    .select('id')
    .where('orderId', 'is', null)
    .where('status', 'in', ['cleared', 'dispensed'])
  const strays: { id: string; problem: string }[] = []
  for (const { id } of await withoutOrder.execute())
    strays.push({ id, problem: 'its order has no prescription lines or is missing' })
  for (const { id } of await ofEndedCheckout.execute())
    strays.push({ id, problem: 'its checkout has ended without an order' })
  for (const { id } of await beforeOrder.execute())
    strays.push({ id, problem: 'it was cleared without an order' })
  return strays
}

/** The next `limit` orders with prescription lines by id, including those of deleted accounts. */
export const listPrescribedOrders = (db: Db, { after, limit }: { after: string; limit: number }) =>
  db
    .selectFrom('orders')
    .select(['id', 'userId', 'status', 'totalCents', 'capturedCents', 'sealedOrder', 'restockedAt'])
    .where('hasRx', '=', true)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
export type PrescribedOrder = Awaited<ReturnType<typeof listPrescribedOrders>>[number]

/** Cents that were refunded or will be, by order, for all orders with a refund. */
export async function listRefundedCents(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('refunds')
    .select((eb) => ['orderId', eb.cast<number>(eb.fn.sum('amountCents'), 'integer').as('cents')])
    .where('orderId', 'is not', null)
    .groupBy('orderId')
    .execute()
  return new Map(rows.flatMap(({ orderId, cents }) => (orderId === null ? [] : [[orderId, cents]])))
}
