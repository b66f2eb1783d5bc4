import { listLineReviews } from '#db/dispensing/line-reviews.ts'
import { isUndecided } from '#domain/dispensing/dispensing.ts'
import type { Context } from '../context.ts'
import { requestCapture } from '../orders/request-capture.ts'

/**
 * Requests the capture of an order's payment once all of its lines are decided, in the transaction
 * that decided the last one and has locked the order.
 */
export async function captureWhenDecided(ctx: Context, orderId: string): Promise<void> {
  const reviews = await listLineReviews(ctx.db, [orderId])
  if (reviews.some(({ status }) => isUndecided(status))) return
  await requestCapture(ctx, orderId)
}
