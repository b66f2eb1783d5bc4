import { moveFills } from '#db/dispensing/fills.ts'
import { undecidedReview, updateLineReview, type LineReviewRow } from '#db/dispensing/line-reviews.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { addNotes } from './line-notes.ts'

/**
 * Returns a cleared line to the queue, in a transaction that has locked its customer and its order.
 * Its fill stays reserved, and a captured payment stays captured. Returns false when the review has
 * changed since it was read.
 * @param returned.by the id of who returns it
 * @param returned.why a note for pharmacists
 */
export async function returnClearedLine(
  ctx: Context,
  review: LineReviewRow,
  { userId, by, why }: { userId: string; by: string; why: string },
): Promise<boolean> {
  const { lineId, orderId, version } = review
  const sealedDecision = addNotes(ctx, review, by, { notes: [{ kind: 'reopened', text: why }] })
  if (!(await updateLineReview(ctx.db, { lineId, version, sealedDecision, ...undecidedReview }))) return false
  await moveFills(ctx.db, { orderId, lineIds: [lineId], from: ['cleared'], to: 'reserved', now: ctx.now })
  await recordAudit(ctx, { action: 'order.line-reopened', subjectId: userId, objectId: orderId })
  return true
}
