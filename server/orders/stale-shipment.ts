import type { OrderShipment } from '#domain/orders/admin-orders.ts'
import { StaleEditError } from '#domain/stale-edit.ts'

export const isSameShipment = (a: OrderShipment, b: OrderShipment): boolean =>
  a.trackingNumber === b.trackingNumber &&
  a.carrier === b.carrier &&
  a.estimatedDelivery === b.estimatedDelivery

/**
 * Throws CONFLICT with the current shipment when it is neither what the form showed nor what it
 * saves.
 */
export function refuseStaleShipment(
  { trackingNumber, carrier, estimatedDelivery }: OrderShipment,
  { expected, saved }: { expected: OrderShipment; saved: OrderShipment },
): void {
  const current = { trackingNumber, carrier, estimatedDelivery }
  if (isSameShipment(current, expected) || isSameShipment(current, saved)) return
  throw new StaleEditError('Someone else changed this shipment after you opened it.', current)
}
