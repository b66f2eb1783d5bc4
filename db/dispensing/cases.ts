import type { CaseNumber } from '#domain/dispensing/case-number.ts'
import type { CaseKind, QuestionState } from '#domain/dispensing/case-queue.ts'
import { sql } from 'kysely'
import { matchesPerson } from '../accounts/person-tokens.ts'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

/** The orders of a page, each with its hold and the key that opens its customer's name. */
export const listCaseOrders = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.userId')
    .innerJoin('userKeys', 'userKeys.userId', 'orders.userId')
    .leftJoin('paymentHolds', 'paymentHolds.orderId', 'orders.id')
    .select([
      'orders.id',
      'users.id as userId',
      'orders.createdAt',
      'orders.status',
      'orders.sealedOrder',
      'users.sealedName',
      'userKeys.wrappedKey',
      'paymentHolds.status as holdStatus',
      'paymentHolds.captureBefore',
      'paymentHolds.refusedAt',
    ])
    .where(isOneOf(db, 'orders.id', sql`${JSON.stringify(ids)}`))
    .execute()

/** The prescriptions of a page. */
export const listCasePrescriptions = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('prescriptions')
    .innerJoin('users', 'users.id', 'prescriptions.userId')
    .innerJoin('userKeys', 'userKeys.userId', 'prescriptions.userId')
    .select([
      'prescriptions.id',
      'prescriptions.userId',
      'prescriptions.uploadedAt',
      'prescriptions.number',
      'prescriptions.status',
      'prescriptions.decidedBy',
      'prescriptions.patientId',
      'users.sealedName',
      'userKeys.wrappedKey',
    ])
    .where(isOneOf(db, 'prescriptions.id', sql`${JSON.stringify(ids)}`))
    .execute()

/** An order with prescription lines, or a prescription. */
export type CaseRef = { id: string; kind: CaseKind }

/** The prescription with this number, and the orders whose id ends like this. */
export async function listCasesByNumber(
  db: Db,
  { rx, order }: CaseNumber,
  limit: number,
): Promise<CaseRef[]> {
  const prescriptions =
    rx === null ? [] : await db.selectFrom('prescriptions').select('id').where('number', '=', rx).execute()
  const orders =
    order === null
      ? []
      : await db
          .selectFrom('orders')
          .select('id')
          .where('hasRx', '=', true)
          .where('userId', 'is not', null)
          .where('id', 'like', `%${order}`)
          .orderBy('id', 'desc')
          .limit(limit)
          .execute()
  return [
    ...prescriptions.map(({ id }): CaseRef => ({ id, kind: 'prescription' })),
    ...orders.map(({ id }): CaseRef => ({ id, kind: 'order' })),
  ]
}

/**
 * The cases of the customers who match these search tokens (server/accounts/find-customers.ts), the
 * newest first.
 */
export async function listCasesOfPerson(
  db: Db,
  tokens: readonly string[],
  limit: number,
): Promise<CaseRef[]> {
  const isTheirs = matchesPerson(sql.ref('user_id'), tokens, 'current-and-former')
  const { rows } = await sql<CaseRef>`select id, kind from (
      select id, 'order' as kind from orders
      where has_rx = ${true} and user_id is not null and ${isTheirs}
      union all
      select id, 'prescription' from prescriptions where ${isTheirs}
    ) as cases order by id desc limit ${limit}`.execute(db)
  return rows
}

/** The number of each of these prescriptions. */
export async function listPrescriptionNumbers(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('prescriptions')
    .select(['id', 'number'])
    .where(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
    .execute()
  return new Map(rows.map(({ id, number }) => [id, number]))
}

/** Whether the threads about these orders and prescriptions wait for a reply. */
export async function listQuestionStates(
  db: Db,
  subjectIds: readonly string[],
): Promise<Map<string, QuestionState>> {
  const rows = await db
    .selectFrom('messageThreads')
    .select(['subjectId', 'waitingFor'])
    .where('waitingFor', 'in', ['customer', 'pharmacy'])
    .where(isOneOf(db, 'subject_id', sql`${JSON.stringify(subjectIds)}`))
    .execute()
  return new Map(
    rows.map(({ subjectId, waitingFor }) => [subjectId, waitingFor === 'customer' ? 'asked' : 'answered']),
  )
}

/** The undecided line reviews of a prescription's newest orders, for its own page. */
export const listOrdersOfPrescription = (db: Db, prescriptionId: string, limit: number) =>
  db
    .selectFrom('orders')
    .select([
      'orders.id',
      'orders.status',
      'orders.createdAt',
      sql<number>`(select cast(count(*) as integer) from line_reviews
        where line_reviews.order_id = orders.id and line_reviews.status in ('waiting', 'asked'))`.as(
        'undecided',
      ),
    ])
    .where((row) =>
      row.or([
        row('orders.prescriptionId', '=', prescriptionId),
        row.exists(
          row
            .selectFrom('lineReviews')
            .select('lineReviews.lineId')
            .whereRef('lineReviews.orderId', '=', 'orders.id')
            .where('lineReviews.prescriptionId', '=', prescriptionId),
        ),
      ]),
    )
    .where('orders.userId', 'is not', null)
    .orderBy('orders.id', 'desc')
    .limit(limit)
    .execute()

/** The oldest unshipped order with an undecided line that uses a prescription, or null. */
export async function findUndecidedOrder(db: Db, prescriptionId: string): Promise<string | null> {
  const row = await db
    .selectFrom('lineReviews')
    .innerJoin('orders', 'orders.id', 'lineReviews.orderId')
    .select('orders.id')
    .where('lineReviews.prescriptionId', '=', prescriptionId)
    .where('lineReviews.status', 'in', ['waiting', 'asked'])
    .where('orders.status', 'in', ['pending', 'processing'])
    .where('orders.userId', 'is not', null)
    .orderBy('orders.id')
    .executeTakeFirst()
  return row?.id ?? null
}
