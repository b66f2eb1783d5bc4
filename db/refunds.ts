import type { Selectable } from 'kysely'
import { engineOf, type Db } from './client.ts'
import type { Schema } from './schema/schema.ts'

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
): Promise<Pick<RefundRow, 'amountCents' | 'createdAt' | 'doneAt' | 'failedAt'>[]> =>
  db
    .selectFrom('refunds')
    .select(['amountCents', 'createdAt', 'doneAt', 'failedAt'])
    .where('checkoutId', '=', checkoutId)
    .orderBy('id')
    .execute()
