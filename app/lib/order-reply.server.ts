import { decimalFromCents } from '#domain/money.ts'
import type { Order } from '#domain/orders.ts'

/** An order as /api shows it (specification, section 3). */
export const orderReply = ({ totalCents, refundedCents, hasRx: _, items, ...order }: Order) => ({
  ...order,
  total: decimalFromCents(totalCents),
  refunded: decimalFromCents(refundedCents),
  items: items.map(({ priceCents, isTracked: _, ...item }) => ({
    ...item,
    price: decimalFromCents(priceCents),
  })),
})

/** The same of many, as they are read. */
export async function* ordersReply(orders: AsyncIterable<Order>) {
  for await (const order of orders) yield orderReply(order)
}
