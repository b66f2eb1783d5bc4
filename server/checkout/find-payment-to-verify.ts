import { findOpenCheckout } from '#db/checkout/checkouts.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'
import type { Payment } from '../integrations/payments/payments.ts'
import { hashCustomer } from './sealed-checkout.ts'

/**
 * The signed-in customer's payment that waits for the bank's verification, or null. Found by the
 * session, so that no URL contains its secret.
 */
export async function findPaymentToVerify(ctx: Context): Promise<Payment | null> {
  const open = await findOpenCheckout(ctx.db, hashCustomer(ctx.keys, requireUser(ctx).id))
  const payment = open?.paymentId ? await ctx.payments.findPayment(open.paymentId) : null
  return payment?.status === 'requires_action' ? payment : null
}
