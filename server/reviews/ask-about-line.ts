import { updateLineReview } from '#db/dispensing/line-reviews.ts'
import type { AskInput } from '#domain/dispensing/case-inputs.ts'
import { isUndecided } from '#domain/dispensing/dispensing.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { askCustomer } from '../messages/send-message.ts'
import { changeLine, throwStale } from './change-line.ts'
import { requireUnshipped } from './require-unshipped.ts'

/**
 * Asks the customer about an undecided line, in the order's thread. The line then waits for them;
 * their answer returns it to the queue. Returns the case. Throws what `changeLine` and
 * `askCustomer` throw, and CONFLICT for an order that has shipped or was cancelled.
 */
export const askAboutLine = (ctx: Context, input: AskInput): Promise<ReviewCase> =>
  changeLine(ctx, input, async (ctx, { pharmacist, review, order }) => {
    if (!isUndecided(review.status)) throwStale()
    requireUnshipped(order)
    const { lineId, version } = review
    // Locks the thread before the review, as the customer's answer does. One question for each
    // version of a line: a repeated submission is stale.
    await askCustomer(ctx, {
      subjectId: order.id,
      text: input.question,
      requestKey: `${lineId}:${version}`,
      lastMessageId: input.lastMessageId,
    })
    const asked = { status: 'asked', decidedBy: pharmacist.id, decidedAt: ctx.now } as const
    if (!(await updateLineReview(ctx.db, { lineId, version, ...asked }))) throwStale()
    await recordAudit(ctx, { action: 'order.line-asked', subjectId: order.userId, objectId: order.id })
  })
