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
export function statusMove(
  from: { status: OrderStatus; isCalledOff: boolean },
  to: OrderStatus,
): 'none' | 'plain' | 'call off' | 'refused' {
  if (from.status === to) return 'none'
  if (from.isCalledOff) return 'refused'
  return to === 'cancelled' && canCancel(from.status) ? 'call off' : 'plain'
}

/** Whether medicines that need a prescription may only get there with an approved one (decisions, "Admin sets any status"). */
export const needsApproval = (to: OrderStatus): boolean => to === 'shipped' || to === 'delivered'

type Badge = { label: string; colour: string; icon: string }

/** How each status is shown: in a word, a colour (specification, section 4) and an icon, all three together. */
export const orderBadges = {
  pending: { label: 'Pending', colour: 'yellow', icon: 'clock' },
  processing: { label: 'Processing', colour: 'blue', icon: 'clipboard' },
  shipped: { label: 'Shipped', colour: 'purple', icon: 'truck' },
  delivered: { label: 'Delivered', colour: 'green', icon: 'check' },
  cancelled: { label: 'Cancelled', colour: 'red', icon: 'ban' },
} as const satisfies Record<OrderStatus, Badge>

export type OrderBadge =
  (typeof orderBadges)[OrderStatus] | { label: string; colour: 'grey'; icon: 'package' }

const capitalised = (words: string): string =>
  words
    .trim()
    .toLowerCase()
    .replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase())

/** The badge of any status that is met, however it is written; those that are never stored ('Sent to Vendor', 'Fulfilled') are grey. */
export function badgeOf(status: string): OrderBadge {
  const known = orderStatuses.find((one) => one === status.trim().toLowerCase())
  if (known) return orderBadges[known]
  return {
    label: capitalised(status).replace(/ (To|Of|And) /g, (word) => word.toLowerCase()),
    colour: 'grey',
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

const way = ['processing', 'shipped', 'delivered'] as const

/**
 * An order's way so far and what is left of it, by where it stands now: a status that was taken back is ahead again. One that was cancelled
 * ends there, after what it had reached.
 * @param events the changes since it was placed, the oldest first
 */
export function timelineOf(
  { status, createdAt }: { status: OrderStatus; createdAt: string },
  events: readonly { status: OrderStatus; at: string }[],
): Step[] {
  const reachedAt = (one: OrderStatus): string | null =>
    events.findLast((event) => event.status === one)?.at ??
    // An order begins in processing.
    (one === 'processing' ? createdAt : null)
  const placed: Step = {
    status: 'placed',
    label: 'Placed',
    state: status === 'pending' ? 'current' : 'done',
    at: createdAt,
  }
  const step = (one: OrderStatus, state: Step['state']): Step => ({
    status: one,
    label: orderBadges[one].label,
    state,
    at: state === 'ahead' ? null : reachedAt(one),
  })
  if (status === 'cancelled') {
    const before = events.findLast((event) => event.status !== 'cancelled')?.status ?? 'processing'
    const reached = way.slice(0, way.findIndex((one) => one === before) + 1)
    return [placed, ...reached.map((one) => step(one, 'done')), step('cancelled', 'current')]
  }
  const here = way.findIndex((one) => one === status)
  return [placed, ...way.map((one, i) => step(one, i < here ? 'done' : i === here ? 'current' : 'ahead'))]
}
