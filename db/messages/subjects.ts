import type { Db } from '../engine/client.ts'
import type { Subject } from './messages.ts'

/**
 * Puts an order or prescription before a pharmacist again, because the customer wrote: lines that
 * waited for the customer wait for a decision, and a review of the prescription that started before
 * is stale.
 */
export async function reviewNewAnswer(db: Db, { id, kind }: Subject): Promise<void> {
  await db
    .updateTable('lineReviews')
    .set((eb) => ({ status: 'waiting', version: eb('version', '+', 1) }))
    .where(kind === 'order' ? 'orderId' : 'prescriptionId', '=', id)
    .where('status', '=', 'asked')
    .execute()
  if (kind === 'order') return
  await db
    .updateTable('prescriptions')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'under_review')
    .execute()
}
