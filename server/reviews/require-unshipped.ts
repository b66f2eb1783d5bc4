import { AppError } from '#domain/errors.ts'
import { orderBadges, type OrderStatus } from '#domain/orders/order-status.ts'

/** Throws CONFLICT for an order that has shipped or was cancelled. */
export function requireUnshipped({ status }: { status: OrderStatus }): void {
  if (status === 'pending' || status === 'processing') return
  throw new AppError('CONFLICT', `This order is ${orderBadges[status].label.toLowerCase()}.`)
}
