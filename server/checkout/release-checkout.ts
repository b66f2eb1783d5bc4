import { cancelCheckout, updateCheckoutStatus, type CheckoutRow } from '#db/checkout/checkouts.ts'
import { releaseCheckoutFills } from '#db/dispensing/fills.ts'
import { releaseStock } from '#db/inventory/reservations.ts'
import { needsPrescription, type CheckoutStatus } from '#domain/checkout/checkout.ts'
import type { Context } from '../context.ts'
import { openCheckout } from './sealed-checkout.ts'

/**
 * Ends a checkout without an order and releases its stock and fills, in the caller's transaction.
 * Returns false and changes nothing when the checkout's status or payment has changed since it was
 * read.
 */
export async function releaseCheckout(
  ctx: Pick<Context, 'db' | 'keys' | 'now'>,
  checkout: CheckoutRow,
  to: Extract<CheckoutStatus, 'cancelled' | 'refunded'>,
): Promise<boolean> {
  const { id, status } = checkout
  const isUpdated =
    to === 'cancelled'
      ? await cancelCheckout(ctx.db, checkout, ctx.now)
      : await updateCheckoutStatus(ctx.db, { id, from: status, to, checkAt: null, now: ctx.now })
  if (!isUpdated) return false
  if (status !== 'open' && status !== 'paid') return true
  const { lines } = openCheckout(ctx.keys, checkout)
  if (needsPrescription(lines)) await releaseCheckoutFills(ctx.db, id, ctx.now)
  for (const line of lines) {
    if (line.isTracked) {
      await releaseStock(ctx.db, { variantId: line.productVariantId, quantity: line.quantity })
    }
  }
  return true
}
