import type { CheckoutRow } from '#db/checkout/checkouts.ts'
import { insertRefund } from '#db/orders/refunds.ts'
import type { RefundReason } from '#domain/checkout/checkout.ts'
import { newId } from '#domain/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { releaseCheckout } from './release-checkout.ts'
import { openCheckout } from './sealed-checkout.ts'

/**
 * Queues the refund of a payment without an order and releases its stock. The refund job makes the
 * refund. Runs once per checkout. Returns false when the checkout has changed since it was read.
 * @param amountCents the rest of the payment
 */
export async function refundCheckout(
  ctx: Context,
  checkout: CheckoutRow,
  reason: RefundReason,
  amountCents: number = checkout.amountCents,
): Promise<boolean> {
  const { id, paymentId } = checkout
  if (!paymentId) throw new Error('A checkout without a payment cannot be refunded.')
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
    const { userId } = openCheckout(ctx.keys, checkout)
    await recordAudit(ctx, { action: 'payment.refund-begun', subjectId: userId, objectId: id })
    return true
  })
}
