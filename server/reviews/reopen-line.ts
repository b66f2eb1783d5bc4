import { moveFills } from '#db/dispensing/fills.ts'
import { undecidedReview, updateLineReview } from '#db/dispensing/line-reviews.ts'
import type { DidNotLeaveInput, LineInput } from '#domain/dispensing/case-inputs.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { AppError } from '#domain/errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { addNotes } from '../dispensing/line-notes.ts'
import { returnClearedLine } from '../dispensing/return-cleared-line.ts'
import { changeLine, throwStale, type LockedLine } from './change-line.ts'
import { requireUnshipped } from './require-unshipped.ts'

/**
 * Returns a cleared line of an unshipped order to the queue. Its fill stays reserved, and a
 * captured payment stays captured. Returns the case. Throws what `changeLine` throws, and CONFLICT
 * for an order that has shipped or was cancelled.
 */
export const reopenLine = (ctx: Context, input: LineInput): Promise<ReviewCase> =>
  changeLine(ctx, input, async (ctx, { pharmacist, review, order }) => {
    if (review.status !== 'cleared') throwStale()
    requireUnshipped(order)
    const returned = { userId: order.userId, by: pharmacist.id, why: 'Returned to the queue.' }
    if (!(await returnClearedLine(ctx, review, returned))) throwStale()
  })

/**
 * Records that a dispensed line did not leave the pharmacy after all: its fill no longer counts. In
 * an order that ships later the line returns to the queue. Returns the case. Throws what
 * `changeLine` throws, and CONFLICT for a line that was not dispensed, and while the order is still
 * shipped.
 */
export const didNotLeave = (ctx: Context, input: DidNotLeaveInput): Promise<ReviewCase> =>
  changeLine(ctx, input, async (ctx, locked) => {
    const { review, order } = locked
    if (order.status === 'shipped' || order.status === 'delivered') {
      throw new AppError('CONFLICT', 'Move the order back to processing first, or cancel it.')
    }
    const released = await moveFills(ctx.db, {
      orderId: order.id,
      lineIds: [review.lineId],
      from: ['dispensed'],
      to: 'released',
      now: ctx.now,
    })
    if (released.length === 0) throw new AppError('CONFLICT', 'This line was not dispensed.')
    await returnUndispensed(ctx, locked, input.reason)
    await recordAudit(ctx, { action: 'order.line-returned', subjectId: order.userId, objectId: order.id })
  })

/** Makes the line undecided. One that is refused, or in a cancelled order, gets only the note. */
async function returnUndispensed(
  ctx: Context,
  { pharmacist, review, order }: LockedLine,
  reason: string,
): Promise<void> {
  const { lineId, version } = review
  const notes = [{ kind: 'return', text: reason } as const]
  const sealedDecision = addNotes(ctx, review, pharmacist.id, { notes })
  const isDecided = order.status === 'cancelled' || review.status === 'refused'
  const reset = isDecided ? {} : { ...undecidedReview, fillId: null }
  if (!(await updateLineReview(ctx.db, { lineId, version, sealedDecision, ...reset }))) throwStale()
}
