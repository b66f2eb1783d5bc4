import type { OrderStatus } from '../orders/order-status.ts'

/**
 * What an endpoint receives. Events of orders and of stock never share an endpoint: their times
 * together would show which medicine an order contains.
 */
export const webhookTopics = {
  orders: {
    label: 'Orders and shipments',
    types: ['order.created', 'order.paid', 'order.status_changed', 'order.shipped'],
  },
  shipments: { label: 'Shipments', types: ['order.shipped'] },
  stock: { label: 'Stock', types: ['stock.changed'] },
} as const satisfies Record<string, { label: string; types: readonly WebhookEventType[] }>

export type WebhookTopic = 'orders' | 'shipments' | 'stock'
export const topicNames = ['orders', 'shipments', 'stock'] as const satisfies readonly WebhookTopic[]

/** Ids, statuses and quantities only: no person, no name of a medicine, no tracking number. */
export type WebhookEvent =
  | { type: 'order.created' | 'order.paid' | 'order.shipped'; data: { orderId: string; status: OrderStatus } }
  | {
      type: 'order.status_changed'
      data: { orderId: string; status: OrderStatus; previousStatus: OrderStatus }
    }
  | {
      type: 'stock.changed'
      data: { variantId: string; quantityBefore: number; quantityAfter: number }
    }
export type WebhookEventType = WebhookEvent['type']

/** The body of a webhook. */
export type WebhookPayload = WebhookEvent & { id: string; createdAt: string }

export const wantsEvent = (topic: WebhookTopic, type: WebhookEventType): boolean =>
  (webhookTopics[topic].types as readonly WebhookEventType[]).includes(type)

/** The events of a new order. The payment of one with a prescription is captured later. */
export function newOrderEvents(
  order: { orderId: string; status: OrderStatus },
  { isPaid }: { isPaid: boolean },
): WebhookEvent[] {
  const created = { type: 'order.created', data: order } as const
  return isPaid ? [created, { type: 'order.paid', data: order }] : [created]
}

/** The events of an order whose status changed. */
export function statusEvents(order: {
  orderId: string
  status: OrderStatus
  previousStatus: OrderStatus
}): WebhookEvent[] {
  const { orderId, status } = order
  const changed = { type: 'order.status_changed', data: order } as const
  return status === 'shipped' ? [changed, { type: 'order.shipped', data: { orderId, status } }] : [changed]
}

export type DeliveryState = 'pending' | 'delivered' | 'failed'

export const deliveryStateLabels = {
  pending: 'Waiting',
  delivered: 'Delivered',
  failed: 'Given up',
} as const satisfies Record<DeliveryState, string>

export type DisabledReason = 'staff' | 'removed' | 'failing'

export const disabledReasonLabels = {
  staff: 'Disabled by staff',
  removed: 'Disabled: the endpoint answered 410',
  failing: 'Disabled: every attempt failed for 5 days',
} as const satisfies Record<DisabledReason, string>
