import { lockOrder } from '#db/orders/orders.ts'
import type { PaymentHoldRow } from '#db/orders/payment-holds.ts'
import { shortestAuthorizationMs } from '#domain/orders/payment-hold.ts'
import { inTransaction, type Context } from '../context.ts'
import { listUndecidedLines } from '../orders/list-undecided-lines.ts'
import { refuseLines } from '../orders/refuse-lines.ts'
import { requestCapture } from '../orders/request-capture.ts'
import { getSettings } from '../settings/get-settings.ts'

const hourMs = 3600_000
/** How often the shop looks at a payment that waits, in case a webhook was lost. */
const lookEveryMs = hourMs

/** As the customer reads it on the order page. */
export const lateReason = 'Not decided in time'

/** When an authorization lapses. */
const lapsesAt = ({ captureBefore, createdAt }: PaymentHoldRow): Date =>
  captureBefore ?? new Date(createdAt.getTime() + shortestAuthorizationMs)

/** When the job looks at an authorization again. */
export const scheduleLook = ({ now }: Pick<Context, 'now'>): Date => new Date(now.getTime() + lookEveryMs)

/**
 * In the last hours of an authorization, captures what a pharmacist has cleared until then and
 * removes the rest. Returns the time when staff must first be warned that it lapses soon, else null.
 */
export async function decideBeforeLapse(ctx: Context, hold: PaymentHoldRow): Promise<Date | null> {
  const { captureMarginHours } = await getSettings(ctx)
  const lapses = lapsesAt(hold).getTime()
  // A long margin never takes more than half of the time that pharmacists have.
  const marginMs = Math.min(captureMarginHours * hourMs, (lapses - hold.createdAt.getTime()) / 2)
  const leftMs = lapses - ctx.now.getTime()
  if (leftMs <= marginMs) {
    await captureDueSoon(ctx, hold)
    return null
  }
  if (leftMs > 2 * marginMs || hold.warnedAt !== null) return null
  ctx.log.warn({ orderId: hold.orderId }, 'an authorization lapses soon')
  return ctx.now
}

/**
 * Removes the lines that no pharmacist has decided, and captures the rest. A line that is decided at
 * the same time comes before or after.
 */
const captureDueSoon = (ctx: Context, { orderId }: PaymentHoldRow): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const row = orderId === null ? null : await lockOrder(ctx.db, orderId)
    if (!row || row.userId === null) return
    const order = { ...row, userId: row.userId }
    const refusals = (await listUndecidedLines(ctx, order)).map(({ id }) => ({
      lineId: id,
      reason: lateReason,
    }))
    if (!(await refuseLines(ctx, order, refusals, { isLate: true }))) return
    await requestCapture(ctx, order.id)
  })
