import type { GridPage } from '#domain/grid.ts'
import type { OrderQuery } from '#domain/orders/admin-orders.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { prepared, type Db, type Params } from '../engine/client.ts'
import { keysetPage } from '../engine/keyset.ts'
import { matchesPerson } from '../accounts/person-tokens.ts'
import { isOneOf } from '../engine/sql.ts'

/** What is looked for: a status, and a part of the id or the person (tokens of accounts/find-people); null for everybody. */
type Sought = Pick<OrderQuery, 'status' | 'q'> & { tokens: readonly string[] | null }

const idPart = /^[0-9a-f-]{3,36}$/

/** The orders of those who still have an account. */
const matching = (db: Db, { status, q, tokens }: Sought) =>
  db
    .selectFrom('orders')
    .where('orders.userId', 'is not', null)
    .$if(status !== undefined, (query) => query.where('orders.status', '=', status ?? 'pending'))
    .$if(tokens !== null, (query) => query.where(isFound(q, tokens ?? [])))

function isFound(q: string, tokens: readonly string[]): RawBuilder<SqlBool> {
  const part = q.trim().toLowerCase().replace(/^[#…]/, '')
  if (!idPart.test(part)) return matchesPerson(sql.ref('orders.user_id'), tokens, 'of all time')
  // Told by an index of users and ids alone: SQLite would read each row, in the order that is asked for, to judge it.
  return sql<SqlBool>`orders.id in (
    select o.id from orders as o
    where o.user_id is not null and (o.id like ${`%${part}%`} or ${matchesPerson(sql.ref('o.user_id'), tokens, 'of all time')})
  )`
}

const sortedBy = {
  // An id begins with the moment of the order.
  date: sql<string>`orders.id`,
  total: sql<number>`orders.total_cents`,
  status: sql<string>`orders.status`,
}

/**
 * A page of the desk's orders. Which they are is told by narrow columns, which stand in an index, and only then are the rows read, with
 * what is sealed in them.
 */
export async function listDeskRows(
  db: Db,
  query: OrderQuery,
  tokens: Sought['tokens'],
): Promise<GridPage<DeskRow>> {
  const sought = { ...query, tokens }
  const counted = matching(db, sought)
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .executeTakeFirstOrThrow()
  const page = await keysetPage(
    matching(db, sought).select('orders.id'),
    { by: sortedBy[query.sort], id: sql`orders.id` },
    query,
    counted.then(({ count }) => count),
  )
  const rows = await rowsOf(db, { ids: JSON.stringify(page.rows.map(({ id }) => id)) })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { ...page, rows: page.rows.flatMap(({ id }) => byId.get(id) ?? []) }
}

/** Each with its prescription and the key that opens that. */
const rowsOf = prepared((db, p: Params<{ ids: string }>) =>
  db
    .selectFrom('orders')
    .leftJoin('prescriptions', 'prescriptions.id', 'orders.prescriptionId')
    .leftJoin('userKeys', 'userKeys.userId', 'prescriptions.userId')
    .select([
      'orders.id',
      'orders.userId',
      'orders.status',
      'orders.totalCents',
      'orders.refundedCents',
      'orders.hasRx',
      'orders.restockedAt',
      'orders.sealedOrder',
      'orders.createdAt',
      'prescriptions.id as prescriptionId',
      'prescriptions.status as prescriptionStatus',
      'prescriptions.sealedDetails',
      'userKeys.wrappedKey',
    ])
    .where(isOneOf(db, 'orders.id', p.ids)),
)
export type DeskRow = Awaited<ReturnType<typeof rowsOf>>[number]

/** The ids of all that match, the newest first. */
export async function listMatchingIds(db: Db, sought: Sought, limit: number): Promise<string[]> {
  const rows = await matching(db, sought)
    .select('orders.id')
    .orderBy('orders.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** What decides what setting a status comes to, of these orders; those of deleted users are left out. */
export const listToWeigh = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('orders')
    .select(['id', 'userId', 'checkoutId', 'status', 'restockedAt', 'totalCents', 'sealedOrder'])
    .where('userId', 'is not', null)
    .where(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
    .execute()
