import { findCheckoutByPayment, findCheckoutBySession, type CheckoutRow } from '#db/checkout/checkouts.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { resolveSessionPayment } from './find-payment.ts'

/** What a provider's page leads back with: the payment, or the hosted page that made it. */
export type PaymentReference = { paymentId: string } | { sessionId: string }

/**
 * The payment that a browser comes back from; null where a hosted page has made none yet. Nobody need be signed in, for a session may be lost on the way.
 * Throws NOT_FOUND for what is none of ours and for another customer's, UNAVAILABLE when the provider fails.
 */
export async function findReturnedPayment(ctx: Context, reference: PaymentReference): Promise<string | null> {
  const checkout = await findReferencedCheckout(ctx, reference)
  if (!checkout || (ctx.user !== null && ctx.user.id !== checkout.userId)) throw new AppError('NOT_FOUND')
  return checkout.paymentId
}

async function findReferencedCheckout(ctx: Context, reference: PaymentReference): Promise<CheckoutRow | null> {
  // Whose payment stands in an address was told its id by us; a stranger's made-up one asks the provider nothing.
  if ('paymentId' in reference) return findCheckoutByPayment(ctx.db, reference.paymentId)
  const checkout = await findCheckoutBySession(ctx.db, reference.sessionId)
  return checkout && resolveSessionPayment(ctx, checkout)
}
