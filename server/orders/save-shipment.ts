import { AppError } from '#domain/errors.ts'
import type { OrderShipment } from '#domain/orders/admin-orders.ts'
import { requireAdmin } from '../require-user.ts'
import type { Context } from '../context.ts'
import { changeOrder } from './apply-order-change.ts'
import { findOrder, type OwnedOrder } from './find-order.ts'

/** Of several at once each but the first decides anew by what the first made. */
const maxTries = 5

const shipmentOf = ({ trackingNumber, carrier, estimatedDelivery }: OwnedOrder): OrderShipment => ({
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
  for (let tries = 0; tries < maxTries; tries++) {
    const row = await findOrder(ctx, id)
    const now = shipmentOf(row)
    if (isSame(now, shipment)) return
    if (!isSame(now, was)) {
      throw new AppError('CONFLICT', 'Somebody has changed this shipment meanwhile.', { current: now })
    }
    if (await changeOrder(ctx, row, { ...shipment, status: row.status, callsOff: false })) return
  }
  throw new AppError('UNAVAILABLE', undefined, { retryAfter: 1 })
}
