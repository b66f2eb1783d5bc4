import { moveFills } from '#db/dispensing/fills.ts'
import { undecidedReview, updateLineReview } from '#db/dispensing/line-reviews.ts'
import type { DidNotLeaveInput, LineInput } from '#domain/dispensing/case-inputs.ts'
import type { DecisionNote } from '#domain/dispensing/clearance.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { AppError } from '#domain/errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { addNotes } from '../dispensing/line-notes.ts'
import { changeLine, throwStale, type LockedLine } from './change-line.ts'
import { requireUnshipped } from './require-unshipped.ts'

/**
 * Returns a cleared line of an unshipped order to the queue. Its fill stays reserved, and a
 * captured payment stays captured. Returns the case. Throws what `changeLine` throws, and CONFLICT
 * for an order that has shipped or was cancelled.
 */
export const reopenLine = (ctx: Context, input: LineInput): Promise<ReviewCase> =>
  changeLine(ctx, input, async (ctx, locked) => {
    const { review, order } = locked
    if (review.status !== 'cleared') throwStale()
    requireUnshipped(order)
    const lineIds = [review.lineId]
    await moveFills(ctx.db, { orderId: order.id, lineIds, from: ['cleared'], to: 'reserved', now: ctx.now })
    await returnToQueue(ctx, locked, { kind: 'reopened', text: 'Returned to the queue.' })
    await recordAudit(ctx, { action: 'order.line-reopened', subjectId: order.userId, objectId: order.id })
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
    await returnToQueue(ctx, locked, { kind: 'return', text: input.reason })
    await recordAudit(ctx, { action: 'order.line-returned', subjectId: order.userId, objectId: order.id })
  })

/** Makes the line undecided. One that is refused, or in a cancelled order, gets only the note. */
async function returnToQueue(
  ctx: Context,
  { pharmacist, review, order }: LockedLine,
  note: DecisionNote,
): Promise<void> {
  const { lineId, version } = review
  const sealedDecision = addNotes(ctx, review, pharmacist.id, { notes: [note] })
  const reset =
    order.status === 'cancelled' || review.status === 'refused'
      ? {}
      : { ...undecidedReview, ...(note.kind === 'return' ? { fillId: null } : {}) }
  if (!(await updateLineReview(ctx.db, { lineId, version, sealedDecision, ...reset }))) throwStale()
}
