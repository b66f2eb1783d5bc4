import { groupBy } from '#domain/group-by.ts'
import { sumLineRefunds, type LineRefunds } from '#domain/orders/line-refunds.ts'
import { sql, type Expression, type Selectable } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'
import { isOneOf } from '../engine/sql.ts'

export type RefundRow = Selectable<Schema['refunds']>

type NewRefund = Pick<
  RefundRow,
  'id' | 'idempotencyKey' | 'checkoutId' | 'orderId' | 'paymentId' | 'amountCents' | 'reason' | 'createdAt'
>

/** When an order first shipped; no row when it has not. An undone shipping does not count. */
const firstShipped = (db: Db, orderId: string | Expression<string>) =>
  db
    .selectFrom('orderEvents')
    .select('orderEvents.at')
    .where('orderEvents.orderId', '=', orderId)
    .where('orderEvents.status', 'in', ['shipped', 'delivered'])
    .where('orderEvents.revertedAt', 'is', null)
    .orderBy('orderEvents.at')
    .limit(1)

/**
 * Stores a refund that is due now. Does nothing when the idempotency key exists. The caller has
 * locked the order. A request that waited for that lock may have begun before the order shipped:
 * its refund is then stored as of the shipping, because it was made after it.
 */
export async function insertRefund(db: Db, refund: NewRefund): Promise<void> {
  const { orderId, createdAt: now } = refund
  const shipped = orderId === null ? undefined : await firstShipped(db, orderId).executeTakeFirst()
  const createdAt = shipped && shipped.at > now ? shipped.at : now
  await db
    .insertInto('refunds')
    .values({ ...refund, createdAt, dueAt: now })
    .onConflict((conflict) => conflict.column('idempotencyKey').doNothing())
    .execute()
}

const dueRefunds = (db: Db, now: Date) =>
  db.selectFrom('refunds').selectAll().where('dueAt', '<=', now).orderBy('dueAt').orderBy('id')

/**
 * Claims due refunds. No other process gets them before `leaseEnds`. `attempts` includes this
 * attempt.
 */
export async function claimRefunds(
  db: Db,
  { now, leaseEnds, limit }: { now: Date; leaseEnds: Date; limit: number },
): Promise<RefundRow[]> {
  if (!(await dueRefunds(db, now).limit(1).executeTakeFirst())) return []
  return db.transaction().execute(async (tx) => {
    let query = dueRefunds(tx, now).limit(limit)
    if (getEngine(tx) === 'postgres') query = query.forUpdate().skipLocked()
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

/** Marks a refund as made by the provider. Returns false when it was marked before. */
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

/** Schedules another attempt, or with `failedAt` marks the refund as failed for good. */
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

/** The refunds of an order, oldest first. */
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

/** The cents refunded or being refunded by checkout. Refunds that failed for good do not count. */
export async function sumRefunds(db: Db, checkoutIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('refunds')
    .select((eb) => ['checkoutId', eb.cast<number>(eb.fn.sum('amountCents'), 'bigint').as('cents')])
    .where(isOneOf(db, 'checkoutId', sql`${JSON.stringify(checkoutIds)}`))
    .where('failedAt', 'is', null)
    .groupBy('checkoutId')
    .execute()
  return new Map(rows.map(({ checkoutId, cents }) => [checkoutId, cents]))
}

/** The amount of the refund with this key; null without one, or when it failed for good. */
export async function findRefundCents(db: Db, idempotencyKey: string): Promise<number | null> {
  const row = await db
    .selectFrom('refunds')
    .select('amountCents')
    .where('idempotencyKey', '=', idempotencyKey)
    .where('failedAt', 'is', null)
    .executeTakeFirst()
  return row?.amountCents ?? null
}

export type StoredRefundLine = Pick<Schema['refundLines'], 'lineId' | 'quantity' | 'restock'>

/** The lines of the refund with this key; empty when there is none. */
export const findRefundLines = (db: Db, idempotencyKey: string): Promise<StoredRefundLine[]> =>
  db
    .selectFrom('refunds')
    .innerJoin('refundLines', 'refundLines.refundId', 'refunds.id')
    .select(['refundLines.lineId', 'refundLines.quantity', 'refundLines.restock'])
    .where('refunds.idempotencyKey', '=', idempotencyKey)
    .execute()

/**
 * The refunded lines of these orders, by line id.
 * @param options.isBeforeShipping only what was refunded before the order first shipped, by
 *   `insertRefund`
 */
export async function listLineRefunds(
  db: Db,
  orderIds: readonly string[],
  { isBeforeShipping = false }: { isBeforeShipping?: boolean } = {},
): Promise<Map<string, LineRefunds>> {
  const rows = await db
    .selectFrom('refundLines')
    .leftJoin('refunds', 'refunds.id', 'refundLines.refundId')
    .select(['refundLines.lineId', 'refundLines.quantity', 'refundLines.restocked', 'refundLines.restock'])
    .select(['refundLines.positions', 'refunds.createdAt', 'refunds.failedAt'])
    .where(isOneOf(db, 'refund_lines.order_id', sql`${JSON.stringify(orderIds)}`))
    .$if(isBeforeShipping, (query) =>
      query.where('refunds.createdAt', '<', firstShipped(db, sql.ref('refund_lines.order_id'))),
    )
    .orderBy('refundLines.refundId')
    .execute()
  const byLine = groupBy(rows, ({ lineId }) => lineId)
  return new Map([...byLine].map(([lineId, refunds]) => [lineId, sumLineRefunds(refunds)]))
}

export type RefundLine = {
  lineId: string
  /** In the line. */
  positions: readonly number[]
  /** How many of them were restocked. */
  restocked: number
  /** Whether staff chose to restock them. Null for a cancelled or refused line. */
  restock: boolean | null
}

/** `refundId` is a new id if no money was left to refund. */
type RefundOfOrder = { refundId: string; orderId: string }

/** Stores the lines of a refund. */
export async function insertRefundLines(
  db: Db,
  refund: RefundOfOrder,
  lines: readonly RefundLine[],
): Promise<void> {
  if (lines.length === 0) return
  await db
    .insertInto('refundLines')
    .values(
      lines.map(({ positions, ...line }) => ({
        ...refund,
        ...line,
        quantity: positions.length,
        positions: JSON.stringify(positions),
      })),
    )
    .execute()
}

/** Stores lines whose units all return because they were cancelled or refused. */
export const insertReturnedLines = (
  db: Db,
  refund: RefundOfOrder,
  lines: readonly { id: string; positions: readonly number[]; isTracked: boolean }[],
): Promise<void> =>
  insertRefundLines(
    db,
    refund,
    lines.map(({ id, positions, isTracked }) => ({
      lineId: id,
      positions,
      restocked: isTracked ? positions.length : 0,
      restock: null,
    })),
  )
