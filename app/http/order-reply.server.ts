import { decimalFromCents } from '#domain/money.ts'
import type { Order } from '#domain/orders/orders.ts'
import type { ReorderResult } from '#server/orders/reorder.ts'
import type { OrderDetails } from '#server/orders/get-order.ts'
import type { Flash } from './cookies.server.ts'

/** An order as /api and pages show it (specification, section 3). */
export const orderReply = ({
  totalCents,
  refundedCents,
  hasRx: _hasRx,
  items,
  createdAt,
  ...order
}: Order) => ({
  ...order,
  createdAt: createdAt.toISOString(),
  total: decimalFromCents(totalCents),
  refunded: decimalFromCents(refundedCents),
  items: items.map(({ priceCents, isTracked: _isTracked, ...item }) => ({
    ...item,
    price: decimalFromCents(priceCents),
  })),
})

/** The same of many, as they are read. */
export async function* ordersReply(orders: AsyncIterable<Order>) {
  for await (const order of orders) yield orderReply(order)
}

/** All that an order's own page shows. */
export const orderPageReply = ({
  order,
  events,
  refunds,
  cancellation,
  prescription,
  offered,
}: OrderDetails) => ({
  order: { ...orderReply(order), hasRx: order.hasRx },
  events: events.map(({ status, at }) => ({ status, at: at.toISOString() })),
  refunds: refunds.map(({ amountCents, createdAt, doneAt, failedAt }) => ({
    amount: decimalFromCents(amountCents),
    createdAt: createdAt.toISOString(),
    doneAt: doneAt?.toISOString() ?? null,
    failedAt: failedAt?.toISOString() ?? null,
  })),
  cancellation: cancellation && {
    refund: decimalFromCents(cancellation.refundCents),
    restockedUnits: cancellation.restockedUnits,
  },
  prescription: prescription && {
    doctorName: prescription.doctorName,
    uploadedAt: prescription.uploadedAt.toISOString(),
    status: prescription.status,
  },
  offered: [...offered],
})

const counted = (n: number): string => (n === 1 ? '1 item' : `${n} items`)

/** What is said about ordering the same once more. In numbers: it travels in a cookie, and names would say what somebody takes. */
export function againFlash({ inCart, fewer, missing }: ReorderResult): Flash {
  const text = [
    missing.length > 0 ? `Not available at the moment: ${counted(missing.length)}.` : '',
    fewer.length > 0 ? `Fewer than before: ${counted(fewer.length)}.` : '',
  ]
    .filter(Boolean)
    .join(' ')
  if (inCart.length === 0) return { kind: 'error', title: 'Nothing of this order can be bought now', text }
  if (text) return { kind: 'info', title: 'Added to cart, but not everything', text }
  return { kind: 'success', title: 'Added to cart', text: 'Everything of this order, at today’s prices.' }
}
