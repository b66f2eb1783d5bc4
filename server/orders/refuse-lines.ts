import { statusEvents } from '#domain/webhooks/webhook-events.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { insertOrderEvent } from '#db/orders/order-events.ts'
import { updateOrderLines } from '#db/orders/orders.ts'
import { findOrderHold } from '#db/orders/payment-holds.ts'
import { insertRefund, insertReturnedLines } from '#db/orders/refunds.ts'
import { sumLines } from '#domain/checkout/checkout.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { dollars } from '#domain/money.ts'
import { computeCancellation } from '#domain/orders/cancellation.ts'
import { canCancel } from '#domain/orders/order-status.ts'
import { computeTotal, remainingLines, type OrderContent, type OrderLine } from '#domain/orders/orders.ts'
import { findEmail } from '../accounts/person-reader.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import type { TemplateProps } from '../integrations/mail/mail-message.ts'
import { restockLines } from '../inventory/restock-lines.ts'
import { getEarlierRefunds } from './earlier-refunds.ts'
import type { CustomerOrder } from './find-order.ts'
import { notifyCustomer } from './notify-customer.ts'
import { requestVoid } from './request-void.ts'
import { openContent, sealOrder } from './sealed-order.ts'

export type LineRefusal = {
  lineId: string
  /** As the customer reads it on the order page. */
  reason: string
}

/**
 * Removes lines from an order before it ships: they are not charged, and their units return to
 * stock. A line that was charged already is refunded. When no line remains, the order is cancelled,
 * its total stays as placed, and the payment is voided. Emails the customer, without medicine and
 * reason. Refusing a line twice changes nothing. The caller decides who may do it, and what becomes
 * of the fills. Returns the changed order, or null and changes nothing when the order has changed
 * since it was read. Throws INVALID (lineId) for a line of another order, and CONFLICT when the
 * order has shipped or its payment is being captured.
 * @param options.isLate whether the lines were not decided before the authorization lapses
 */
export const refuseLines = (
  ctx: Context,
  row: CustomerOrder,
  refusals: readonly LineRefusal[],
  { isLate = false }: { isLate?: boolean } = {},
): Promise<CustomerOrder | null> =>
  inTransaction(ctx, async (ctx) => {
    const content = openContent(ctx.keys, row)
    const newRefusals = findRefusals(content, refusals)
    if (newRefusals.length === 0) return row
    if (!canCancel(row.status)) {
      throw new AppError('CONFLICT', 'This order has already shipped or was cancelled.')
    }
    const at = ctx.now.toISOString()
    const refusedLines = newRefusals.map(({ lineId, reason }) => ({ lineId, reason, at }))
    const changedContent = { ...content, refusedLines: [...content.refusedLines, ...refusedLines] }
    const remaining = remainingLines(changedContent)
    const removed = remainingLines(content).filter((line) => !remaining.includes(line))
    const isCancelled = remaining.length === 0
    const changed = {
      ...row,
      sealedOrder: sealOrder(ctx.keys, row.id, changedContent),
      // The database keeps refunds within the total, and a charged line is refunded.
      totalCents: Math.max(computeTotal(changedContent), row.capturedCents),
      status: isCancelled ? ('cancelled' as const) : row.status,
      restockedAt: isCancelled ? ctx.now : row.restockedAt,
      updatedAt: ctx.now,
    }
    if (!(await updateOrderLines(ctx.db, changed))) return null
    // Read under the order's lock, so that the amount cannot be decided at the same time.
    const hold = await findOrderHold(ctx.db, row.id)
    if (hold?.status === 'capturing') {
      throw new AppError('CONFLICT', 'The payment of this order is being captured. Try again in a moment.')
    }
    if (isCancelled) await cancelOrder(ctx, row)
    const { refundCents, lines } = await returnLines(ctx, row, removed, { isCancelled })
    await recordAudit(ctx, { action: 'order.line-refused', subjectId: row.userId, objectId: row.id })
    await notifyCustomer(
      ctx,
      { orderId: row.id, email: (await findEmail(ctx, row.userId)) ?? content.customer.email },
      {
        milestone: refusalMilestone({ isCancelled, isLate, isRefunded: refundCents > 0 }),
        amount: refundCents > 0 ? dollars(refundCents) : null,
      },
    )
    // Last, because other transactions wait for the stock rows until this one commits.
    await restockLines(
      ctx,
      lines.map((line) => ({ ...line, orderId: row.id })),
    )
    return { ...changed, version: row.version + 1 }
  })

function refusalMilestone({
  isCancelled,
  isLate,
  isRefunded,
}: Record<'isCancelled' | 'isLate' | 'isRefunded', boolean>): TemplateProps<'order-update'>['milestone'] {
  if (isLate) return isCancelled ? 'lapsed' : 'reduced-late'
  if (!isCancelled) return 'reduced'
  return isRefunded ? 'cancelled' : 'voided'
}

/** The refusals of lines that were not refused before. */
const findRefusals = (
  { lines, refusedLines }: OrderContent,
  refusals: readonly LineRefusal[],
): LineRefusal[] =>
  refusals.filter(({ lineId }) => {
    if (!lines.some(({ id }) => id === lineId)) {
      throw new AppError('INVALID', undefined, { fields: { lineId: 'Choose a line of this order.' } })
    }
    return !refusedLines.some((refused) => refused.lineId === lineId)
  })

async function cancelOrder(ctx: Context, { id, status }: CustomerOrder): Promise<void> {
  await insertOrderEvent(ctx.db, {
    id: newId(ctx.now.getTime()),
    orderId: id,
    status: 'cancelled',
    actorId: ctx.user?.id ?? null,
    at: ctx.now,
  })
  await queueWebhooks(ctx, statusEvents({ orderId: id, status: 'cancelled', previousStatus: status }))
  await requestVoid(ctx, id)
}

/**
 * Stores which units return to stock, and the refund of lines that were charged. The refund
 * includes units whose earlier refund failed, even if they are back in stock.
 */
async function returnLines(
  ctx: Context,
  row: CustomerOrder,
  removed: readonly OrderLine[],
  { isCancelled }: { isCancelled: boolean },
): Promise<{ refundCents: number; lines: OrderLine[] }> {
  const earlier = (await getEarlierRefunds(ctx.db, [row]))(row)
  const { refundCents: leftCents, lines } = computeCancellation({ ...row, lines: removed }, earlier)
  const notRefunded = removed.map(({ id, priceCents, quantity }) => ({
    priceCents,
    quantity: quantity - (earlier.lineRefunds.get(id)?.refunded ?? 0),
  }))
  const refundCents = isCancelled ? leftCents : Math.min(leftCents, sumLines(notRefunded))
  const id = newId(ctx.now.getTime())
  if (refundCents > 0) {
    await insertRefund(ctx.db, {
      id,
      idempotencyKey: `${row.checkoutId}:refund:${id}`,
      checkoutId: row.checkoutId,
      orderId: row.id,
      paymentId: row.paymentId,
      amountCents: refundCents,
      reason: 'refused',
      createdAt: ctx.now,
    })
    await recordAudit(ctx, { action: 'payment.refund-begun', subjectId: row.userId, objectId: row.id })
  }
  await insertReturnedLines(ctx.db, { refundId: id, orderId: row.id }, lines)
  return { refundCents, lines }
}
