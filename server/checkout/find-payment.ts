import { findCheckout, findCheckoutByPayment, setCheckoutPayment, type CheckoutRow } from '#db/checkout/checkouts.ts'
import type { Context } from '../context.ts'

/** A hosted page makes its payment late; then the checkout learns which. Throws UNAVAILABLE when the provider fails. */
export async function resolveSessionPayment(ctx: Context, checkout: CheckoutRow): Promise<CheckoutRow> {
  const { id, paymentId, sessionId } = checkout
  if (paymentId !== null || sessionId === null || !ctx.payments.hosted) return checkout
  const session = await ctx.payments.hosted.findSession(sessionId)
  if (!session?.paymentId) return checkout
  await setCheckoutPayment(ctx.db, { id, paymentId: session.paymentId, sessionId, now: ctx.now })
  return { ...checkout, paymentId: session.paymentId }
}

/** The checkout of a payment, also when it was made on a hosted page and nobody has told of it yet; null when it is none of ours. */
export async function findCheckoutOfPayment(ctx: Context, paymentId: string): Promise<CheckoutRow | null> {
  const existing = await findCheckoutByPayment(ctx.db, paymentId)
  if (existing) return existing
  // Demo payments and most of the others are known from their making: only a hosted page's can be new.
  if (!ctx.payments.hosted) return null
  const payment = await ctx.payments.findPayment(paymentId)
  const checkout = payment?.checkoutId ? await findCheckout(ctx.db, payment.checkoutId) : null
  // Somebody else has learned it meanwhile: the webhooks of one payment come at once, and its browser with them.
  if (checkout?.paymentId === paymentId) return checkout
  if (!checkout?.sessionId || checkout.paymentId !== null) return null
  const { id, sessionId } = checkout
  await setCheckoutPayment(ctx.db, { id, paymentId, sessionId, now: ctx.now })
  return { ...checkout, paymentId }
}
