import { AppError } from '#domain/errors.ts'
import type { OrderShipment } from '#domain/orders/admin-orders.ts'
import { requireAdmin } from '../require-user.ts'
import type { Context } from '../context.ts'
import { applyOrderChange } from './apply-order-change.ts'
import { findOrder, type CustomerOrder } from './find-order.ts'

/** Of several at once each but the first decides anew by what the first made. */
const maxAttempts = 5

const shipmentOf = ({ trackingNumber, carrier, estimatedDelivery }: CustomerOrder): OrderShipment => ({
  trackingNumber,
  carrier,
  estimatedDelivery,
})

const isSame = (a: OrderShipment, b: OrderShipment): boolean =>
  a.trackingNumber === b.trackingNumber &&
  a.carrier === b.carrier &&
  a.estimatedDelivery === b.estimatedDelivery

/**
 * Says where an order's parcel is; a tracking number that comes once it has left is mailed. Sent twice it is once. Throws UNAUTHENTICATED,
 * FORBIDDEN, NOT_FOUND, and CONFLICT with what stands there when that is not what the form was filled with.
 */
export async function saveShipment(
  ctx: Context,
  { id, was, ...shipment }: OrderShipment & { id: string; was: OrderShipment },
): Promise<void> {
  requireAdmin(ctx)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const row = await findOrder(ctx, id)
    const current = shipmentOf(row)
    if (isSame(current, shipment)) return
    if (!isSame(current, was)) {
      throw new AppError('CONFLICT', 'Somebody has changed this shipment meanwhile.', { current })
    }
    if (await applyOrderChange(ctx, row, { ...shipment, status: row.status, cancels: false })) return
  }
  throw new AppError('UNAVAILABLE', undefined, { retryAfter: 1 })
}
