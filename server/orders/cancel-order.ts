import { findRefundCents } from '#db/orders/refunds.ts'
import { AppError } from '#domain/errors.ts'
import { statusTransition } from '#domain/orders/order-status.ts'
import type { Order } from '#domain/orders/orders.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { cancellationKey, applyOrderChange } from './apply-order-change.ts'
import { findOrder, type CustomerOrder } from './find-order.ts'
import { openOrder } from './sealed-order.ts'

/** Of several at once each but the first decides anew by what the first made. */
const maxAttempts = 5

/** A cancelled order, and the refund that cancelling it made. */
export type CancelledOrder = { order: Order; refundCents: number }

/**
 * Cancels an order before it ships, for its customer and for admins: refunds what is left of its
 * payment and returns its units to stock, once. A second call changes nothing and returns the same.
 * Throws UNAUTHENTICATED, NOT_FOUND, and CONFLICT when the order was ever shipped.
 */
export async function cancelOrder(ctx: Context, id: string): Promise<CancelledOrder> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const row = await findOrder(ctx, id)
    const changed = await applyCancellation(ctx, row)
    if (!changed) continue
    const refundCents = await findRefundCents(ctx.db, cancellationKey(changed.checkoutId))
    return { order: openOrder(ctx.keys, changed), refundCents: refundCents ?? 0 }
  }
  throw new AppError('UNAVAILABLE', undefined, { retryAfter: 1 })
}

async function applyCancellation(ctx: Context, row: CustomerOrder): Promise<CustomerOrder | null> {
  const wasCancelledBeforeShipment = row.restockedAt !== null
  const transition = statusTransition({ status: row.status, isCancelledBeforeShipment: wasCancelledBeforeShipment }, 'cancelled')
  if (transition === 'none' && !wasCancelledBeforeShipment) {
    throw new AppError(
      'CONFLICT',
      'This order was cancelled after it had been shipped. Please contact us about it.',
    )
  }
  if (transition === 'none') {
    await recordRead(ctx, { action: 'order.read', subjectId: row.userId, objectId: row.id })
    return row
  }
  if (transition !== 'call off') {
    throw new AppError('CONFLICT', 'This order is on its way already and can no longer be cancelled.')
  }
  const { trackingNumber, carrier, estimatedDelivery } = row
  return applyOrderChange(ctx, row, {
    status: 'cancelled',
    cancels: true,
    trackingNumber,
    carrier,
    estimatedDelivery,
  })
}
