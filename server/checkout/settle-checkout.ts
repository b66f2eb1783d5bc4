import type { CheckoutRow } from '#db/checkout/checkouts.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { resolveSessionPayment } from './find-payment.ts'
import { finalizeCheckout } from './finalize-checkout.ts'
import { refundCheckout } from './refund-checkout.ts'
import { releaseCheckout } from './release-checkout.ts'
import { cancelCheckoutPayment } from './cancel-payment.ts'

/**
 * Brings an open or paid checkout as far as it can come now, by what the provider says: an order when it is paid, nothing while it may
 * still be paid, and once it has lapsed a refund or, after the payment is cancelled, its release. Throws UNAVAILABLE when the
 * provider fails.
 */
export async function settleCheckout(ctx: Context, checkout: CheckoutRow): Promise<void> {
  const resolved = await resolveSessionPayment(ctx, checkout)
  const paymentId = resolved.paymentId
  const payment = paymentId === null ? null : await ctx.payments.findPayment(paymentId)
  // Given back past the shop, at the provider's own desk; a part of it makes no order either, and the rest follows.
  if (payment && payment.refundedCents >= payment.amountCents) return release(ctx, resolved, 'refunded')
  if (payment && payment.refundedCents > 0) {
    await refundCheckout(ctx, resolved, 'no order', payment.amountCents - payment.refundedCents)
    return
  }
  if (paymentId !== null && payment?.status === 'succeeded') return finalize(ctx, resolved, paymentId)
  if (payment?.status === 'canceled') return release(ctx, resolved)
  // Until it is said what pays it, nobody was told of it either.
  const isAbandoned = resolved.paymentId === null && resolved.sessionId === null
  if (!isAbandoned && resolved.expiresAt > ctx.now) return
  const cancellation = await cancelCheckoutPayment(ctx, resolved)
  if (cancellation === 'canceled') await release(ctx, resolved)
}

async function finalize(ctx: Context, checkout: CheckoutRow, paymentId: string): Promise<void> {
  try {
    await finalizeCheckout(ctx, paymentId)
  } catch (error) {
    // Something is missing that its customer can still bring, until it lapses.
    if (!(error instanceof AppError) || error.code !== 'INVALID') throw error
    if (checkout.expiresAt <= ctx.now) await refundPaid(ctx, checkout, paymentId)
  }
}

/** `finalizeCheckout` has noted by now that it is paid. */
const refundPaid = (ctx: Context, checkout: CheckoutRow, paymentId: string): Promise<boolean> =>
  refundCheckout(ctx, { ...checkout, paymentId, status: 'paid' }, 'no order')

async function release(
  ctx: Context,
  checkout: CheckoutRow,
  to: 'cancelled' | 'refunded' = 'cancelled',
): Promise<void> {
  await inTransaction(ctx, (ctx) => releaseCheckout(ctx, checkout, to))
}
