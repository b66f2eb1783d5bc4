import { findOrderHold } from '#db/orders/payment-holds.ts'
import { findRefundCents } from '#db/orders/refunds.ts'
import { AppError } from '#domain/errors.ts'
import { statusTransition } from '#domain/orders/order-status.ts'
import { getCardEffect, type CardEffect } from '#domain/orders/payment-hold.ts'
import type { Order } from '#domain/orders/orders.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { requireUser } from '../require-user.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { applyOrderChange, cancellationKey } from './apply-order-change.ts'
import { findOrder, orderNotFound, type CustomerOrder } from './find-order.ts'
import { openOrder } from './sealed-order.ts'

/** A cancelled order, and what that did to the card. */
export type CancelledOrder = { order: Order; refundCents: number; card: CardEffect }

/**
 * Cancels an order before it ships, for its customer. Refunds the rest of the payment, or voids it
 * when it was not captured, and restocks the units, once. A second call changes nothing and returns
 * the same result. Staff who move a shipped order back to processing allow it again. Throws
 * UNAUTHENTICATED, NOT_FOUND, and CONFLICT when the order has shipped.
 */
export async function cancelOrder(ctx: Context, id: string): Promise<CancelledOrder> {
  const row = await retryOnConflict(async () => applyCancellation(ctx, await findOwnOrder(ctx, id)))
  const [refund, hold] = await Promise.all([
    findRefundCents(ctx.db, cancellationKey(row.checkoutId)),
    findOrderHold(ctx.db, row.id),
  ])
  const refundCents = refund ?? 0
  const card = getCardEffect({ ...row, refundCents, holdStatus: hold?.status ?? null })
  return { order: openOrder(ctx, row), refundCents, card }
}

async function findOwnOrder(ctx: Context, id: string): Promise<CustomerOrder> {
  const row = await findOrder(ctx, id)
  if (row.userId !== requireUser(ctx).id) throw new AppError('NOT_FOUND', orderNotFound)
  return row
}

async function applyCancellation(ctx: Context, row: CustomerOrder): Promise<CustomerOrder | null> {
  const isCancelledBeforeShipment = row.restockedAt !== null
  const transition = statusTransition({ status: row.status, isCancelledBeforeShipment }, 'cancelled')
  if (transition === 'none' && !isCancelledBeforeShipment) {
    throw new AppError('CONFLICT', 'This order was cancelled after it shipped. Contact us for help.')
  }
  if (transition === 'none') {
    await recordRead(ctx, { action: 'order.read', subjectId: row.userId, objectId: row.id })
    return row
  }
  if (transition !== 'cancel') {
    throw new AppError('CONFLICT', 'This order has already shipped and can’t be cancelled.')
  }
  const { trackingNumber, carrier, estimatedDelivery } = row
  return applyOrderChange(ctx, row, {
    status: 'cancelled',
    cancels: true,
    trackingNumber,
    carrier,
    estimatedDelivery,
  })
}
