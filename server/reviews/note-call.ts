import { updateLineReview } from '#db/dispensing/line-reviews.ts'
import type { CallInput } from '#domain/dispensing/case-inputs.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { addNotes } from '../dispensing/line-notes.ts'
import { changeLine, throwStale } from './change-line.ts'

/**
 * Notes a call to the prescriber on a line, whatever its state. Returns the case. Throws what
 * `changeLine` throws.
 */
export const noteCall = (ctx: Context, input: CallInput): Promise<ReviewCase> =>
  changeLine(ctx, input, async (ctx, { pharmacist, review, order }) => {
    const { lineId, version } = review
    const notes = [{ kind: 'call' as const, text: input.note }]
    const sealedDecision = addNotes(ctx, review, pharmacist.id, { notes })
    if (!(await updateLineReview(ctx.db, { lineId, version, sealedDecision }))) throwStale()
    await recordAudit(ctx, { action: 'order.line-noted', subjectId: order.userId, objectId: order.id })
  })
