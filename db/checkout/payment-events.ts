import type { Db } from '../engine/client.ts'

export type PaymentEventRow = {
  id: string
  type: string
  paymentId: string | null
  sessionId: string | null
}

/** Stores a webhook event. Returns false when it was stored before. */
export async function insertPaymentEvent(
  db: Db,
  event: PaymentEventRow & { receivedAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('paymentEvents')
    .values({ ...event, handledAt: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Claims an event that has been unhandled since `before`. Returns false when it was handled or
 * another process has claimed it. Claiming sets `receivedAt` to now, so that another process can
 * claim the event later if this one dies.
 */
export async function claimPaymentEvent(
  db: Db,
  { id, before, now }: { id: string; before: Date; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('paymentEvents')
    .set({ receivedAt: now })
    .where('id', '=', id)
    .where('handledAt', 'is', null)
    .where('receivedAt', '<=', before)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Unhandled events received before this time, oldest first. */
export async function listPendingEvents(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<PaymentEventRow[]> {
  return db
    .selectFrom('paymentEvents')
    .select(['id', 'type', 'paymentId', 'sessionId'])
    .where('handledAt', 'is', null)
    .where('receivedAt', '<=', before)
    .orderBy('receivedAt')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Marks an event as handled. */
export async function markEventHandled(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await db
    .updateTable('paymentEvents')
    .set({ handledAt: now })
    .where('id', '=', id)
    .where('handledAt', 'is', null)
    .execute()
}
