import type { GridPage } from '#domain/grid.ts'
import { countedRows } from '#domain/grid-total.ts'
import type { OrderQuery } from '#domain/orders/admin-orders.ts'
import { canCancel, orderStatuses, paidStatus } from '#domain/orders/order-status.ts'
import { toTrackingNumber } from '#domain/orders/tracking-number.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { countRows } from '../engine/count-rows.ts'
import { keysetPage } from '../engine/keyset.ts'
import { matchesPerson } from '../accounts/person-tokens.ts'
import { isOneOf } from '../engine/sql.ts'
import type { Schema } from '../schema/schema.ts'
import { sumOrders } from './order-sums.ts'

/**
 * A status, and a search for a part of the id, a tracking number or a customer. `tokens` are the
 * search tokens of server/accounts/find-customers.ts; null matches every order.
 */
type OrderFilter = Pick<OrderQuery, 'status' | 'q'> & { tokens: readonly string[] | null }

const idPart = /^[0-9a-f-]{3,36}$/

/** Orders of deleted users are not listed. */
const matching = (db: Db, { status, q, tokens }: OrderFilter) =>
  db
    .selectFrom('orders')
    .where('orders.userId', 'is not', null)
    .$if(status !== undefined, (query) =>
      query.where('orders.status', '=', status === paidStatus ? 'processing' : (status ?? 'pending')),
    )
    .$if(status === paidStatus, (query) => query.where('orders.capturedCents', '>', 0))
    .$if(tokens !== null, (query) => query.where(matchesSearch(q, tokens ?? [])))

function matchesSearch(q: string, tokens: readonly string[]): RawBuilder<SqlBool> {
  const part = q.trim().toLowerCase().replace(/^[#…]/, '')
  const tracking = toTrackingNumber(q)
  if (!idPart.test(part) && tracking === null) return matchesCustomer('orders.user_id', tokens)
  const hasPart = idPart.test(part) ? sql<SqlBool>`o.id like ${`%${part}%`}` : sql<SqlBool>`1 = 0`
  // The subquery needs only the index of users and ids. Without it SQLite reads every row in sort
  // order to test the condition.
  return sql<SqlBool>`orders.id in (
    select o.id from orders as o
    where o.user_id is not null and (${hasPart} or ${matchesCustomer('o.user_id', tokens)})
    ${tracking === null ? sql`` : sql`union all ${ordersWithTracking(tracking)}`}
  )`
}

const matchesCustomer = (column: string, tokens: readonly string[]): RawBuilder<SqlBool> =>
  matchesPerson(sql.ref(column), tokens, 'current-and-former')

/** By the expression and the condition of the index `orders_by_tracking_number`. */
const ordersWithTracking = (number: string): RawBuilder<unknown> =>
  sql`select t.id from orders as t
    where upper(replace(t.tracking_number, ' ', '')) = ${number} and t.tracking_number is not null`

/**
 * The number of matching orders, up to one above `countedRows`. The two lists that staff read most
 * have sums by day, so their counts cost the same in a larger shop.
 */
async function countMatching(db: Db, filter: OrderFilter): Promise<number> {
  const { status, tokens } = filter
  if (tokens !== null || (status !== undefined && status !== 'processing')) {
    return countRows(db, matching(db, filter))
  }
  const { orders, pending } = await sumOrders(db)
  return Math.min(status === undefined ? orders : pending, countedRows + 1)
}

const sortColumns = {
  // UUIDv7: ids sort by the time of the order.
  date: sql<string>`orders.id`,
  total: sql<number>`orders.total_cents`,
  status: sql<string>`orders.status`,
}

/**
 * A page of orders for the back office. Selects the ids from narrow, indexed columns first, and
 * reads the wide rows with their sealed content only for that page.
 */
export async function listAdminOrderRows(
  db: Db,
  query: OrderQuery,
  tokens: OrderFilter['tokens'],
): Promise<GridPage<AdminOrderRow>> {
  const filter = { ...query, tokens }
  const page = await keysetPage(
    matching(db, filter).select('orders.id'),
    { by: sortColumns[query.sort], id: sql`orders.id` },
    query,
    countMatching(db, filter),
  )
  const rows = await rowsByIds(db, { ids: JSON.stringify(page.rows.map(({ id }) => id)) })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { ...page, rows: page.rows.flatMap(({ id }) => byId.get(id) ?? []) }
}

/** Each order with its prescription and the key that decrypts it. */
const rowsByIds = prepareQuery((db, p: Params<{ ids: string }>) =>
  db
    .selectFrom('orders')
    .leftJoin('prescriptions', 'prescriptions.id', 'orders.prescriptionId')
    .leftJoin('paymentHolds', 'paymentHolds.orderId', 'orders.id')
    .leftJoin('userKeys', 'userKeys.userId', 'prescriptions.userId')
    .select([
      'orders.id',
      'orders.userId',
      'orders.status',
      'orders.totalCents',
      'orders.capturedCents',
      'orders.refundedCents',
      'orders.hasRx',
      'orders.restockedAt',
      'orders.sealedOrder',
      'orders.createdAt',
      'paymentHolds.status as holdStatus',
      'paymentHolds.refusedAt',
      'prescriptions.id as prescriptionId',
      'prescriptions.status as prescriptionStatus',
      'prescriptions.sealedDetails',
      'userKeys.wrappedKey',
    ])
    .where(isOneOf(db, 'orders.id', p.ids)),
)
export type AdminOrderRow = Awaited<ReturnType<typeof rowsByIds>>[number]

/** The ids of all matching orders, newest first. */
export async function listMatchingOrderIds(db: Db, filter: OrderFilter, limit: number): Promise<string[]> {
  const rows = await matching(db, filter)
    .select('orders.id')
    .orderBy('orders.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** What a preview of a status change needs. Orders of deleted users are left out. */
export const listOrdersToPreview = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('orders')
    .leftJoin('checkouts', 'checkouts.id', 'orders.checkoutId')
    .select([
      'orders.id',
      'orders.userId',
      'orders.checkoutId',
      'orders.status',
      'orders.createdAt',
      'orders.restockedAt',
      'orders.capturedCents',
      'orders.sealedOrder',
      // The checkout copied what the order says of its variants.
      'checkouts.createdAt as checkoutAt',
    ])
    .where('orders.userId', 'is not', null)
    .where(isOneOf(db, 'orders.id', sql`${JSON.stringify(ids)}`))
    .execute()

/** Which of these orders have not shipped, newest first. */
export const listOpenOrders = (
  db: Db,
  ids: readonly string[],
): Promise<Pick<Schema['orders'], 'id' | 'hasRx'>[]> =>
  db
    .selectFrom('orders')
    .select(['id', 'hasRx'])
    .where('userId', 'is not', null)
    .where('status', 'in', openStatuses)
    .where(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
    .orderBy('id', 'desc')
    .execute()

const openStatuses = orderStatuses.filter(canCancel)
