import { StaleEditError } from '#domain/stale-edit.ts'
import type { OrderShipment } from '#domain/orders/admin-orders.ts'
import { requirePermission } from '../require-user.ts'
import type { Context } from '../context.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { applyOrderChange } from './apply-order-change.ts'
import { findOrder, refuseOwnOrder, type CustomerOrder } from './find-order.ts'

const toShipment = ({ trackingNumber, carrier, estimatedDelivery }: CustomerOrder): OrderShipment => ({
  trackingNumber,
  carrier,
  estimatedDelivery,
})

const isSame = (a: OrderShipment, b: OrderShipment): boolean =>
  a.trackingNumber === b.trackingNumber &&
  a.carrier === b.carrier &&
  a.estimatedDelivery === b.estimatedDelivery

/**
 * Saves the tracking number, carrier and delivery date of an order. A tracking number that is added
 * after shipping is emailed. Saving twice changes nothing. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND, and CONFLICT with the current shipment when it is not what the form showed.
 */
export async function saveShipment(
  ctx: Context,
  { id, expected, ...shipment }: OrderShipment & { id: string; expected: OrderShipment },
): Promise<void> {
  requirePermission(ctx, 'orders.ship')
  await retryOnConflict(async () => {
    const row = await findOrder(ctx, id)
    refuseOwnOrder(ctx, row)
    const current = toShipment(row)
    if (isSame(current, shipment)) return row
    if (!isSame(current, expected)) {
      throw new StaleEditError('Someone else changed this shipment after you opened it.', current)
    }
    return applyOrderChange(ctx, row, { ...shipment, status: row.status, cancels: false })
  })
}
