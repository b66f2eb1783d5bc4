import { statusPermission } from '#domain/orders/status-change.ts'
import { orderStatuses, type OrderStatus } from '#domain/orders/order-status.ts'
import type { useCan } from '../frame/use-can.ts'

/** The statuses that the signed-in user may set. */
export const allowedStatuses = (can: ReturnType<typeof useCan>): OrderStatus[] =>
  orderStatuses.filter((status) => can(statusPermission(status)))
