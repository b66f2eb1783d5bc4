import { insertOrderEvent, updateOrder } from '#db/orders/orders.ts'
import { insertRefund, insertRefundLines } from '#db/orders/refunds.ts'
import { pipeline } from '#db/engine/sql.ts'
import { newId } from '#domain/ids.ts'
import { dollars } from '#domain/money.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'
import type { OrderContent, OrderLine } from '#domain/orders/orders.ts'
import { computeCancellation, type Cancellation } from '#domain/orders/cancellation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { restockLines, type ReturnedLine } from '../inventory/restock-lines.ts'
import { getEarlierRefunds } from './earlier-refunds.ts'
import type { CustomerOrder } from './find-order.ts'
import { openContent } from './sealed-order.ts'
import { findEmail } from '../accounts/person-reader.ts'
import { notifyCustomer } from './notify-customer.ts'

/** An order's shipment; `estimatedDelivery` is `YYYY-MM-DD`. */
export type Shipment = Pick<CustomerOrder, 'trackingNumber' | 'carrier' | 'estimatedDelivery'>

type Change = Shipment & {
  status: OrderStatus
  /** Also refunds the payment and restocks the items. */
  cancels: boolean
}

export type ChangeOptions = {
  /** Throws to roll the change back. It runs before the order's row is locked. */
  check?: (ctx: Context) => Promise<void>
  /**
   * Restocks cancelled lines. A bulk change collects the lines of all orders and restocks them
   * last.
   */
  restock?: (ctx: Context, lines: readonly ReturnedLine[]) => Promise<void> | void
}

/**
 * Changes an order in one transaction with everything that follows: status event, refund, restock,
 * email and audit log. Returns null and changes nothing when the order has changed since it was
 * read.
 */
export async function applyOrderChange(
  ctx: Context,
  row: CustomerOrder,
  { cancels, ...change }: Change,
  { check, restock = restockLines }: ChangeOptions = {},
): Promise<CustomerOrder | null> {
  const changed = {
    ...row,
    ...change,
    restockedAt: cancels ? ctx.now : row.restockedAt,
    updatedAt: ctx.now,
  }
  return inTransaction(ctx, async (ctx) => {
    await check?.(ctx)
    if (!(await updateOrder(ctx.db, changed))) return null
    const statusChanged = row.status !== changed.status
    const isCancelled = statusChanged && changed.status === 'cancelled'
    const content = openContent(ctx.keys, row)
    const { refundCents, lines } = cancels
      ? await refundRemaining(ctx, row, content)
      : { refundCents: 0, lines: [] }
    await pipeline(
      statusChanged && insertStatusEvent(ctx, changed),
      recordAudit(ctx, {
        action: isCancelled ? 'order.cancelled' : 'order.changed',
        subjectId: row.userId,
        objectId: row.id,
      }),
      notifyOfChange(ctx, { row, changed, content, refundCents }),
    )
    // Last, because other transactions wait for the stock rows until this one commits.
    if (cancels) {
      await restock(
        ctx,
        lines.map((line) => ({ ...line, orderId: row.id })),
      )
    }
    return { ...changed, version: row.version + 1 }
  })
}

async function insertStatusEvent(ctx: Context, { id, status }: CustomerOrder): Promise<void> {
  await insertOrderEvent(ctx.db, {
    id: newId(ctx.now.getTime()),
    orderId: id,
    status,
    actorId: ctx.user?.id ?? null,
    at: ctx.now,
  })
}

/** The idempotency key of the refund that cancelling an order makes. */
export const cancellationKey = (checkoutId: string): string => `${checkoutId}:refund`

/**
 * Stores a refund of the rest of the payment, which the refund job makes, and of the remaining
 * units. Units in an earlier refund are back in stock or lost for good.
 */
async function refundRemaining(
  ctx: Context,
  row: CustomerOrder,
  { lines }: OrderContent,
): Promise<Cancellation<OrderLine>> {
  const earlier = await getEarlierRefunds(ctx.db, [row])
  const cancellation = computeCancellation({ totalCents: row.totalCents, lines }, earlier(row))
  const { refundCents, lines: remaining } = cancellation
  const id = newId(ctx.now.getTime())
  await pipeline(
    refundCents > 0 &&
      insertRefund(ctx.db, {
        id,
        idempotencyKey: cancellationKey(row.checkoutId),
        checkoutId: row.checkoutId,
        orderId: row.id,
        paymentId: row.paymentId,
        amountCents: refundCents,
        reason: 'cancelled',
        createdAt: ctx.now,
      }),
    refundCents > 0 &&
      recordAudit(ctx, { action: 'payment.refund-begun', subjectId: row.userId, objectId: row.id }),
    insertRefundLines(
      ctx.db,
      remaining.map(({ id: lineId, quantity, isTracked }) => ({
        refundId: id,
        orderId: row.id,
        lineId,
        quantity,
        restocked: isTracked ? quantity : 0,
        restock: null,
      })),
    ),
  )
  return cancellation
}

type OrderChange = { row: CustomerOrder; changed: CustomerOrder; content: OrderContent; refundCents: number }

/** Sends an email at each milestone, and when a shipped order gets a tracking number. */
async function notifyOfChange(
  ctx: Context,
  { row, changed, content, refundCents }: OrderChange,
): Promise<void> {
  const { id, userId, status, trackingNumber, carrier, estimatedDelivery } = changed
  const isTracked = trackingNumber !== null && trackingNumber !== row.trackingNumber
  const needsEmail = row.status !== status || (status === 'shipped' && isTracked)
  if (!needsEmail || status === 'pending') return
  await notifyCustomer(
    ctx,
    { orderId: id, email: (await findEmail(ctx, userId)) ?? content.customer.email },
    {
      milestone: status,
      trackingNumber,
      carrier,
      estimatedDelivery,
      amount: refundCents > 0 ? dollars(refundCents) : null,
    },
  )
}
