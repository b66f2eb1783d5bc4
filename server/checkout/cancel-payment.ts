import type { CheckoutRow } from '#db/checkout/checkouts.ts'
import type { Context } from '../context.ts'

/**
 * Makes sure that a checkout can be paid no more, before what it holds is given to somebody else: the payment, or the hosted page and the
 * payment that it may have made. Answers what became of it: `canceled` is the leave to release; `succeeded` means that it was too
 * late. A checkout without either was never told to anybody. Throws UNAVAILABLE when the provider fails: then it holds on.
 */
export async function cancelCheckoutPayment(
  ctx: Pick<Context, 'payments'>,
  { paymentId, sessionId }: Pick<CheckoutRow, 'paymentId' | 'sessionId'>,
): Promise<'canceled' | 'succeeded' | 'processing'> {
  let payableId = paymentId
  if (sessionId && ctx.payments.hosted) {
    const session = await ctx.payments.hosted.expireSession(sessionId)
    // A page that lapsed unpaid takes its payment along.
    if (session.status === 'expired') return 'canceled'
    payableId ??= session.paymentId
    if (session.status === 'open' || !payableId) return 'processing'
  }
  if (!payableId) return 'canceled'
  const { status } = await ctx.payments.cancelPayment(payableId)
  if (status === 'succeeded' || status === 'canceled') return status
  return 'processing'
}
