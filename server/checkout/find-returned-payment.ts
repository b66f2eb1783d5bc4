import { findCheckoutByPayment, findCheckoutBySession, type CheckoutRow } from '#db/checkout/checkouts.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { notFoundForUser } from '../note-refusal.ts'
import { resolveSessionPayment } from './find-payment.ts'
import { hashCustomer } from './sealed-checkout.ts'

/** What the provider's redirect back to the shop names: the payment, or the hosted page. */
export type PaymentReference = { paymentId: string } | { sessionId: string }

/**
 * The payment that a browser returns from; null when a hosted page has created none yet. Works
 * signed out, because the session may be lost on the way. Throws NOT_FOUND for a payment that is
 * not ours or another customer's, UNAVAILABLE when the provider fails.
 */
export async function findReturnedPayment(ctx: Context, reference: PaymentReference): Promise<string | null> {
  const checkout = await findReferencedCheckout(ctx, reference)
  if (!checkout) throw new AppError('NOT_FOUND')
  if (ctx.user !== null && hashCustomer(ctx.keys, ctx.user.id) !== checkout.userHash) {
    throw notFoundForUser(ctx, checkout.id)
  }
  return checkout.paymentId
}

async function findReferencedCheckout(
  ctx: Context,
  reference: PaymentReference,
): Promise<CheckoutRow | null> {
  // We gave the browser the payment id, so we know it. A made-up id costs no call to the provider.
  if ('paymentId' in reference) return findCheckoutByPayment(ctx.db, reference.paymentId)
  const checkout = await findCheckoutBySession(ctx.db, reference.sessionId)
  return checkout && resolveSessionPayment(ctx, checkout)
}
