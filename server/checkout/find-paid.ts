import { findOpenCheckout } from '#db/checkout/checkouts.ts'
import { findLastOrder } from '#db/orders/orders.ts'
import { fingerprintOf } from '#domain/checkout/checkout.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'
import { readOrderLines } from '../orders/order-reader.ts'
import { resolveSessionPayment } from './find-payment.ts'
import { openFrozen } from './sealed-checkout.ts'

/** For how long the same form counts as the same order: a second click, a reload, a browser that came back. */
const duplicateWindowMs = 10 * 60_000

/** Whether these very lines were ordered a moment ago: then the form came twice. @param shown from `fingerprintOf` */
export async function wasJustOrdered(ctx: Context, shown: string): Promise<boolean> {
  const since = new Date(ctx.now.getTime() - duplicateWindowMs)
  const order = await findLastOrder(ctx.db, requireUser(ctx).id, since)
  return order !== null && fingerprintOf(readOrderLines(ctx.keys, order)) === shown
}

/**
 * The payment of one's open checkout of these very lines when it has succeeded already: in another tab, or on a page of the provider's that the
 * browser never came back from. Throws UNAVAILABLE when the provider fails.
 */
export async function findSucceededPayment(ctx: Context, shown: string): Promise<string | null> {
  const open = await findOpenCheckout(ctx.db, requireUser(ctx).id)
  if (!open || fingerprintOf(openFrozen(ctx.keys, open).lines) !== shown) return null
  const { paymentId } = await resolveSessionPayment(ctx, open)
  const payment = paymentId === null ? null : await ctx.payments.findPayment(paymentId)
  return payment?.status === 'succeeded' ? payment.id : null
}
