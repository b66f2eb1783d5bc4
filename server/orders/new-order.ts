import { findOrderByPayment, updateSealedOrder, type NewOrder } from '#db/orders/orders.ts'
import { AppError } from '#domain/errors.ts'
import type { LotUnits } from '#domain/inventory/lots.ts'
import type { Order, OrderContent } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openOrder, toOrder, sealOrder } from './sealed-order.ts'

/** The row of a new order with its content sealed, and the order as its customer will see it. */
export function newOrder(
  keys: KeyRing,
  plainRow: Omit<NewOrder, 'sealedOrder'>,
  content: OrderContent,
): { row: NewOrder; order: Order } {
  const row = { ...plainRow, sealedOrder: sealOrder(keys, plainRow.id, content) }
  const initial = { refundedCents: 0, version: 1, trackingNumber: null, carrier: null, restockedAt: null }
  return { row, order: toOrder({ ...row, ...initial }, content) }
}

/** Adds the lots of a new order's lines, by variant. */
export const storePickedLots = (
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  {
    orderId: id,
    content,
    picked,
  }: { orderId: string; content: OrderContent; picked: ReadonlyMap<string, readonly LotUnits[]> },
): Promise<void> => {
  const lines = content.lines.map((line) => {
    const lots = picked.get(line.productVariantId)
    return lots ? { ...line, lots: [...lots] } : line
  })
  return updateSealedOrder(db, { id, sealedOrder: sealOrder(keys, id, { ...content, lines }) })
}

/** The order of a payment that has one. Throws NOT_FOUND. */
export async function getOrderByPayment(
  ctx: Pick<Context, 'db' | 'keys' | 'user'>,
  paymentId: string,
): Promise<Order> {
  const row = await findOrderByPayment(ctx.db, paymentId)
  if (!row) throw new AppError('NOT_FOUND', 'Order not found')
  return openOrder(ctx, row)
}
