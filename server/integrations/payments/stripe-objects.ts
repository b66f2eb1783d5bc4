import type { Stripe } from 'stripe'
import type { HostedSession, Payment, PaymentStatus, Refund } from './payments.ts'

/** https://docs.stripe.com/payments/paymentintents/lifecycle */
const statuses: Readonly<Record<string, PaymentStatus>> = {
  requires_payment_method: 'unpaid',
  requires_confirmation: 'unpaid',
  requires_action: 'requires_action',
  processing: 'processing',
  requires_capture: 'authorized',
  succeeded: 'succeeded',
  canceled: 'canceled',
}

/**
 * A payment with what Stripe reports as refunded. That includes the rest of a partial capture in
 * some versions: see `countRefunds`.
 */
export function toPayment(intent: Stripe.PaymentIntent): Payment {
  const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge
  // A status that Stripe adds later counts as pending.
  const status = statuses[intent.status] ?? 'processing'
  const captureBefore = charge?.payment_method_details?.card?.capture_before
  return {
    id: intent.id,
    status,
    amountCents: intent.amount,
    capturedCents: intent.amount_received,
    // Stripe reports a voided or lapsed authorization as refunded in full.
    refundedCents: intent.amount_received === 0 ? 0 : (charge?.amount_refunded ?? 0),
    captureBefore: status === 'authorized' && captureBefore ? new Date(captureBefore * 1000) : null,
    clientSecret: intent.client_secret ?? '',
    checkoutId: intent.metadata['checkout'] ?? null,
  }
}

/**
 * Whether the refunds must be counted one by one, because the released rest of a partial capture
 * may be among them.
 */
export const mayCountRelease = ({ amountCents, capturedCents, refundedCents }: Payment): boolean =>
  refundedCents > 0 && capturedCents < amountCents

/**
 * The sum of the refunds, without the released rest of a partial capture. That one moved no money,
 * so it has no balance transaction, and it was not made under a key of ours.
 */
export function countRefunds({ amountCents, capturedCents }: Payment, refunds: Stripe.Refund[]): number {
  const isRelease = ({ amount, balance_transaction, metadata }: Stripe.Refund): boolean =>
    amount === amountCents - capturedCents && balance_transaction === null && !metadata?.['key']
  const release = refunds.findLast(isRelease)
  return refunds
    .filter((refund) => refund !== release && toRefund(refund).status !== 'failed')
    .reduce((sum, { amount }) => sum + amount, 0)
}

export const toSession = ({
  id,
  status,
  url,
  payment_intent,
  metadata,
}: Stripe.Checkout.Session): HostedSession => ({
  id,
  status: status === 'complete' ? 'complete' : status === 'expired' ? 'expired' : 'open',
  url: url ?? null,
  paymentId: typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? null),
  checkoutId: metadata?.['checkout'] ?? null,
})

/** `requires_action` waits for the customer, so it counts as pending. */
export const toRefund = ({ id, status }: Stripe.Refund): Refund => ({
  id,
  status:
    status === 'succeeded'
      ? 'succeeded'
      : status === 'failed' || status === 'canceled'
        ? 'failed'
        : 'pending',
})
