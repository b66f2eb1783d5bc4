import { sql, type Selectable } from 'kysely'
import { engineOf, type Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'
import { isOneOf } from '../engine/sql.ts'

export type RefundRow = Selectable<Schema['refunds']>

type NewRefund = Pick<
  RefundRow,
  'id' | 'idempotencyKey' | 'checkoutId' | 'orderId' | 'paymentId' | 'amountCents' | 'reason' | 'createdAt'
>

/** Stores money to give back, due at once; one of the same key is there already and stays. */
export async function insertRefund(db: Db, refund: NewRefund): Promise<void> {
  await db
    .insertInto('refunds')
    .values({ ...refund, dueAt: refund.createdAt })
    .onConflict((conflict) => conflict.column('idempotencyKey').doNothing())
    .execute()
}

const due = (db: Db, now: Date) =>
  db.selectFrom('refunds').selectAll().where('dueAt', '<=', now).orderBy('dueAt').orderBy('id')

/** Takes refunds that are due: nobody else gets one before `leaseEnds`. `attempts` counts this one. */
export async function claimRefunds(
  db: Db,
  { now, leaseEnds, limit }: { now: Date; leaseEnds: Date; limit: number },
): Promise<RefundRow[]> {
  if (!(await due(db, now).limit(1).executeTakeFirst())) return []
  return db.transaction().execute(async (tx) => {
    let query = due(tx, now).limit(limit)
    if (engineOf(tx) === 'postgres') query = query.forUpdate().skipLocked()
    const rows = await query.execute()
    if (rows.length > 0) {
      await tx
        .updateTable('refunds')
        .set(({ eb }) => ({ dueAt: leaseEnds, attempts: eb('attempts', '+', 1) }))
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute()
    }
    return rows.map((row) => ({ ...row, attempts: row.attempts + 1 }))
  })
}

/** Notes that the provider gave the money back. Returns false when that was noted before. */
export async function markRefunded(
  db: Db,
  { id, providerRefundId, now }: { id: string; providerRefundId: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('refunds')
    .set({ providerRefundId, doneAt: now, dueAt: null })
    .where('id', '=', id)
    .where('doneAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Lets a refund wait for another try; with `failedAt` it was the last. */
export async function postponeRefund(
  db: Db,
  { id, dueAt, failedAt }: { id: string; dueAt: Date | null; failedAt: Date | null },
): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ dueAt, failedAt })
    .where('id', '=', id)
    .where('doneAt', 'is', null)
    .execute()
}

/** What goes or went back of an order, the oldest first. */
export const listOrderRefunds = (
  db: Db,
  checkoutId: string,
): Promise<Pick<RefundRow, 'id' | 'amountCents' | 'createdAt' | 'doneAt' | 'failedAt'>[]> =>
  db
    .selectFrom('refunds')
    .select(['id', 'amountCents', 'createdAt', 'doneAt', 'failedAt'])
    .where('checkoutId', '=', checkoutId)
    .orderBy('id')
    .execute()

/** How much of each payment goes or went back, in cents, by the checkout; what the provider refused for good does not count. */
export async function sumPromised(db: Db, checkoutIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('refunds')
    .select((eb) => ['checkoutId', eb.cast<number>(eb.fn.sum('amountCents'), 'bigint').as('cents')])
    .where(isOneOf(db, 'checkoutId', sql`${JSON.stringify(checkoutIds)}`))
    .where('failedAt', 'is', null)
    .groupBy('checkoutId')
    .execute()
  return new Map(rows.map(({ checkoutId, cents }) => [checkoutId, cents]))
}

/** The amount of the refund with this key; null without one, or when the provider refused it. */
export async function findRefundCents(db: Db, idempotencyKey: string): Promise<number | null> {
  const row = await db
    .selectFrom('refunds')
    .select('amountCents')
    .where('idempotencyKey', '=', idempotencyKey)
    .where('failedAt', 'is', null)
    .executeTakeFirst()
  return row?.amountCents ?? null
}

export type BegunReturn = Pick<Schema['refundLines'], 'lineId' | 'quantity' | 'restock'>

/** What of which lines a refund of this key gives back; nothing when none of them was begun. */
export const findRefundLines = (db: Db, idempotencyKey: string): Promise<BegunReturn[]> =>
  db
    .selectFrom('refunds')
    .innerJoin('refundLines', 'refundLines.refundId', 'refunds.id')
    .select(['refundLines.lineId', 'refundLines.quantity', 'refundLines.restock'])
    .where('refunds.idempotencyKey', '=', idempotencyKey)
    .execute()

/** What came of an order's line so far: how many of it were refunded, how many were named by any refund, and how many are back in stock. */
export type LineReturns = { refunded: number; named: number; restocked: number }

/** The same of all lines of these orders of which any was refunded, by the line. */
export async function listReturns(db: Db, orderIds: readonly string[]): Promise<Map<string, LineReturns>> {
  const { rows } = await sql<LineReturns & { lineId: string }>`
    select l.line_id, cast(sum(case when r.failed_at is null then l.quantity else 0 end) as integer) as refunded,
      cast(sum(l.quantity) as integer) as named, cast(sum(l.restocked) as integer) as restocked
    from refund_lines l left join refunds r on r.id = l.refund_id
    where ${isOneOf(db, 'l.order_id', sql`${JSON.stringify(orderIds)}`)}
    group by l.line_id`.execute(db)
  return new Map(rows.map(({ lineId, ...returns }) => [lineId, returns]))
}

/** Notes which of an order's lines go back. */
export async function insertRefundLines(db: Db, lines: readonly Schema['refundLines'][]): Promise<void> {
  if (lines.length > 0) await db.insertInto('refundLines').values(lines).execute()
}
