import {
  newCharge,
  newDispute,
  newIntent,
  newRefund,
  newSession,
  newStripeId,
  type Charge,
  type Intent,
  type NewIntent,
  type Refund,
  type Session,
} from './objects.ts'
import { missing, StripeMockError } from './mock-error.ts'

/** What a test's payment method does (https://docs.stripe.com/testing). */
type Card = { outcome: 'succeed' | 'authenticate' | 'process' } | { decline: string; message: string }
const declined = { decline: 'generic_decline', message: 'Your card was declined.' }
const noFunds = { decline: 'insufficient_funds', message: 'Your card has insufficient funds.' }
const cards: Readonly<Record<string, Card>> = {
  pm_card_visa: { outcome: 'succeed' },
  pm_card_mastercard: { outcome: 'succeed' },
  pm_card_chargeDeclined: declined,
  pm_card_visa_chargeDeclined: declined,
  pm_card_chargeDeclinedInsufficientFunds: noFunds,
  pm_card_visa_chargeDeclinedInsufficientFunds: noFunds,
  pm_card_authenticationRequired: { outcome: 'authenticate' },
  pm_card_threeDSecure2Required: { outcome: 'authenticate' },
  // A debit of a bank account takes days.
  pm_usBankAccount_success: { outcome: 'process' },
}

const cancelable = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
  'processing',
]
const confirmable = ['requires_payment_method', 'requires_confirmation']

/** How long a card's authorization lasts (https://docs.stripe.com/payments/place-a-hold-on-a-payment-method). */
const authorizationSeconds = 7 * 24 * 3600

/**
 * How the charge shows what a capture, a cancellation or an expiry releases: as `amount_refunded`
 * with an entry in the list of refunds, without one, or not at all. Stripe's answers have had all.
 */
