import type { OrderRow } from '#db/orders/orders.ts'
import {
  computeTotal,
  remainingLines,
  listRefusedLines,
  orderContentSchema,
  type Order,
  type OrderContent,
} from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal, unseal } from '../crypto/sealing.ts'
import { visibleLines, visibleRefusedLines } from './visible-lines.ts'

/** @param keys the shop's keys: the law requires keeping orders longer than an account may exist */
export const sealOrder = (keys: KeyRing, id: string, content: OrderContent): string =>
  seal(keys, bindings.order(id), JSON.stringify(content))

export const openContent = (
  keys: KeyRing,
  { id, sealedOrder }: Pick<OrderRow, 'id' | 'sealedOrder'>,
): OrderContent => orderContentSchema.parse(JSON.parse(unseal(keys, bindings.order(id), sealedOrder)))

/** Decrypts a row into the order that the signed-in user may see. */
export function openOrder(ctx: Pick<Context, 'keys' | 'user'>, row: OrderRow): Order {
  const order = toOrder(row, openContent(ctx.keys, row))
  return {
    ...order,
    items: visibleLines(ctx, row, order.items),
    refusedItems: visibleRefusedLines(ctx, row, order.refusedItems),
  }
}

/** Combines a row with its decrypted content. */
export function toOrder(row: Omit<OrderRow, 'sealedOrder'>, content: OrderContent): Order {
  const { shipTo, customer } = content
  return {
    id: row.id,
    userId: row.userId,
    status: row.status,
    totalCents: computeTotal(content),
    capturedCents: row.capturedCents,
    refundedCents: row.refundedCents,
    hasRx: row.hasRx,
    shippingAddress: shipTo.text,
    stripePaymentId: row.paymentId,
    prescriptionId: row.prescriptionId,
    trackingNumber: row.trackingNumber,
    carrier: row.carrier,
    estimatedDelivery: row.estimatedDelivery,
    createdAt: row.createdAt,
    customerName: customer.name,
    customerEmail: customer.email,
    items: remainingLines(content),
    refusedItems: listRefusedLines(content),
  }
}
