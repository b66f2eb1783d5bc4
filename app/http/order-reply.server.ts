import { decimalFromCents } from '#domain/money.ts'
import { trackingUrl } from '#domain/orders/carriers.ts'
import type { Order, OrderLine } from '#domain/orders/orders.ts'
import type { ReorderResult } from '#server/orders/reorder.ts'
import type { OrderDetails } from '#server/orders/get-order.ts'
import type { Flash } from './cookies.server.ts'

/** An order in /api responses and on pages (specification, section 3). */
export const orderReply = ({
  totalCents,
  capturedCents: _capturedCents,
  refundedCents,
  hasRx: _hasRx,
  items,
  refusedItems,
  createdAt,
  ...order
}: Order) => ({
  ...order,
  createdAt: createdAt.toISOString(),
  total: decimalFromCents(totalCents),
  refunded: decimalFromCents(refundedCents),
  items: items.map(itemReply),
  refusedItems: refusedItems.map(({ refusedAt, ...item }) => ({
    ...itemReply(item),
    refusedAt: refusedAt.toISOString(),
  })),
})

const itemReply = <Item extends OrderLine>({
  priceCents,
  isTracked: _isTracked,
  medicine: _medicine,
  units: _units,
  lots: _lots,
  ...item
}: Item) => ({
  ...item,
  price: decimalFromCents(priceCents),
})

/** Many orders, one at a time. */
export async function* ordersReply(orders: AsyncIterable<Order>) {
  for await (const order of orders) yield orderReply(order)
}

/** Everything that an order's own page shows. */
export const orderPageReply = ({
  order,
  events,
  refunds,
  payment,
  cancellation,
  prescription,
  people,
  prescriptionFor,
  offered,
  lineStates,
  refundedUnits,
}: OrderDetails) => ({
  order: { ...orderReply(order), hasRx: order.hasRx },
  trackingUrl: trackingUrl(order),
  events: events.map(({ status, at }) => ({ status, at: at.toISOString() })),
  refunds: refunds.map(({ amountCents, createdAt, doneAt, failedAt }) => ({
    amount: decimalFromCents(amountCents),
    createdAt: createdAt.toISOString(),
    doneAt: doneAt?.toISOString() ?? null,
    failedAt: failedAt?.toISOString() ?? null,
  })),
  payment: {
    state: payment.state,
    authorized: decimalFromCents(payment.authorizedCents),
    captured: decimalFromCents(payment.capturedCents),
  },
  cancellation: cancellation && {
    card: cancellation.card,
    refund: decimalFromCents(cancellation.refundCents),
    restockedUnits: cancellation.restockedUnits,
  },
  prescription: prescription && {
    doctorName: prescription.doctorName,
    uploadedAt: prescription.uploadedAt.toISOString(),
    status: prescription.status,
    isFor: prescriptionFor,
  },
  people: Object.fromEntries(people),
  offered: [...offered],
  lineStates: Object.fromEntries(lineStates),
  refundedUnits: Object.fromEntries(refundedUnits),
})

const itemCount = (n: number): string => (n === 1 ? '1 item' : `${n} items`)

/**
 * The message after reordering. It counts items without naming them: the message is stored in a
 * cookie, and names would reveal health data.
 */
export function reorderFlash({ inCart, fewer, missing }: ReorderResult): Flash {
  const text = [
    missing.length > 0 ? `Not available right now: ${itemCount(missing.length)}.` : '',
    fewer.length > 0 ? `Reduced quantity: ${itemCount(fewer.length)}.` : '',
  ]
    .filter(Boolean)
    .join(' ')
  if (inCart.length === 0)
    return { kind: 'error', title: 'None of these items are available right now', text }
  if (text) return { kind: 'info', title: 'Some items added to cart', text }
  return { kind: 'success', title: 'Added to cart', text: 'All items from this order, at today’s prices.' }
}
