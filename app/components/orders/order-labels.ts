import type { DosageForm } from '#domain/catalog/catalog.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'

export { formatDay } from '#domain/format-day.ts'
export { orderRef } from '#domain/orders/order-ref.ts'

/** A line of an order for pages, with the product data and price at the time of the order. */
export type OrderLineView = {
  id: string
  productVariantId: string
  quantity: number
  /** The unit price, a decimal string. */
  price: string
  product: { id: string; name: string; category: string }
  variant: {
    brandName: string | null
    strength: string
    strengthUnit: string
    dosageForm: DosageForm | null
    formDetail: string
    packageSize: number
    packageUnit: string
  }
}

/** An item that was removed from an order, and why. */
export type RefusedLineView = OrderLineView & { reason: string; refusedAt: string }

/** An order for pages. Times are ISO 8601, money is decimal strings. */
export type OrderView = {
  id: string
  status: OrderStatus
  total: string
  refunded: string
  customerName: string
  shippingAddress: string
  stripePaymentId: string
  trackingNumber: string | null
  carrier: string | null
  estimatedDelivery: string | null
  createdAt: string
  /** The items that were not refused. */
  items: OrderLineView[]
  refusedItems: RefusedLineView[]
}

/** "1 item", "3 items": all units of all lines. */
export function countItems(lines: readonly { quantity: number }[]): string {
  const count = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  return `${count} ${count === 1 ? 'item' : 'items'}`
}
