import type { CheckoutRow } from '#db/checkout/checkouts.ts'
import { insertPaymentHold } from '#db/orders/payment-holds.ts'
import type { RefundReason } from '#domain/checkout/checkout.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import type { Payment } from '../integrations/payments/payments.ts'
import { refundCheckout } from './refund-checkout.ts'
import { releaseCheckout } from './release-checkout.ts'
import { openCheckout } from './sealed-checkout.ts'

/**
 * Gives back a payment without an order and releases its stock: refunds what was captured, or voids
 * what was only authorized. Returns false when the checkout has changed since it was read.
 */
export const returnPayment = (
  ctx: Context,
  checkout: CheckoutRow,
  payment: Payment,
  reason: RefundReason,
): Promise<boolean> =>
  payment.status === 'authorized'
    ? voidCheckout(ctx, checkout, payment)
    : refundCheckout(ctx, checkout, reason, payment.capturedCents - payment.refundedCents)

/** The job of holds voids the payment. */
const voidCheckout = (ctx: Context, checkout: CheckoutRow, payment: Payment): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    if (!(await releaseCheckout(ctx, checkout, 'refunded'))) return false
    await insertPaymentHold(ctx.db, {
      checkoutId: checkout.id,
      orderId: null,
      paymentId: payment.id,
      status: 'voiding',
      authorizedCents: payment.amountCents,
      captureBefore: payment.captureBefore,
      dueAt: ctx.now,
      createdAt: ctx.now,
    })
    const { userId } = openCheckout(ctx.keys, checkout)
    await recordAudit(ctx, { action: 'payment.void-begun', subjectId: userId, objectId: checkout.id })
    return true
  })
