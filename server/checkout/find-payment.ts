import {
  findCheckout,
  findCheckoutByPayment,
  setCheckoutPayment,
  type CheckoutRow,
} from '#db/checkout/checkouts.ts'
import type { Context } from '../context.ts'

/**
 * Stores the payment that a hosted page has created since; the provider creates it only when the
 * customer pays. Throws UNAVAILABLE when the provider fails.
 */
export async function resolveSessionPayment(ctx: Context, checkout: CheckoutRow): Promise<CheckoutRow> {
  const { id, paymentId, sessionId } = checkout
  if (paymentId !== null || sessionId === null || !ctx.payments.hosted) return checkout
  const session = await ctx.payments.hosted.findSession(sessionId)
  if (!session?.paymentId) return checkout
  await setCheckoutPayment(ctx.db, { id, paymentId: session.paymentId, sessionId, now: ctx.now })
  return { ...checkout, paymentId: session.paymentId }
}

/** The checkout of a payment, also of a hosted page's new payment; null when it is not ours. */
export async function findCheckoutOfPayment(ctx: Context, paymentId: string): Promise<CheckoutRow | null> {
  const existing = await findCheckoutByPayment(ctx.db, paymentId)
  if (existing) return existing
  // The shop stores the id of a payment that it creates. Only a hosted page's payment can be
  // unknown.
  if (!ctx.payments.hosted) return null
  const payment = await ctx.payments.findPayment(paymentId)
  const checkout = payment?.checkoutId ? await findCheckout(ctx.db, payment.checkoutId) : null
  // A concurrent request has stored it: webhooks of one payment arrive together, and the browser
  // too.
  if (checkout?.paymentId === paymentId) return checkout
  if (!checkout?.sessionId || checkout.paymentId !== null) return null
  const { id, sessionId } = checkout
  await setCheckoutPayment(ctx.db, { id, paymentId, sessionId, now: ctx.now })
  return { ...checkout, paymentId }
}
