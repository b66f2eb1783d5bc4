import { findOpenCheckout } from '#db/checkout/checkouts.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'
import type { Payment } from '../integrations/payments/payments.ts'

/** One's own payment that waits for its second step, or null: found by who is signed in, so that its secret stands in no address. */
export async function findPaymentToVerify(ctx: Context): Promise<Payment | null> {
  const open = await findOpenCheckout(ctx.db, requireUser(ctx).id)
  const payment = open?.paymentId ? await ctx.payments.findPayment(open.paymentId) : null
  return payment?.status === 'requires_action' ? payment : null
}
