import { insertOrderEvent, updateOrder } from '#db/orders/orders.ts'
import { insertRefund, insertRefundLines } from '#db/orders/refunds.ts'
import { together } from '#db/engine/sql.ts'
import { newId } from '#domain/ids.ts'
import { dollars } from '#domain/money.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'
import type { OrderContent, OrderLine } from '#domain/orders/orders.ts'
import { cancellationOf, type Cancellation } from '#domain/orders/cancellation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { restockLines, type ReturnedLine } from '../inventory/restock-lines.ts'
import { getEarlierRefunds } from './earlier-refunds.ts'
import type { CustomerOrder } from './find-order.ts'
import { openContent } from './sealed-order.ts'
import { findEmail } from '../accounts/person-reader.ts'
import { notifyCustomer } from './notify-customer.ts'

/** What is known of where a parcel is; `estimatedDelivery` is `YYYY-MM-DD`. */
export type Shipment = Pick<CustomerOrder, 'trackingNumber' | 'carrier' | 'estimatedDelivery'>

type Change = Shipment & {
  status: OrderStatus
  /** Gives the money and the stock back. */
  cancels: boolean
}

/** What a change of an order leaves to its caller. */
export type ChangeOptions = {
  /** Throws to take the change back; it runs before the order's row is taken. */
  check?: (ctx: Context) => Promise<void>
  /** Puts what is called off back into stock, at once unless told otherwise: whoever calls off several orders does it once, and last. */
  restock?: (ctx: Context, lines: readonly ReturnedLine[]) => Promise<void> | void
}

/**
 * Writes a change of an order with all that follows from it, all or nothing: the status, and then the refund, the stock, what the
 * customer is told and what the log says. Null, and nothing is done, when the order has changed since it was read.
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
    await together(
      statusChanged && insertStatusEvent(ctx, changed),
      recordAudit(ctx, {
        action: isCancelled ? 'order.cancelled' : 'order.changed',
        subjectId: row.userId,
        objectId: row.id,
      }),
      notifyOfChange(ctx, { row, changed, content, refundCents }),
    )
    // Last, for others wait for these rows until this is stored.
    if (cancels) await restock(ctx, lines)
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
 * Stores the refund of what is left of the payment, which the refund job makes, and the units that
 * are still to return. Units that an earlier refund names are back in stock, or gone for good.
 */
async function refundRemaining(
  ctx: Context,
  row: CustomerOrder,
  { lines }: OrderContent,
): Promise<Cancellation<OrderLine>> {
  const earlier = await getEarlierRefunds(ctx.db, [row])
  const cancellation = cancellationOf({ totalCents: row.totalCents, lines }, earlier(row))
  const { refundCents, lines: remaining } = cancellation
  const id = newId(ctx.now.getTime())
  await together(
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

type ChangeNews = { row: CustomerOrder; changed: CustomerOrder; content: OrderContent; refundCents: number }

/** Each milestone is a mail, and so is a tracking number that comes after its parcel has left; nothing else is. */
async function notifyOfChange(ctx: Context, { row, changed, content, refundCents }: ChangeNews): Promise<void> {
  const { id, userId, status, trackingNumber, carrier, estimatedDelivery } = changed
  const isTracked = trackingNumber !== null && trackingNumber !== row.trackingNumber
  const isWorthAnEmail = row.status !== status || (status === 'shipped' && isTracked)
  if (!isWorthAnEmail || status === 'pending') return
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
