import type { CheckoutRow } from '#db/checkout/checkouts.ts'
import { insertRefund } from '#db/orders/refunds.ts'
import type { RefundReason } from '#domain/checkout/checkout.ts'
import { newId } from '#domain/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { releaseCheckout } from './release-checkout.ts'

/**
 * Decides that a payment without an order goes back: releases what it held and leaves the giving to the refunds' job. Once, however
 * often it is asked. False when the checkout was ordered or moved meanwhile.
 * @param amountCents what is left of it to give
 */
export async function refundCheckout(
  ctx: Context,
  checkout: CheckoutRow,
  reason: RefundReason,
  amountCents: number = checkout.amountCents,
): Promise<boolean> {
  const { id, userId, paymentId } = checkout
  if (!paymentId) throw new Error('What was never paid is not refunded.')
  return inTransaction(ctx, async (ctx) => {
    if (!(await releaseCheckout(ctx, checkout, 'refunded'))) return false
    await insertRefund(ctx.db, {
      id: newId(ctx.now.getTime()),
      idempotencyKey: `${id}:refund`,
      checkoutId: id,
      orderId: null,
      paymentId,
      amountCents,
      reason,
      createdAt: ctx.now,
    })
    await recordAudit(ctx, { action: 'payment.refund-begun', subjectId: userId, objectId: id })
    return true
  })
}
