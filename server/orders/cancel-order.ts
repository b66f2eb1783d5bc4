import { findRefundCents } from '#db/orders/refunds.ts'
import { AppError } from '#domain/errors.ts'
import { statusMove } from '#domain/orders/order-status.ts'
import type { Order } from '#domain/orders/orders.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { cancellationKey, changeOrder } from './apply-order-change.ts'
import { findOrder, type OwnedOrder } from './find-order.ts'
import { openOrder } from './sealed-order.ts'

/** Of several at once each but the first decides anew by what the first made. */
const maxTries = 5

/** A cancelled order, and the refund that cancelling it made. */
export type CancelledOrder = { order: Order; refundCents: number }

/**
 * Cancels an order before it ships, for its customer and for admins: refunds what is left of its
 * payment and returns its units to stock, once. A second call changes nothing and returns the same.
 * Throws UNAUTHENTICATED, NOT_FOUND, and CONFLICT when the order was ever shipped.
 */
export async function cancelOrder(ctx: Context, id: string): Promise<CancelledOrder> {
  for (let tries = 0; tries < maxTries; tries++) {
    const row = await findOrder(ctx, id)
    const done = await tryToCancel(ctx, row)
    if (!done) continue
    const refundCents = await findRefundCents(ctx.db, cancellationKey(done.checkoutId))
    return { order: openOrder(ctx.keys, done), refundCents: refundCents ?? 0 }
  }
  throw new AppError('UNAVAILABLE', undefined, { retryAfter: 1 })
}

async function tryToCancel(ctx: Context, row: OwnedOrder): Promise<OwnedOrder | null> {
  const wasCalledOff = row.restockedAt !== null
  const move = statusMove({ status: row.status, isCalledOff: wasCalledOff }, 'cancelled')
  if (move === 'none' && !wasCalledOff) {
    throw new AppError(
      'CONFLICT',
      'This order was cancelled after it had been shipped. Please contact us about it.',
    )
  }
  if (move === 'none') {
    await recordRead(ctx, { action: 'order.read', subjectId: row.userId, objectId: row.id })
    return row
  }
  if (move !== 'call off') {
    throw new AppError('CONFLICT', 'This order is on its way already and can no longer be cancelled.')
  }
  const { trackingNumber, carrier, estimatedDelivery } = row
  return changeOrder(ctx, row, {
    status: 'cancelled',
    callsOff: true,
    trackingNumber,
    carrier,
    estimatedDelivery,
  })
}
