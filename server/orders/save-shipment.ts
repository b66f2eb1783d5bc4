import type { OrderShipment } from '#domain/orders/admin-orders.ts'
import { requirePermission } from '../require-user.ts'
import type { Context } from '../context.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { applyOrderChange } from './apply-order-change.ts'
import { findOrder, refuseOwnOrder } from './find-order.ts'
import { isSameShipment, refuseStaleShipment } from './stale-shipment.ts'

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
    if (isSameShipment(row, shipment)) return row
    refuseStaleShipment(row, { expected, saved: shipment })
    return applyOrderChange(ctx, row, { ...shipment, status: row.status, cancels: false })
  })
}
