import type { CheckoutRow } from '#db/checkout/checkouts.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { isPaid, type Payment } from '../integrations/payments/payments.ts'
import { resolveSessionPayment } from './find-payment.ts'
import { finalizeCheckout } from './finalize-checkout.ts'
import { returnPayment } from './return-payment.ts'
import { releaseCheckout } from './release-checkout.ts'
import { cancelCheckoutPayment } from './cancel-payment.ts'

/**
 * Settles an open or paid checkout by its payment at the provider. Creates the order when it is
 * paid and does nothing while it can still be paid. An expired checkout is refunded or voided, or
 * released after its payment is canceled. Throws UNAVAILABLE when the provider fails.
 */
export async function settleCheckout(ctx: Context, checkout: CheckoutRow): Promise<void> {
  const resolved = await resolveSessionPayment(ctx, checkout)
  const paymentId = resolved.paymentId
  const payment = paymentId === null ? null : await ctx.payments.findPayment(paymentId)
  // Refunded in the provider's dashboard. A partial refund creates no order either: refund the
  // rest.
  if (payment && payment.refundedCents >= payment.amountCents) return release(ctx, resolved, 'refunded')
  if (payment && payment.refundedCents > 0) {
    await returnPayment(ctx, resolved, payment, 'no order')
    return
  }
  if (payment && isPaid(payment)) return finalize(ctx, resolved, payment)
  if (payment?.status === 'canceled') return release(ctx, resolved)
  // Without a stored payment or page, the customer never got anything to pay.
  const isAbandoned = resolved.paymentId === null && resolved.sessionId === null
  if (!isAbandoned && resolved.expiresAt > ctx.now) return
  const cancellation = await cancelCheckoutPayment(ctx, resolved)
  if (cancellation === 'canceled') await release(ctx, resolved)
}

async function finalize(ctx: Context, checkout: CheckoutRow, payment: Payment): Promise<void> {
  try {
    await finalizeCheckout(ctx, payment.id)
  } catch (error) {
    // The customer can still add the missing address or prescription until the checkout expires.
    if (!(error instanceof AppError) || error.code !== 'INVALID') throw error
    if (checkout.expiresAt <= ctx.now) await returnPaid(ctx, checkout, payment)
  }
}

/** `finalizeCheckout` has set the status to `paid` by now. */
const returnPaid = (ctx: Context, checkout: CheckoutRow, payment: Payment): Promise<boolean> =>
  returnPayment(ctx, { ...checkout, paymentId: payment.id, status: 'paid' }, payment, 'no order')

async function release(
  ctx: Context,
  checkout: CheckoutRow,
  to: 'cancelled' | 'refunded' = 'cancelled',
): Promise<void> {
  await inTransaction(ctx, (ctx) => releaseCheckout(ctx, checkout, to))
}
