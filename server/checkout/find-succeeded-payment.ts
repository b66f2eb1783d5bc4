import { findOpenCheckout } from '#db/checkout/checkouts.ts'
import { findLastOrder } from '#db/orders/orders.ts'
import { computeFingerprint } from '#domain/checkout/checkout.ts'
import { listAccountItems } from '../cart/cart-lines.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'
import { isPaid } from '../integrations/payments/payments.ts'
import { readOrderLines } from '../orders/order-reader.ts'
import { resolveSessionPayment } from './find-payment.ts'
import { hashCustomer, openCheckout } from './sealed-checkout.ts'

/** How long the same form counts as the same order: a second click, a reload, a restored tab. */
const duplicateWindowMs = 10 * 60_000

/** The customer's newest order of the last minutes, unless it was cancelled. */
async function findRecentOrder(ctx: Context) {
  const since = new Date(ctx.now.getTime() - duplicateWindowMs)
  const order = await findLastOrder(ctx.db, requireUser(ctx).id, since)
  return order?.status === 'cancelled' ? null : order
}

/** Whether the customer ordered anything within the last minutes. Throws UNAUTHENTICATED. */
export const hasRecentOrder = async (ctx: Context): Promise<boolean> => (await findRecentOrder(ctx)) !== null

/**
 * Whether the customer ordered the same lines within the last minutes: the form was sent twice. Not
 * when that order was cancelled, and not while the cart holds its items again: an order removes
 * them, so the form is for another one.
 * @param seenFingerprint from `computeFingerprint`
 */
export async function wasJustOrdered(ctx: Context, seenFingerprint: string): Promise<boolean> {
  const { id: userId } = requireUser(ctx)
  const order = await findRecentOrder(ctx)
  if (!order) return false
  const lines = readOrderLines(ctx.keys, order)
  if (computeFingerprint(lines) !== seenFingerprint) return false
  const inCart = new Set((await listAccountItems(ctx, userId)).map(({ variantId }) => variantId))
  return !lines.some(({ productVariantId }) => inCart.has(productVariantId))
}

/**
 * The payment of the customer's open checkout of the same lines if it is paid: in another
 * tab, or on the provider's page without coming back. Throws UNAVAILABLE when the provider fails.
 */
export async function findSucceededPayment(ctx: Context, seenFingerprint: string): Promise<string | null> {
  const open = await findOpenCheckout(ctx.db, hashCustomer(ctx.keys, requireUser(ctx).id))
  if (!open || computeFingerprint(openCheckout(ctx.keys, open).lines) !== seenFingerprint) return null
  const { paymentId } = await resolveSessionPayment(ctx, open)
  const payment = paymentId === null ? null : await ctx.payments.findPayment(paymentId)
  return payment && isPaid(payment) ? payment.id : null
}
