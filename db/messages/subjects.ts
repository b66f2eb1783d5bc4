import type { Db } from '../engine/client.ts'
import type { Subject } from './messages.ts'

/**
 * Returns what waited for the customer's answer to the queue: lines that they were asked about wait
 * for a decision again, and a pharmacist who read the prescription before the answer must reload.
 */
export async function reviewNewAnswer(db: Db, { id, kind }: Subject): Promise<void> {
  await db
    .updateTable('lineReviews')
    .set((eb) => ({ status: 'waiting', version: eb('version', '+', 1) }))
    .where(kind === 'order' ? 'orderId' : 'prescriptionId', '=', id)
    .where('status', '=', 'asked')
    .execute()
  if (kind === 'prescription') await bumpReviewVersion(db, id)
}

/** Makes decisions stale that were made without the newest message about a prescription. */
export async function bumpReviewVersion(db: Db, prescriptionId: string): Promise<void> {
  await db
    .updateTable('prescriptions')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', prescriptionId)
    .where('status', '=', 'under_review')
    .execute()
}
