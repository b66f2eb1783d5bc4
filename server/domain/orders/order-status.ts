/** Where an order stands and how that is shown. Without zod: the storefront's scripts import it. */

/** The statuses that are stored (specification, section 4). */
export const orderStatuses = ['pending', 'processing', 'shipped', 'delivered', 'cancelled'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** An order that can still be called off: nothing of it has left. */
export const canCancel = (status: OrderStatus): boolean => status === 'pending' || status === 'processing'

/**
 * What setting a status comes to. `call off` gives the money and the stock back, once; `plain` is the status alone, also from shipped to
 * cancelled: then refund and restock are acts of their own. An order that was called off stays so (contract, "Payment and orders").
 */
export function statusTransition(
  from: { status: OrderStatus; isCancelledBeforeShipment: boolean },
  to: OrderStatus,
): 'none' | 'plain' | 'call off' | 'refused' {
  if (from.status === to) return 'none'
  if (from.isCancelledBeforeShipment) return 'refused'
  return to === 'cancelled' && canCancel(from.status) ? 'call off' : 'plain'
}

/** Whether medicines that need a prescription may only get there with an approved one (settled decisions, "Admin sets any status"). */
export const needsApproval = (to: OrderStatus): boolean => to === 'shipped' || to === 'delivered'

type Badge = { label: string; color: string; icon: string }

/** How each status is shown: in a word, a colour (specification, section 4) and an icon, all three together. */
export const orderBadges = {
  pending: { label: 'Pending', color: 'yellow', icon: 'clock' },
  processing: { label: 'Processing', color: 'blue', icon: 'clipboard' },
  shipped: { label: 'Shipped', color: 'purple', icon: 'truck' },
  delivered: { label: 'Delivered', color: 'green', icon: 'check' },
  cancelled: { label: 'Cancelled', color: 'red', icon: 'ban' },
} as const satisfies Record<OrderStatus, Badge>

export type OrderBadge =
  (typeof orderBadges)[OrderStatus] | { label: string; color: 'grey'; icon: 'package' }

const capitalize = (words: string): string =>
  words
    .trim()
    .toLowerCase()
    .replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase())

/** The badge of any status that is met, however it is written; those that are never stored ('Sent to Vendor', 'Fulfilled') are grey. */
export function badgeOf(status: string): OrderBadge {
  const status_ = orderStatuses.find((step_) => step_ === status.trim().toLowerCase())
  if (status_) return orderBadges[status_]
  return {
    label: capitalize(status).replace(/ (To|Of|And) /g, (word) => word.toLowerCase()),
    color: 'grey',
    icon: 'package',
  }
}

/** A station of an order's way. `at` is when it was reached, ISO 8601; null where that is still ahead or nobody noted it. */
export type Step = {
  status: 'placed' | OrderStatus
  label: string
  state: 'done' | 'current' | 'ahead'
  at: string | null
}

const happyPath = ['processing', 'shipped', 'delivered'] as const

/**
 * An order's way so far and what is left of it, by where it stands now: a status that was taken back is ahead again. One that was cancelled
 * ends there, after what it had reached.
 * @param events the changes since it was placed, the oldest first
 */
export function timelineOf(
  { status, createdAt }: { status: OrderStatus; createdAt: string },
  events: readonly { status: OrderStatus; at: string }[],
): Step[] {
  const reachedAt = (step_: OrderStatus): string | null =>
    events.findLast((event) => event.status === step_)?.at ??
    // An order begins in processing.
    (step_ === 'processing' ? createdAt : null)
  const placed: Step = {
    status: 'placed',
    label: 'Placed',
    state: status === 'pending' ? 'current' : 'done',
    at: createdAt,
  }
  const toStep = (step_: OrderStatus, state: Step['state']): Step => ({
    status: step_,
    label: orderBadges[step_].label,
    state,
    at: state === 'ahead' ? null : reachedAt(step_),
  })
  if (status === 'cancelled') {
    const before = events.findLast((event) => event.status !== 'cancelled')?.status ?? 'processing'
    const reached = happyPath.slice(0, happyPath.findIndex((step_) => step_ === before) + 1)
    return [placed, ...reached.map((step_) => toStep(step_, 'done')), toStep('cancelled', 'current')]
  }
  const currentIndex = happyPath.findIndex((step_) => step_ === status)
  return [placed, ...happyPath.map((step_, i) => toStep(step_, i < currentIndex ? 'done' : i === currentIndex ? 'current' : 'ahead'))]
}
