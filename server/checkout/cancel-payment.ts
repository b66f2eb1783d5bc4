import type { CheckoutRow } from '#db/checkout/checkouts.ts'
import type { Context } from '../context.ts'
import { isPaid } from '../integrations/payments/payments.ts'

/**
 * Makes sure that a checkout can no longer be paid before its stock is released: cancels its
 * payment, or expires its hosted page and the payment made there. `canceled` allows the release;
 * `paid` means that the customer has paid, also when the payment is only authorized. A checkout
 * without a payment or page was never payable. Throws UNAVAILABLE when the provider fails: the
 * checkout then keeps its stock.
 */
export async function cancelCheckoutPayment(
  ctx: Pick<Context, 'payments'>,
  { paymentId, sessionId }: Pick<CheckoutRow, 'paymentId' | 'sessionId'>,
): Promise<'canceled' | 'paid' | 'processing'> {
  let payableId = paymentId
  if (sessionId && ctx.payments.hosted) {
    const session = await ctx.payments.hosted.expireSession(sessionId)
    // An unpaid page that expired has canceled its payment.
    if (session.status === 'expired') return 'canceled'
    payableId ??= session.paymentId
    if (session.status === 'open' || !payableId) return 'processing'
  }
  if (!payableId) return 'canceled'
  const payment = await ctx.payments.cancelPayment(payableId)
  if (isPaid(payment)) return 'paid'
  return payment.status === 'canceled' ? 'canceled' : 'processing'
}
