import { updateLineReview } from '#db/dispensing/line-reviews.ts'
import type { RefuseInput } from '#domain/dispensing/case-inputs.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { recordAlertOutcome } from '../alerts/get-alert-report.ts'
import type { OrderAlerts } from '../alerts/order-alerts.ts'
import type { Context } from '../context.ts'
import { addNotes } from '../dispensing/line-notes.ts'
import { releaseOrderFills } from '../dispensing/ship-lines.ts'
import { refuseLines } from '../orders/refuse-lines.ts'
import { captureWhenDecided } from './capture-when-decided.ts'
import { changeLine, throwStale, type LockedLine } from './change-line.ts'
import { readLockedAlerts } from './locked-alerts.ts'
import { requireUnshipped } from './require-unshipped.ts'

/**
 * Refuses a line of an unshipped order, even a cleared one: it leaves the order and is not charged,
 * or is refunded if it was. The customer reads the reason on the order page; the email names
 * no medicine. When it is the last undecided line, the rest is captured. Returns the case. Throws
 * what `changeLine` throws, and CONFLICT for an order that has shipped or whose payment is being
 * captured.
 */
export const refuseLine = (ctx: Context, input: RefuseInput): Promise<ReviewCase> =>
  changeLine(ctx, input, (ctx, locked) => refuseLocked(ctx, locked, input.reason))

/**
 * Refuses a line inside `changeLine`.
 * @param seen the alerts that the pharmacist decided on; those of the line's own item by default
 */
export async function refuseLocked(
  ctx: Context,
  locked: LockedLine,
  reason: string,
  seen?: OrderAlerts,
): Promise<void> {
  const { pharmacist, review, order } = locked
  const { lineId, version } = review
  if (review.status === 'refused') throwStale()
  requireUnshipped(order)
  const alerts = seen ?? (await readLockedAlerts(ctx, locked))
  await recordAlertOutcome(ctx, alerts.alertsOf(lineId), 'refused')
  await releaseOrderFills(ctx, order.id, [lineId])
  const isUpdated = await updateLineReview(ctx.db, {
    lineId,
    version,
    status: 'refused',
    fillId: null,
    sealedDecision: addNotes(ctx, review, pharmacist.id, { reason }),
    decidedBy: pharmacist.id,
    decidedAt: ctx.now,
    checkedBy: null,
    checkedAt: null,
  })
  if (!isUpdated) throwStale()
  // The order is locked, so it has not changed. It writes the audit row and the email.
  if (!(await refuseLines(ctx, order, [{ lineId, reason }]))) throwStale()
  await captureWhenDecided(ctx, order.id)
}
