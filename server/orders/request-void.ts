import { decidePaymentHold } from '#db/orders/payment-holds.ts'
import type { Context } from '../context.ts'

/**
 * Decides not to charge an order: the job then releases the authorization. Call it in the
 * transaction that has locked the order. Returns false when the payment is decided already, and for
 * an order that was charged at checkout.
 */
export const requestVoid = ({ db, now }: Pick<Context, 'db' | 'now'>, orderId: string): Promise<boolean> =>
  decidePaymentHold(db, { orderId, to: 'voiding', amountCents: null, now })
