import { AppError } from '#domain/errors.ts'
import { statusMove } from '#domain/order-status.ts'
import type { Order } from '#domain/orders.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { changeOrder } from './change-order.ts'
import { findOrder, type OwnedOrder } from './find-order.ts'
import { openOrder } from './sealed-order.ts'

/** Of several at once each but the first decides anew by what the first made. */
const maxTries = 5

/**
 * Calls an order off while nothing of it has left: its stock goes back and its payment is refunded in full, once. For its customer and
 * for admins. One that was called off so already is answered as it stands. Throws UNAUTHENTICATED, NOT_FOUND, and CONFLICT when it has been
 * shipped, whatever became of it then.
 */
export async function cancelOrder(ctx: Context, id: string): Promise<Order> {
  for (let tries = 0; tries < maxTries; tries++) {
    const row = await findOrder(ctx, id)
    const done = await tryToCancel(ctx, row)
    if (done) return openOrder(ctx.keys, done)
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
