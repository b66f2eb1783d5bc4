import { findItem } from '#db/dispensing/items.ts'
import { listLineReviews, reopenLinesOfItem } from '#db/dispensing/line-reviews.ts'
import { findPrescription } from '#db/prescriptions/prescriptions.ts'
import type { Context } from '../context.ts'

/**
 * Returns an order's cleared lines to the queue when their item or its prescription was changed
 * after they were cleared. A change to a shipped order's item does not reopen its lines. Call it in
 * the transaction that restores the order's earlier status and has locked its customer. It compares
 * with the clearance and not with the shipping: a change may begin before the order ships and be
 * stored afterwards.
 */
export async function reopenChangedLines({ db }: Pick<Context, 'db'>, orderId: string): Promise<void> {
  for (const { status, itemId, decidedAt } of await listLineReviews(db, [orderId])) {
    if (status !== 'cleared' || itemId === null || decidedAt === null) continue
    const item = await findItem(db, itemId)
    const prescription = item && (await findPrescription(db, item.prescriptionId))
    const isUnchanged =
      item?.status === 'active' &&
      item.updatedAt <= decidedAt &&
      prescription?.status === 'approved' &&
      // A new transcription is a decision, too.
      (prescription.decidedAt === null || prescription.decidedAt <= decidedAt)
    if (!isUnchanged) await reopenLinesOfItem(db, itemId, { orderId })
  }
}
