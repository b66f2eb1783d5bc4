import { newRefund, newStripeId, type Charge, type Intent, type Refund, type Session } from './objects.ts'
import { StripeMockError } from './mock-error.ts'

/**
 * How the charge shows what a capture, a cancellation or an expiry releases: as `amount_refunded`
 * with an entry in the list of refunds, without one, or not at all. Stripe's answers have had all.
 */
export const releaseReports = ['nothing', 'refund', 'amount'] as const
export type ReleaseReport = (typeof releaseReports)[number]

type Parts = {
  now: () => Date
  emit: (type: string, object: Record<string, unknown>) => void
  settings: { releaseReport: ReleaseReport; capturesAreDeclined: boolean }
  intents: Map<string, Intent>
  charges: Map<string, Charge>
  refunds: Map<string, Refund>
  findIntent: (id: string) => Intent
  sessionOf: (intentId: string) => Session | undefined
  endIntent: (intent: Intent, reason: string | null) => void
}

/**
 * What becomes of an authorization
 * (https://docs.stripe.com/payments/place-a-hold-on-a-payment-method).
 */
export function openHolds({
  now,
  emit,
  settings,
  intents,
  charges,
  refunds,
  findIntent,
  sessionOf,
  endIntent,
}: Parts) {
  /** What the charges show as refunded and is not: the released part, by charge. */
  const released = new Map<string, number>()
  /** Charges that have expired, although their intents do not show it yet. */
  const expiredCharges = new Set<string>()

  const chargeOf = ({ id, latest_charge }: Intent): Charge => {
    const charge = charges.get(latest_charge ?? '')
    if (!charge) throw new Error(`The intent ${id} has no charge.`)
    return charge
  }

  /** Captures once: the rest of the authorization is released. */
  function captureIntent(id: string, requested: number | null): Intent {
    const intent = findIntent(id)
    if (intent.status !== 'requires_capture') {
      const message =
        intent.status === 'succeeded'
          ? 'The remaining amount on this PaymentIntent could not be captured because the remainder of the authorized amount has been released.'
          : `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`
      throw new StripeMockError(400, message, {
        code: 'payment_intent_unexpected_state',
        payment_intent: structuredClone(intent),
      })
    }
    const charge = chargeOf(intent)
    if (expiredCharges.has(charge.id)) {
      throw new StripeMockError(
        400,
        `Charge ${charge.id} cannot be captured because the charge has expired (a charge must be captured within 7 days). You will need to create a new charge to retry the payment.`,
        { code: 'charge_expired_for_capture', charge: charge.id },
      )
    }
    const amount = requested ?? intent.amount_capturable
    if (amount < 1) {
      const message =
        amount < 0 ? 'Invalid non-negative integer' : 'This value must be greater than or equal to 1.'
      const fields = amount < 0 ? { param: 'amount_to_capture' } : { param: 'amount' }
      throw new StripeMockError(400, message, { code: 'parameter_invalid_integer', ...fields })
    }
    if (amount > intent.amount_capturable) {
      throw new StripeMockError(
        400,
        'The payment could not be captured because the requested capture amount is greater than the amount you can capture for this charge.',
        { code: 'amount_too_large', payment_intent: structuredClone(intent) },
      )
    }
    if (settings.capturesAreDeclined) {
      throw new StripeMockError(402, 'Your card was declined.', {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'generic_decline',
        charge: charge.id,
        payment_intent: structuredClone(intent),
      })
    }
    Object.assign(charge, {
      amount_captured: amount,
      balance_transaction: newStripeId('txn_3'),
      captured: true,
    })
    Object.assign(intent, { status: 'succeeded', amount_capturable: 0, amount_received: amount })
    const session = sessionOf(id)
    if (session) Object.assign(session, { payment_status: 'paid' })
    emit('charge.captured', charge)
    if (amount < intent.amount) release(intent, intent.amount - amount, null)
    emit('payment_intent.succeeded', intent)
    return intent
  }

  /** Returns a part of an authorization to the card. No money has moved. */
  function release(intent: Intent, amount: number, reason: string | null): void {
    const charge = chargeOf(intent)
    if (settings.releaseReport === 'nothing') return
    released.set(charge.id, amount)
    charge.amount_refunded += amount
    charge['refunded'] = charge.amount_refunded === charge.amount
    if (settings.releaseReport === 'refund') {
      const fields = { amount, charge: charge.id, payment_intent: intent.id, metadata: {}, reason }
      const refund = newRefund(now(), fields, { movesMoney: false })
      refunds.set(refund.id, refund)
      emit('refund.created', refund)
    }
    emit('charge.refunded', charge)
  }

  /**
   * Ends an authorization that was not captured in time.
   * @param lags whether the intent shows it only after a second call
   */
  function expireHold(id: string, { lags = false } = {}): void {
    const intent = intents.get(id)
    if (intent?.status !== 'requires_capture') {
      throw new StripeMockError(400, `The intent ${id} is not authorized.`)
    }
    const charge = chargeOf(intent)
    if (!expiredCharges.has(charge.id)) {
      expiredCharges.add(charge.id)
      release(intent, intent.amount, 'expired_uncaptured_charge')
      emit('charge.expired', charge)
    }
    if (!lags) endIntent(intent, 'automatic')
  }

  return {
    captureIntent,
    release,
    expireHold,
    /** How much of what a charge shows as refunded was only released. */
    releasedOf: (chargeId: string): number => released.get(chargeId) ?? 0,
  }
}
