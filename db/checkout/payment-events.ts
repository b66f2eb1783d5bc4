import type { Db } from '../engine/client.ts'

export type PaymentEventRow = {
  id: string
  type: string
  paymentId: string | null
  sessionId: string | null
}

/** Stores what a webhook told. False when it was told before. */
export async function putPaymentEvent(
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
 * Takes an event that nobody has handled since `before`; false when it is handled, or somebody else's. `receivedAt` is from then on when it was
 * taken, so that whoever dies over it leaves it to the next.
 */
export async function takePaymentEvent(
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

/** Events that were told before this moment and not handled, the longest waiting first. */
export async function listWaitingEvents(
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

/** Notes that an event is handled. */
export async function markEventHandled(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await db
    .updateTable('paymentEvents')
    .set({ handledAt: now })
    .where('id', '=', id)
    .where('handledAt', 'is', null)
    .execute()
}
