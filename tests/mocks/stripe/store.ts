import {
  newCharge,
  newDispute,
  newIntent,
  newSession,
  newStripeId,
  type Charge,
  type Intent,
  type NewIntent,
  type Refund,
  type Session,
} from './objects.ts'
import { openHolds, type ReleaseReport } from './holds.ts'
import { missing, StripeMockError } from './mock-error.ts'
import { openRefunds } from './refunds.ts'

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

/**
 * How long a card's authorization lasts
 * (https://docs.stripe.com/payments/place-a-hold-on-a-payment-method).
 */
const authorizationSeconds = 7 * 24 * 3600

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
  const settings = {
    refundsArePending: false,
    releaseReport: 'nothing' as ReleaseReport,
    /** Whether the card's bank refuses to pay what it has authorized. */
    capturesAreDeclined: false,
  }

  const { captureIntent, release, expireHold, releasedOf } = openHolds({
    now,
    emit,
    settings,
    intents,
    charges,
    refunds,
    findIntent: (id) => findIntent(id),
    sessionOf: (id) => sessionOf(id),
    endIntent: (intent, reason) => endIntent(intent, reason),
  })
  const { createRefund, settleRefund } = openRefunds({
    now,
    emit,
    settings,
    charges,
    refunds,
    findIntent: (id, param) => findIntent(id, param),
    releasedOf,
  })

  /** An authorization expires by itself. */
  const findIntent = (id: string, param = 'intent'): Intent => {
    const intent = intents.get(id)
    if (!intent) throw missing('payment_intent', id, param)
    if (intent.status === 'requires_capture') {
      const before =
        charges.get(intent.latest_charge ?? '')?.payment_method_details.card.capture_before ?? Infinity
      if (before * 1000 <= now().getTime()) expireHold(id)
    }
    return intent
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
