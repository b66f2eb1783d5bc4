import { findCheckout } from '#db/checkout/checkouts.ts'
import { lockOrder, setCapturedCents, type OrderRow } from '#db/orders/orders.ts'
import { updatePaymentHold, type PaymentHoldRow } from '#db/orders/payment-holds.ts'
import { insertRefund } from '#db/orders/refunds.ts'
import { newId } from '#domain/ids.ts'
import { dollars } from '#domain/money.ts'
import { computeTotal } from '#domain/orders/orders.ts'
import { findEmail } from '../accounts/person-reader.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import type { Payment } from '../integrations/payments/payments.ts'
import { countEvent } from '../metrics.ts'
import { applyOrderChange, cancellationKey } from '../orders/apply-order-change.ts'
import { notifyCustomer } from '../orders/notify-customer.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { removeCheckoutCustomer } from './remove-customer.ts'
import { openCheckout } from './sealed-checkout.ts'

/**
 * Records what the provider says became of an authorization: captured, voided or lapsed. Repeated
 * and concurrent calls record it once. Returns false while it is still authorized.
 * @param payment as the provider has just reported it
 */
export async function settleHold(ctx: Context, hold: PaymentHoldRow, payment: Payment): Promise<boolean> {
  if (payment.status === 'succeeded') await recordCapture(ctx, hold, payment.capturedCents)
  else if (payment.status === 'canceled' || payment.status === 'unpaid') await recordRelease(ctx, hold)
  else return false
  return true
}

/**
 * Records a capture. What must not be charged goes back: all of a cancelled order or of a payment
 * without an order, and lines that were refused before the payment was captured outside the shop.
 */
const recordCapture = (ctx: Context, hold: PaymentHoldRow, capturedCents: number): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { checkoutId, orderId } = hold
    // Everything locks the order first, then its payment.
    const order = orderId === null ? null : await lockOrder(ctx.db, orderId)
    const from = ['authorized', 'capturing', 'voiding'] as const
    const change = { checkoutId, from, to: 'captured', capturedCents, dueAt: null, now: ctx.now } as const
    if (!(await updatePaymentHold(ctx.db, change))) return
    countEvent(ctx, 'payments_captured')
    if (order) await setCapturedCents(ctx.db, { id: order.id, capturedCents, now: ctx.now })
    const subject = await findSubject(ctx, hold, order)
    if (subject) await recordAudit(ctx, { action: 'payment.captured', ...subject.audit })
    const isOwed = order !== null && order.restockedAt === null
    if (isOwed)
      await queueWebhooks(ctx, [{ type: 'order.paid', data: { orderId: order.id, status: order.status } }])
    const owedCents = isOwed ? computeTotal(readOrderContent(ctx.keys, order)) : 0
    if (capturedCents > owedCents) {
      await insertRefund(ctx.db, {
        id: newId(ctx.now.getTime()),
        idempotencyKey: isOwed ? `${checkoutId}:refund:excess` : cancellationKey(checkoutId),
        checkoutId,
        orderId,
        paymentId: hold.paymentId,
        amountCents: capturedCents - owedCents,
        reason: isOwed ? 'refused' : order ? 'cancelled' : 'no order',
        createdAt: ctx.now,
      })
      if (subject) await recordAudit(ctx, { action: 'payment.refund-begun', ...subject.audit })
    } else if (subject?.email) {
      const amount = dollars(capturedCents)
      await notifyCustomer(ctx, { orderId, email: subject.email }, { milestone: 'charged', amount })
    }
  })

/** Records that nothing is authorized any more: the shop voided it, or it lapsed. */
const recordRelease = (ctx: Context, hold: PaymentHoldRow): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { checkoutId, orderId } = hold
    const order = orderId === null ? null : await lockOrder(ctx.db, orderId)
    const isOrdered = order !== null && order.status !== 'cancelled'
    const change = { checkoutId, dueAt: null, now: ctx.now }
    if (await updatePaymentHold(ctx.db, { ...change, from: ['voiding'], to: 'voided' })) {
      return recordVoid(ctx, hold, order)
    }
    const hasLapsed = await updatePaymentHold(ctx.db, {
      ...change,
      from: ['authorized', 'capturing'],
      to: isOrdered ? 'failed' : 'voided',
    })
    if (!hasLapsed) return
    if (!isOrdered) return recordVoid(ctx, hold, order)
    ctx.log.error({ orderId }, 'an authorization lapsed before it was captured')
    const { userId } = order
    if (userId === null) return
    await applyOrderChange(
      ctx,
      { ...order, userId },
      { ...order, status: 'cancelled', cancels: true },
      { hasLapsed: true },
    )
  })

async function recordVoid(ctx: Context, hold: PaymentHoldRow, order: OrderRow | null): Promise<void> {
  countEvent(ctx, 'payments_voided')
  const subject = await findSubject(ctx, hold, order)
  if (!subject) return
  await recordAudit(ctx, { action: 'payment.voided', ...subject.audit })
  // A cancelled order's own email has said so.
  if (order) return
  if (subject.email) {
    await notifyCustomer(ctx, { orderId: null, email: subject.email }, { milestone: 'voided' })
  }
  await removeCheckoutCustomer(ctx, hold.checkoutId)
}

/** Whose payment it is, and where to write; null once the account and the checkout are gone. */
async function findSubject(
  ctx: Context,
  { checkoutId }: PaymentHoldRow,
  order: OrderRow | null,
): Promise<{ audit: { subjectId: string; objectId: string }; email: string } | null> {
  if (order) {
    if (order.userId === null) return null
    const { customer } = readOrderContent(ctx.keys, order)
    const email = (await findEmail(ctx, order.userId)) ?? customer.email
    return { audit: { subjectId: order.userId, objectId: order.id }, email }
  }
  const checkout = await findCheckout(ctx.db, checkoutId)
  if (!checkout) return null
  const { userId, customer } = openCheckout(ctx.keys, checkout)
  const email = (await findEmail(ctx, userId)) ?? customer.email
  return { audit: { subjectId: userId, objectId: checkoutId }, email }
}
