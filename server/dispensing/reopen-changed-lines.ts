import { findItem } from '#db/dispensing/items.ts'
import { listLineReviews, reopenLinesOfItem } from '#db/dispensing/line-reviews.ts'
import { findPrescription } from '#db/prescriptions/prescriptions.ts'
import type { Context } from '../context.ts'

/**
 * Returns an order's cleared lines to the queue when their item or its prescription was changed
 * while the order was shipped: then a change leaves the lines cleared. Call it in the
 * transaction that restores the order's earlier status and has locked its customer.
 * @param since when the order shipped
 */
export async function reopenChangedLines(
  { db }: Pick<Context, 'db'>,
  { orderId, since }: { orderId: string; since: Date },
): Promise<void> {
  const reviews = await listLineReviews(db, [orderId])
  const itemIds = reviews.flatMap(({ status, itemId }) => (status === 'cleared' && itemId ? [itemId] : []))
  for (const itemId of new Set(itemIds)) {
    const item = await findItem(db, itemId)
    const prescription = item && (await findPrescription(db, item.prescriptionId))
    const isUnchanged =
      item?.status === 'active' &&
      item.updatedAt <= since &&
      prescription?.status === 'approved' &&
      // A new transcription is a decision, too.
      (prescription.decidedAt === null || prescription.decidedAt <= since)
    if (!isUnchanged) await reopenLinesOfItem(db, itemId)
  }
}
