import { updateLineReview } from '#db/dispensing/line-reviews.ts'
import type { LineInput } from '#domain/dispensing/case-inputs.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { AppError } from '#domain/errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { noteRefusal } from '../note-refusal.ts'
import { getSettings } from '../settings/get-settings.ts'
import { changeLine, throwStale } from './change-line.ts'
import { requireUnshipped } from './require-unshipped.ts'

/**
 * Records that a second pharmacist checked a cleared line before it ships. Returns the case. Throws
 * what `changeLine` throws, and CONFLICT for the pharmacist who cleared it, for an order that has
 * shipped, and in a shop that needs one pharmacist.
 */
export const secondCheck = (ctx: Context, input: LineInput): Promise<ReviewCase> =>
  changeLine(ctx, input, async (ctx, { pharmacist, review, order }) => {
    if (review.status !== 'cleared') throwStale()
    requireUnshipped(order)
    if (!(await getSettings(ctx)).twoPharmacists) {
      throw new AppError('CONFLICT', 'This shop doesn’t require a second check.')
    }
    if (review.decidedBy === pharmacist.id) {
      noteRefusal(ctx, order.id)
      throw new AppError('CONFLICT', 'You cleared this line, so another pharmacist must do the second check.')
    }
    const checked = { checkedBy: pharmacist.id, checkedAt: ctx.now }
    const { lineId, version } = review
    if (!(await updateLineReview(ctx.db, { lineId, version, ...checked }))) throwStale()
    await recordAudit(ctx, { action: 'order.line-checked', subjectId: order.userId, objectId: order.id })
  })