export const releaseReports = ['nothing', 'refund', 'amount'] as const
export type ReleaseReport = (typeof releaseReports)[number]

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`

type IntentFields = Omit<NewIntent, 'amount' | 'currency'>

export type StripeStore = ReturnType<typeof openStore>

/**
 * Stripe's objects and their lifecycles, after its documentation.
 * @param emit reports events by the names of https://docs.stripe.com/api/events/types
 */
export function openStore({
  now,
  origin,
  emit,
}: {
  now: () => Date
  origin: () => string
  emit: (type: string, object: Record<string, unknown>) => void
}) {
  const intents = new Map<string, Intent>()
  const charges = new Map<string, Charge>()
  const refunds = new Map<string, Refund>()
  const sessions = new Map<string, Session>()
  /** What a page's payment will be. */
  const intentFields = new Map<string, IntentFields>()
  /** What the charges show as refunded and is not: the released part, by charge. */
  const released = new Map<string, number>()
  /** Charges that have expired, although their intents do not show it yet. */
  const expiredCharges = new Set<string>()
  const settings = {
    refundsArePending: false,
    releaseReport: 'nothing' as ReleaseReport,
    /** Whether the card's bank refuses to pay what it has authorized. */
    capturesAreDeclined: false,
  }

  /** An authorization expires by itself. */
  const findIntent = (id: string, param = 'intent'): Intent => {
    const intent = intents.get(id)
    if (!intent) throw missing('payment_intent', id, param)
    if (intent.status === 'requires_capture') {
      const before = chargeOf(intent).payment_method_details.card.capture_before ?? Infinity
      if (before * 1000 <= now().getTime()) expireHold(id)
    }
    return intent
  }

  const chargeOf = ({ id, latest_charge }: Intent): Charge => {
    const charge = charges.get(latest_charge ?? '')
    if (!charge) throw new Error(`The intent ${id} has no charge.`)
    return charge
  }

  /** A page expires by itself. */
  const findSession = (id: string): Session => {
    const session = sessions.get(id)
    if (!session) throw missing('checkout.session', id, 'session')
    if (session.status === 'open' && session.expires_at * 1000 <= now().getTime()) endSession(session)
    return session
  }

  const sessionOf = (intentId: string): Session | undefined =>
    [...sessions.values()].find(({ payment_intent }) => payment_intent === intentId)

  /** The bank has agreed: charges the intent, or holds its amount for a later capture. */
  function succeed(intent: Intent): void {
    const isManual = intent.capture_method === 'manual'
    const captureBefore = Math.floor(now().getTime() / 1000) + authorizationSeconds
    const charge = newCharge(now(), intent, isManual ? captureBefore : 'captured')
    charges.set(charge.id, charge)
    Object.assign(intent, {
      status: isManual ? 'requires_capture' : 'succeeded',
      amount_capturable: isManual ? intent.amount : 0,
      amount_received: isManual ? 0 : intent.amount,
      latest_charge: charge.id,
      next_action: null,
      last_payment_error: null,
      processing: null,
    })
    emit('charge.succeeded', charge)
    emit(isManual ? 'payment_intent.amount_capturable_updated' : 'payment_intent.succeeded', intent)
    const session = sessionOf(intent.id)
    if (!session) return
    const wasOpen = session.status === 'open'
    // The page is complete, and nothing is paid before the capture.
    Object.assign(session, { status: 'complete', payment_status: isManual ? 'unpaid' : 'paid', url: null })
    emit(wasOpen ? 'checkout.session.completed' : 'checkout.session.async_payment_succeeded', session)
  }

  function fail(intent: Intent, error: { code: string; decline_code?: string; message: string }): void {
    const failure = { type: 'card_error', ...error }
    const charge = newCharge(now(), intent, error)
    charges.set(charge.id, charge)
    Object.assign(intent, {
      status: 'requires_payment_method',
      payment_method: null,
      latest_charge: charge.id,
      last_payment_error: failure,
      next_action: null,
      processing: null,
    })
    emit('charge.failed', charge)
    emit('payment_intent.payment_failed', intent)
  }

  function endSession(session: Session): void {
    Object.assign(session, { status: 'expired', url: null })
    const intent = session.payment_intent === null ? null : findIntent(session.payment_intent)
    if (intent) endIntent(intent, 'automatic')
    emit('checkout.session.expired', session)
  }

  function endIntent(intent: Intent, reason: string | null): void {
    const canceledAt = Math.floor(now().getTime() / 1000)
    Object.assign(intent, {
      status: 'canceled',
      amount_capturable: 0,
      canceled_at: canceledAt,
      cancellation_reason: reason,
      next_action: null,
      processing: null,
    })
    emit('payment_intent.canceled', intent)
  }

  function createIntent(fields: NewIntent): Intent {
    const intent = newIntent(now(), fields)
    intents.set(intent.id, intent)
    emit('payment_intent.created', intent)
    return intent
  }

  function confirmIntent(id: string, method: string, returnUrl: string | null): Intent {
    const intent = findIntent(id)
    if (!confirmable.includes(intent.status)) {
      const message =
        intent.status === 'succeeded'
          ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
          : `This PaymentIntent's status is ${intent.status}, so it cannot be confirmed.`
      throw new StripeMockError(400, message, {
        code: 'payment_intent_unexpected_state',
        payment_intent: intent,
      })
    }
    const card = cards[method]
    if (!card) throw missing('PaymentMethod', method, 'payment_method')
    const type = method.startsWith('pm_card') ? 'card' : 'us_bank_account'
    if (intent.allowed_payment_method_types?.includes(type) === false) {
      throw new StripeMockError(
        400,
        `The PaymentMethod provided (${type}) is not allowed for this PaymentIntent.`,
        { code: 'payment_intent_incompatible_payment_method', param: 'payment_method' },
      )
    }
    intent['payment_method'] = newStripeId('pm_1')
    if ('decline' in card) {
      const error = { code: 'card_declined', decline_code: card.decline, message: card.message }
      fail(intent, error)
      const { message, ...fields } = { type: 'card_error', ...error, charge: intent.latest_charge }
      throw new StripeMockError(402, message, { ...fields, payment_intent: structuredClone(intent) })
    }
    if (card.outcome === 'succeed') succeed(intent)
    if (card.outcome === 'process') {
      Object.assign(intent, { status: 'processing', processing: { type: 'us_bank_account' } })
      emit('payment_intent.processing', intent)
      const session = sessionOf(intent.id)
      if (session) {
        Object.assign(session, { status: 'complete', url: null })
        emit('checkout.session.completed', session)
      }
    }
    if (card.outcome === 'authenticate') {
      Object.assign(intent, {
        status: 'requires_action',
        next_action: {
          type: 'redirect_to_url',
          redirect_to_url: { return_url: returnUrl, url: `${origin()}/authenticate/${intent.id}` },
        },
      })
      emit('payment_intent.requires_action', intent)
    }
    return intent
  }

  /** Settles an intent: bank verification or a debit. */
  function settleIntent(id: string, outcome: 'succeed' | 'fail'): Intent {
    const intent = findIntent(id)
    if (intent.status !== 'requires_action' && intent.status !== 'processing') {
      throw new StripeMockError(400, `This PaymentIntent's status is ${intent.status}.`, {
        code: 'payment_intent_unexpected_state',
      })
    }
    if (outcome === 'succeed') succeed(intent)
    else {
      fail(intent, {
        code: 'payment_intent_authentication_failure',
        message:
          'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
      })
    }
    return intent
  }

  function cancelIntent(id: string, reason: string | null): Intent {
    const intent = findIntent(id)
    if (sessionOf(id) && intent.status !== 'requires_capture') {
      throw new StripeMockError(
        400,
        'You cannot cancel this PaymentIntent because it was created by a Checkout Session. Expire the Checkout Session instead.',
      )
    }
    if (!cancelable.includes(intent.status) || intent.status === 'processing') {
      throw new StripeMockError(
        400,
        `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${cancelable.join(', ')}.`,
        { code: 'payment_intent_unexpected_state', payment_intent: intent },
      )
    }
    if (intent.status === 'requires_capture') release(intent, intent.amount, null)
    endIntent(intent, reason)
    return intent
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
    const left = charge.amount_captured - charge.amount_refunded + (released.get(charge.id) ?? 0)
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

  function createSession(
    fields: Record<string, unknown> & { amount_total: number },
    intent: IntentFields,
  ): Session {
    const session = newSession(now(), { ...fields, origin: origin() })
    sessions.set(session.id, session)
    intentFields.set(session.id, intent)
    return session
  }

  function expireSession(id: string): Session {
    const session = findSession(id)
    if (session.status !== 'open') {
      throw new StripeMockError(
        400,
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      )
    }
    endSession(session)
    return session
  }

  /** Pays on the page. The first attempt creates the page's payment (API version 2022-08-01). */
  function paySession(id: string, method: string): Intent {
    const session = findSession(id)
    if (session.status !== 'open') throw new StripeMockError(400, 'This Checkout Session is no longer open.')
    const fields = intentFields.get(id) ?? { metadata: {} }
    const intent =
      session.payment_intent === null
        ? createIntent({ amount: session.amount_total, currency: 'usd', ...fields })
        : findIntent(session.payment_intent)
    session.payment_intent = intent.id
    return confirmIntent(intent.id, method, session.success_url)
  }

  function dispute(intentId: string): void {
    const charge = charges.get(findIntent(intentId).latest_charge ?? '')
    if (!charge) throw missing('charge', intentId)
    charge['disputed'] = true
    emit('charge.dispute.created', newDispute(now(), charge))
  }

  return {
    intents,
    charges,
    refunds,
    sessions,
    settings,
    findIntent,
    findSession,
    createIntent,
    confirmIntent,
    settleIntent,
    cancelIntent,
    captureIntent,
    expireHold,
    createRefund,
    settleRefund,
    createSession,
    expireSession,
    paySession,
    dispute,
  }
}
