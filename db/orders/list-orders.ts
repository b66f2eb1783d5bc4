import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import type { OrderRow } from './orders.ts'

type OrderFilter = {
  /** Null for the orders of all users. */
  userId: string | null
  /** An order's id: only older orders are listed. */
  before: string | null
  limit: number
  offset?: number
}

/** Comes after every id, which is a UUID. */
const afterAllIds = 'g'

const newestQuery = (isOfUser: boolean) =>
  prepareQuery((db, p: Params<{ userId: string; before: string; limit: number; offset: number }>) => {
    const before = db.selectFrom('orders').selectAll().where('id', '<', p.before)
    const listed = isOfUser ? before.where('userId', '=', p.userId) : before.where('userId', 'is not', null)
    return listed.orderBy('id', 'desc').limit(p.limit).offset(p.offset)
  })
const [newestOfUser, newest] = [newestQuery(true), newestQuery(false)]

/** Orders, newest first. Orders of deleted users are not listed. */
export const listOrders = (
  db: Db,
  { userId, before, limit, offset = 0 }: OrderFilter,
): Promise<OrderRow[]> => {
  const page = { before: before ?? afterAllIds, limit, offset }
  return userId === null ? newest(db, { ...page, userId: '' }) : newestOfUser(db, { ...page, userId })
}

/** The next `limit` orders by id that have not shipped and were not cancelled. */
export const listUnshippedOrders = (
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<Pick<OrderRow, 'id' | 'userId' | 'sealedOrder'>[]> =>
  db
    .selectFrom('orders')
    .select(['id', 'userId', 'sealedOrder'])
    .where('status', 'in', ['pending', 'processing'])
    .where('userId', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/**
 * The next `limit` orders by id that shipped since a time, of customers with an account. An order
 * that was cancelled after it had shipped is among them: its packs may be with the patient. The
 * subquery is a maximum, because Postgres would read all events for each page for an `exists`.
 */
export const listShippedOrders = (
  db: Db,
  { since, after, limit }: { since: Date; after: string; limit: number },
): Promise<Pick<OrderRow, 'id' | 'userId' | 'sealedOrder'>[]> =>
  db
    .selectFrom('orders')
    .select(['id', 'userId', 'sealedOrder'])
    .where('status', 'in', ['shipped', 'delivered', 'cancelled'])
    .where('userId', 'is not', null)
    .where('id', '>', after)
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '<>', 'cancelled'), eb('createdAt', '>=', since)]),
        eb(
          eb
            .selectFrom('orderEvents')
            .select(({ fn }) => fn.max('orderEvents.at').as('at'))
            .whereRef('orderEvents.orderId', '=', 'orders.id')
            .where('orderEvents.status', 'in', ['shipped', 'delivered'])
            .where('orderEvents.revertedAt', 'is', null),
          '>=',
          since,
        ),
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .execute()

/** These orders of customers who have an account. */
export const listOrdersById = async (
  db: Db,
  ids: readonly string[],
): Promise<(Pick<OrderRow, 'id' | 'sealedOrder'> & { userId: string })[]> => {
  const rows = await db
    .selectFrom('orders')
    .select(['id', 'userId', 'sealedOrder'])
    .where(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
    .execute()
  return rows.flatMap(({ userId, ...row }) => (userId === null ? [] : [{ ...row, userId }]))
}
