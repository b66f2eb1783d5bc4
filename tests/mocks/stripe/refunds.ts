import { newRefund, type Charge, type Intent, type Refund } from './objects.ts'
import { missing, StripeMockError } from './mock-error.ts'

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`

type Parts = {
  now: () => Date
  emit: (type: string, object: Record<string, unknown>) => void
  settings: { refundsArePending: boolean }
  charges: Map<string, Charge>
  refunds: Map<string, Refund>
  findIntent: (id: string, param: string) => Intent
  releasedOf: (chargeId: string) => number
}

/** Refunds of what was captured (https://docs.stripe.com/refunds). */
export function openRefunds({ now, emit, settings, charges, refunds, findIntent, releasedOf }: Parts) {
  function createRefund(fields: {
    payment_intent: string
    amount: number | null
    metadata: unknown
    reason: unknown
  }): Refund {
    const intent = findIntent(fields.payment_intent, 'payment_intent')
    const charge = charges.get(intent.latest_charge ?? '')
    if (!charge?.paid) {
      throw new StripeMockError(
        400,
        `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
        {
          param: 'payment_intent',
        },
      )
    }
    if (!charge.captured) {
      throw new StripeMockError(
        400,
        `This uncaptured Charge was created by a PaymentIntent (${intent.id}). You must cancel the PaymentIntent to reverse the authorization instead of refunding the Charge directly. For more information, see https://stripe.com/docs/payments/place-a-hold-on-a-payment-method.`,
      )
    }
    const left = charge.amount_captured - charge.amount_refunded + releasedOf(charge.id)
    const amount = fields.amount ?? left
    if (left === 0) {
      throw new StripeMockError(400, `Charge ${charge.id} has already been refunded.`, {
        code: 'charge_already_refunded',
      })
    }
    if (amount < 1) {
      throw new StripeMockError(400, 'Invalid positive integer', {
        code: 'parameter_invalid_integer',
        param: 'amount',
      })
    }
    if (amount > left) {
      const of = charge.amount_refunded === 0 ? 'charge amount' : 'unrefunded amount on charge'
      throw new StripeMockError(
        400,
        `Refund amount (${dollars(amount)}) is greater than ${of} (${dollars(left)})`,
        {
          param: 'amount',
        },
      )
    }
    const { metadata, reason } = fields
    const refund = newRefund(now(), {
      amount,
      charge: charge.id,
      payment_intent: intent.id,
      metadata,
      reason,
    })
    if (settings.refundsArePending) refund.status = 'pending'
    refunds.set(refund.id, refund)
    charge.amount_refunded += amount
    charge['refunded'] = left === amount
    emit('refund.created', refund)
    emit('charge.refunded', charge)
    return refund
  }

  /** Settles a pending refund: paid out, or returned by the bank. */
  function settleRefund(id: string, outcome: 'succeed' | 'fail'): void {
    const refund = refunds.get(id)
    if (!refund) throw missing('refund', id)
    refund.status = outcome === 'succeed' ? 'succeeded' : 'failed'
    const charge = charges.get(refund.charge)
    if (outcome === 'fail' && charge) {
      charge.amount_refunded -= refund.amount
      charge['refunded'] = false
      emit('refund.failed', refund)
    }
    emit('refund.updated', refund)
  }

  return { createRefund, settleRefund }
}
