import { updateLineReview } from '#db/dispensing/line-reviews.ts'
import { lockOrder } from '#db/orders/orders.ts'
import type { PaymentHoldRow } from '#db/orders/payment-holds.ts'
import { AppError } from '#domain/errors.ts'
import { computeLapse } from '#domain/orders/payment-hold.ts'
import { inTransaction, type Context } from '../context.ts'
import { releaseOrderFills } from '../dispensing/ship-lines.ts'
import type { CustomerOrder } from '../orders/find-order.ts'
import { listUndecidedLines, type UndecidedLine } from '../orders/list-undecided-lines.ts'
import { refuseLines } from '../orders/refuse-lines.ts'
import { requestCapture } from '../orders/request-capture.ts'
import { getSettings } from '../settings/get-settings.ts'

const hourMs = 3600_000
/** How often the shop looks at a payment that waits, in case a webhook was lost. */
const checkEveryMs = hourMs

/** As the customer reads it on the order page. */
export const lateReason = 'Not decided in time'

/** When the job looks at an authorization again. */
export const nextCheckAt = ({ now }: Pick<Context, 'now'>): Date => new Date(now.getTime() + checkEveryMs)

/**
 * Captures a payment whose lines are all decided, in case the last decision did not. In the last
 * hours of an authorization, captures what a pharmacist has cleared until then and removes the
 * rest. Returns the time when staff must first be warned that it lapses soon, else null.
 */
export async function decideBeforeLapse(
  ctx: Context,
  hold: PaymentHoldRow,
  order: CustomerOrder,
): Promise<Date | null> {
  const { captureMarginHours } = await getSettings(ctx)
  const { lapsesAt, marginMs } = computeLapse(hold, captureMarginHours)
  const leftMs = lapsesAt.getTime() - ctx.now.getTime()
  const undecided = await listUndecidedLines(ctx, order)
  if (leftMs <= marginMs || (undecided.length === 0 && hold.refusedAt === null)) {
    await captureDecided(ctx, order, undecided)
    return null
  }
  if (leftMs > 2 * marginMs || hold.warnedAt !== null) return null
  ctx.log.warn({ orderId: order.id }, 'an authorization lapses soon')
  return ctx.now
}

/** Removes the lines that no pharmacist has decided, and captures the rest. */
const captureDecided = (
  ctx: Context,
  order: CustomerOrder,
  undecided: readonly UndecidedLine[],
): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    // As a pharmacist's decision locks them: the order, then the reviews of its lines.
    const locked = await lockOrder(ctx.db, order.id)
    if (!locked || !isSameLines(await listUndecidedLines(ctx, locked), undecided)) throw tryAgain()
    for (const { review } of undecided) {
      if (!review) continue
      const decision = { status: 'refused', decidedBy: null, decidedAt: ctx.now } as const
      const { lineId, version } = review
      // A pharmacist decides at this moment: read again.
      if (!(await updateLineReview(ctx.db, { lineId, version, ...decision }))) throw tryAgain()
    }
    const lineIds = undecided.map(({ line }) => line.id)
    if (lineIds.length > 0) await releaseOrderFills(ctx, order.id, lineIds)
    const refusals = lineIds.map((lineId) => ({ lineId, reason: lateReason }))
    if (!(await refuseLines(ctx, order, refusals, { isLate: true }))) throw tryAgain()
    await requestCapture(ctx, order.id)
  })

/** An edited item may have returned a cleared line to the queue since the lines were read. */
const isSameLines = (now: readonly UndecidedLine[], seen: readonly UndecidedLine[]): boolean =>
  now.length === seen.length && now.every(({ line }, at) => line.id === seen[at]?.line.id)

const tryAgain = (): AppError => new AppError('UNAVAILABLE', undefined, { retryAfter: 1 })
