import type { PaymentHoldStatus } from '#domain/orders/payment-hold.ts'
import { sql, type Selectable } from 'kysely'
import { getEngine, prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import type { Schema } from '../schema/schema.ts'

export type PaymentHoldRow = Selectable<Schema['paymentHolds']>

export type NewPaymentHold = Pick<
  PaymentHoldRow,
  'checkoutId' | 'orderId' | 'paymentId' | 'authorizedCents' | 'captureBefore' | 'createdAt'
> & { status: 'authorized' | 'voiding'; dueAt: Date }

const insert = prepareQuery((db, p: Params<NewPaymentHold>) =>
  db
    .insertInto('paymentHolds')
    .values({
      checkoutId: p.checkoutId,
      orderId: p.orderId,
      paymentId: p.paymentId,
      status: p.status,
      authorizedCents: p.authorizedCents,
      captureBefore: p.captureBefore,
      dueAt: p.dueAt,
      createdAt: p.createdAt,
      updatedAt: p.createdAt,
    })
    .onConflict((conflict) => conflict.column('checkoutId').doNothing()),
)

/** Stores the authorization of a checkout. Does nothing when the checkout has one. */
export async function insertPaymentHold(db: Db, hold: NewPaymentHold): Promise<void> {
  await insert(db, hold)
}

/** The authorization of a payment, or null. */
export async function findPaymentHold(db: Db, paymentId: string): Promise<PaymentHoldRow | null> {
  const row = await db
    .selectFrom('paymentHolds')
    .selectAll()
    .where('paymentId', '=', paymentId)
    .executeTakeFirst()
  return row ?? null
}

/** The authorization of an order, or null for an order that was charged at checkout. */
export async function findOrderHold(db: Db, orderId: string): Promise<PaymentHoldRow | null> {
  const row = await db
    .selectFrom('paymentHolds')
    .selectAll()
    .where('orderId', '=', orderId)
    .executeTakeFirst()
  return row ?? null
}

/** The authorizations of these orders, by order. */
export async function listOrderHolds(
  db: Db,
  orderIds: readonly string[],
): Promise<Map<string, PaymentHoldRow>> {
  const rows = await db
    .selectFrom('paymentHolds')
    .selectAll()
    .where(isOneOf(db, 'order_id', sql`${JSON.stringify(orderIds)}`))
    .execute()
  return new Map(rows.flatMap((row) => (row.orderId === null ? [] : [[row.orderId, row]])))
}

/**
 * Decides what becomes of the authorization of an order, once: the job then calls the provider. The
 * version is in the provider's idempotency key, so that the amount under one key never changes.
 * Returns false when it was decided before.
 */
export async function decidePaymentHold(
  db: Db,
  decision: { orderId: string; now: Date } & (
    | { to: 'capturing'; amountCents: number }
    | { to: 'voiding'; amountCents: null }
  ),
): Promise<boolean> {
  const { orderId, to, amountCents, now } = decision
  const { numUpdatedRows } = await db
    .updateTable('paymentHolds')
    .set(({ eb }) => ({
      status: to,
      amountCents,
      dueAt: now,
      attempts: 0,
      refusedAt: null,
      updatedAt: now,
      version: eb('version', '+', 1),
    }))
    .where('orderId', '=', orderId)
    .where('status', '=', 'authorized')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type HoldChange = {
  checkoutId: string
  from: readonly PaymentHoldStatus[]
  to: PaymentHoldStatus
  capturedCents?: number
  refusedAt?: Date
  dueAt: Date | null
  now: Date
}

/** Changes the status of an authorization. Returns false when its status is not one of `from`. */
export async function updatePaymentHold(
  db: Db,
  { checkoutId, from, to, now, ...changed }: HoldChange,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('paymentHolds')
    .set(({ eb }) => ({
      ...changed,
      status: to,
      attempts: 0,
      updatedAt: now,
      version: eb('version', '+', 1),
    }))
    .where('checkoutId', '=', checkoutId)
    .where('status', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Schedules the next attempt, or the next look at an authorization that still waits. */
export async function postponePaymentHold(
  db: Db,
  {
    checkoutId,
    status,
    dueAt,
    warnedAt,
  }: Pick<PaymentHoldRow, 'checkoutId' | 'status'> & { dueAt: Date; warnedAt?: Date },
): Promise<void> {
  await db
    .updateTable('paymentHolds')
    .set({ dueAt, ...(warnedAt && { warnedAt }) })
    .where('checkoutId', '=', checkoutId)
    // Decided in the meantime: it is due now.
    .where('status', '=', status)
    .execute()
}

const dueHolds = (db: Db, now: Date) =>
  db.selectFrom('paymentHolds').selectAll().where('dueAt', '<=', now).orderBy('dueAt').orderBy('checkoutId')

/**
 * Claims authorizations that are due. No other process gets them before `leaseEnds`. `attempts`
 * includes this attempt.
 */
export async function claimPaymentHolds(
  db: Db,
  { now, leaseEnds, limit }: { now: Date; leaseEnds: Date; limit: number },
): Promise<PaymentHoldRow[]> {
  if (!(await dueHolds(db, now).limit(1).executeTakeFirst())) return []
  return db.transaction().execute(async (tx) => {
    let query = dueHolds(tx, now).limit(limit)
    if (getEngine(tx) === 'postgres') query = query.forUpdate().skipLocked()
    const rows = await query.execute()
    if (rows.length > 0) {
      await tx
        .updateTable('paymentHolds')
        .set(({ eb }) => ({ dueAt: leaseEnds, attempts: eb('attempts', '+', 1) }))
        .where(
          'checkoutId',
          'in',
          rows.map(({ checkoutId }) => checkoutId),
        )
        .execute()
    }
    return rows.map((row) => ({ ...row, attempts: row.attempts + 1 }))
  })
}

/** What staff must look at: authorizations that lapse before `before`, and refused captures. */
export async function countUrgentHolds(
  db: Db,
  { before }: { before: Date },
): Promise<{ dueSoon: number; refused: number }> {
  const [dueSoon, refused] = await Promise.all([
    db
      .selectFrom('paymentHolds')
      .select(sql<number>`cast(count(*) as integer)`.as('count'))
      .where(sql<boolean>`status = 'authorized'`)
      .where('captureBefore', '<', before)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('paymentHolds')
      .select(sql<number>`cast(count(*) as integer)`.as('count'))
      .where(sql<boolean>`status = 'authorized'`)
      .where('refusedAt', 'is not', null)
      .executeTakeFirstOrThrow(),
  ])
  return { dueSoon: dueSoon.count, refused: refused.count }
}
