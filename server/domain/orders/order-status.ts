/**
 * An order's status and how it is shown. Without zod, because the storefront's scripts import it.
 */

/** The statuses that are stored (specification, section 4). */
export const orderStatuses = ['pending', 'processing', 'shipped', 'delivered', 'cancelled'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/**
 * A choice of the status filter: orders that are being processed and whose payment was captured. A
 * pharmacist has finished with them, so they can be packed.
 */
export const paidStatus = 'paid'

/** Whether an order can still be cancelled: it has not shipped. */
export const canCancel = (status: OrderStatus): boolean => status === 'pending' || status === 'processing'

/** Whether an order has shipped, as far as its status says: staff can set a shipped one back. */
export const hasShipped = (order: { status: OrderStatus; isCancelledBeforeShipment: boolean }): boolean =>
  !order.isCancelledBeforeShipment && !canCancel(order.status)

/**
 * What a status change does. `cancel` refunds and restocks, once. `update` changes only the status,
 * also from shipped to cancelled: an admin then refunds and restocks separately. An order that was
 * cancelled before shipment stays cancelled (contract, "Payment and orders").
 */
export function statusTransition(
  from: { status: OrderStatus; isCancelledBeforeShipment: boolean },
  to: OrderStatus,
): 'none' | 'update' | 'cancel' | 'rejected' {
  if (from.status === to) return 'none'
  if (from.isCancelledBeforeShipment) return 'rejected'
  return to === 'cancelled' && canCancel(from.status) ? 'cancel' : 'update'
}

/**
 * Whether an order with prescription medicines needs a pharmacist's clearance for this status
 * (settled decisions, "Admin sets any status").
 */
export const needsClearance = (to: OrderStatus): boolean => to === 'shipped' || to === 'delivered'

type Badge = { label: string; color: string; icon: string }

/** Each status is shown with a label, a color (specification, section 4) and an icon together. */
export const orderBadges = {
  pending: { label: 'Pending', color: 'yellow', icon: 'clock' },
  processing: { label: 'Processing', color: 'blue', icon: 'clipboard' },
  shipped: { label: 'Shipped', color: 'purple', icon: 'truck' },
  delivered: { label: 'Delivered', color: 'green', icon: 'check' },
  cancelled: { label: 'Cancelled', color: 'red', icon: 'ban' },
} as const satisfies Record<OrderStatus, Badge>

export type OrderBadge = (typeof orderBadges)[OrderStatus] | { label: string; color: 'gray'; icon: 'package' }

const capitalize = (words: string): string =>
  words
    .trim()
    .toLowerCase()
    .replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase())

/** The badge of a status in any case; a status that is never stored ('Sent to Vendor') is gray. */
export function getOrderBadge(status: string): OrderBadge {
  const known = orderStatuses.find((name) => name === status.trim().toLowerCase())
  if (known) return orderBadges[known]
  return {
    label: capitalize(status).replace(/ (To|Of|And) /g, (word) => word.toLowerCase()),
    color: 'gray',
    icon: 'package',
  }
}

/** A step of an order's timeline. `at` is when it was reached, ISO 8601; null when unknown. */
export type Step = {
  status: 'placed' | OrderStatus
  label: string
  state: 'done' | 'current' | 'upcoming'
  at: string | null
}

const happyPath = ['processing', 'shipped', 'delivered'] as const

/**
 * The timeline of an order: the steps that it has reached and those that are upcoming, by its
 * current status. A step that was undone is upcoming again. A cancelled order ends with the
 * cancellation.
 * @param events the status changes since the order was placed, oldest first
 */
export function buildTimeline(
  { status, createdAt }: { status: OrderStatus; createdAt: string },
  events: readonly { status: OrderStatus; at: string }[],
): Step[] {
  const reachedAt = (name: OrderStatus): string | null =>
    events.findLast((event) => event.status === name)?.at ??
    // An order starts in processing.
    (name === 'processing' ? createdAt : null)
  const placed: Step = {
    status: 'placed',
    label: 'Placed',
    state: status === 'pending' ? 'current' : 'done',
    at: createdAt,
  }
  const toStep = (name: OrderStatus, state: Step['state']): Step => ({
    status: name,
    label: orderBadges[name].label,
    state,
    at: state === 'upcoming' ? null : reachedAt(name),
  })
  if (status === 'cancelled') {
    const before = events.findLast((event) => event.status !== 'cancelled')?.status ?? 'processing'
    const reached = happyPath.slice(0, happyPath.findIndex((name) => name === before) + 1)
    return [placed, ...reached.map((name) => toStep(name, 'done')), toStep('cancelled', 'current')]
  }
  const current = happyPath.findIndex((name) => name === status)
  const stateAt = (index: number): Step['state'] =>
    index < current ? 'done' : index === current ? 'current' : 'upcoming'
  return [placed, ...happyPath.map((name, index) => toStep(name, stateAt(index)))]
}
