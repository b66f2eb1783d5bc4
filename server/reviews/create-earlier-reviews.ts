import { insertLineReviews, listOrdersWithoutReview, undecidedReview } from '#db/dispensing/line-reviews.ts'
import type { Context } from '../context.ts'
import { readOrderContent } from '../orders/order-reader.ts'

const batchSize = 100

/**
 * Puts the prescription lines of unshipped orders from before migration 0032 before a pharmacist.
 * Their prescriptions have no items yet, so each is transcribed first. Safe to run twice and by
 * several processes.
 */
export async function createEarlierReviews({ db, keys }: Pick<Context, 'db' | 'keys'>): Promise<void> {
  for (;;) {
    const orders = await listOrdersWithoutReview(db, batchSize)
    const reviews = orders.flatMap((order) => {
      const { lines, refusedLines } = readOrderContent(keys, order)
      const refused = new Set(refusedLines.map(({ lineId }) => lineId))
      return lines
        .filter(({ product }) => product.category === 'Rx')
        .map(({ id: lineId }) => ({
          lineId,
          orderId: order.id,
          patientId: order.userId ?? '',
          prescriptionId: order.prescriptionId,
          itemId: null,
          fillId: null,
          ...undecidedReview,
          ...(refused.has(lineId) && { status: 'refused' as const }),
          sealedDecision: null,
          createdAt: order.createdAt,
        }))
    })
    await insertLineReviews(db, reviews)
    // An order that has no prescription line after all would be found again.
    if (orders.length < batchSize || reviews.length === 0) return
  }
}
