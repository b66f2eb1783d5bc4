import { cancelCheckout, updateCheckoutStatus, type CheckoutRow } from '#db/checkout/checkouts.ts'
import { releaseStock } from '#db/inventory/stock.ts'
import type { CheckoutStatus } from '#domain/checkout/checkout.ts'
import type { Context } from '../context.ts'
import { openFrozen } from './sealed-checkout.ts'

/**
 * Ends a checkout without an order and gives back what it reserved, in the caller's transaction. False when somebody else has moved
 * it by now, or a payment to be cancelled with it is not the one that was read: then nothing is done.
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
  for (const line of openFrozen(ctx.keys, checkout).lines) {
    if (line.isTracked) {
      await releaseStock(ctx.db, { variantId: line.productVariantId, quantity: line.quantity })
    }
  }
  return true
}
