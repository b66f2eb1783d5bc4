import { lockUser } from '#db/accounts/users.ts'
import { listLineReviews } from '#db/dispensing/line-reviews.ts'
import { lockOrder } from '#db/orders/orders.ts'
import { canCancel } from '#domain/orders/order-status.ts'
import { inTransaction, type Context } from '../context.ts'
import { returnClearedLine } from '../dispensing/return-cleared-line.ts'
import { requireUser } from '../require-user.ts'
import { findAlertedLines, NewAlertsError } from './check-status-change.ts'
import { findOrder } from './find-order.ts'

/**
 * Runs a change that may ship an order. When new alerts refuse it, the change is rolled back, with
 * the audit row of what was compared. A transaction of its own then compares again, and returns
 * the lines that have alerts to the queue (docs/dispensing.md, rule 7). In a caller's transaction,
 * which is rolled back too, nothing returns.
 */
export async function returningAlertedLines<T>(
  ctx: Context,
  orderId: string,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof NewAlertsError) || ctx.db.isTransaction) throw error
    const returned = await returnAlertedLines(ctx, orderId).catch((failure: unknown) => {
      // The alert is what staff must read. The line stays cleared, and does not ship.
      ctx.log.error({ err: failure, requestId: ctx.requestId }, 'alerted lines not returned')
      return 0
    })
    throw returned === 0 ? error : new NewAlertsError(`${error.message} ${returnedText(returned)}`)
  }
}

const returnedText = (lines: number): string =>
  lines === 1
    ? 'The line is back in the pharmacists’ queue.'
    : 'The lines are back in the pharmacists’ queue.'

/** Returns how many lines it returned. */
const returnAlertedLines = (ctx: Context, orderId: string): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const { userId } = await findOrder(ctx, orderId)
    const isStored = await lockUser(ctx.db, userId)
    const row = isStored ? await lockOrder(ctx.db, orderId) : null
    if (row?.userId !== userId || !canCancel(row.status)) return 0
    const alerted = new Set((await findAlertedLines(ctx, { ...row, userId })).map(({ lineId }) => lineId))
    const by = requireUser(ctx).id
    let returned = 0
    for (const review of await listLineReviews(ctx.db, [orderId])) {
      if (!alerted.has(review.lineId) || review.status !== 'cleared') continue
      const why = 'Returned to the queue: a new alert kept it from shipping.'
      if (await returnClearedLine(ctx, review, { userId, by, why })) returned++
    }
    return returned
  })
