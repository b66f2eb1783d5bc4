import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'

type Fields = Record<string, unknown>
export type Intent = Fields & {
  id: string
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'requires_capture'
    | 'processing'
    | 'succeeded'
    | 'canceled'
  amount: number
  amount_capturable: number
  amount_received: number
  capture_method: string
  allowed_payment_method_types?: string[]
  client_secret: string
  metadata: Record<string, string>
  latest_charge: string | null
}
export type Charge = Fields & {
  id: string
  amount: number
  amount_captured: number
  amount_refunded: number
  captured: boolean
  paid: boolean
  payment_method_details: { card: Fields & { capture_before?: number } }
}
export type Refund = Fields & {
  id: string
  amount: number
  status: 'pending' | 'succeeded' | 'failed'
  payment_intent: string
  charge: string
}
export type Session = Fields & {
  id: string
  status: 'open' | 'complete' | 'expired'
  payment_intent: string | null
  success_url: string
  cancel_url: string | null
  url: string | null
  amount_total: number
  expires_at: number
}
export type StripeEvent = Fields & { id: string; type: string; data: { object: Fields } }

const fixtures = (
  JSON.parse(readFileSync(new URL('../../fixtures/stripe/objects.json', import.meta.url), 'utf8')) as {
    resources: Record<string, Fields>
  }
).resources

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** An id like Stripe's: a prefix and random letters. */
export const newStripeId = (prefix: string, length = 24): string =>
  prefix + Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')

const seconds = (now: Date): number => Math.floor(now.getTime() / 1000)

/**
 * An object in the shape of Stripe's fixture. Fixtures fill every field with a value of the right
 * type; `fields` resets those that a new object does not have, after the documentation.
 */
const like = (name: string, fields: Fields): Fields => ({ ...structuredClone(fixtures[name]), ...fields })

export type NewIntent = {
  amount: number
  currency: string
  metadata: Record<string, string>
  capture_method?: string
  allowed_payment_method_types?: string[]
}

export function newIntent(
  now: Date,
  {
    amount,
    currency,
    metadata,
    // The default since 2024-04-10.
    capture_method = 'automatic_async',
    allowed_payment_method_types: allowed,
  }: NewIntent,
): Intent {
  const id = newStripeId('pi_3')
  const fields = {
    id,
    amount,
    amount_capturable: 0,
    amount_received: 0,
    ...(allowed && { allowed_payment_method_types: allowed }),
    capture_method,
    client_secret: `${id}_secret_${newStripeId('', 25)}`,
    created: seconds(now),
    currency,
    metadata,
    status: 'requires_payment_method',
    canceled_at: null,
    cancellation_reason: null,
    last_payment_error: null,
    latest_charge: null,
    next_action: null,
    processing: null,
    shipping: null,
    transfer_data: null,
    managed_payments: null,
  }
  return like('payment_intent', fields) as Intent
}

/**
 * An attempt to charge an intent's amount.
 * @param outcome a failure, `captured`, or in seconds until when it is authorized
 */
export function newCharge(
  now: Date,
  intent: Intent,
  outcome: { code: string; message: string } | 'captured' | number,
): Charge {
  const failure = typeof outcome === 'object' ? outcome : null
  const isCaptured = outcome === 'captured'
  const fields = {
    id: newStripeId('ch_3'),
    amount: intent.amount,
    amount_captured: isCaptured ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: isCaptured ? newStripeId('txn_3') : null,
    captured: isCaptured,
    created: seconds(now),
    currency: intent['currency'],
    description: null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    metadata: { ...intent.metadata },
    paid: failure === null,
    payment_intent: intent.id,
    payment_method: intent['payment_method'],
    refunded: false,
    source: null,
    status: failure ? 'failed' : 'succeeded',
    transfer_data: null,
  }
  const charge = like('charge', fields) as Charge
  const { card } = charge.payment_method_details
  if (!failure) card['amount_authorized'] = intent.amount
  if (typeof outcome === 'number') card.capture_before = outcome
  return charge
}

export function newRefund(
  now: Date,
  params: { amount: number; charge: string; payment_intent: string; metadata: unknown; reason: unknown },
  { movesMoney = true } = {},
): Refund {
  const fields = {
    id: newStripeId('re_3'),
    balance_transaction: movesMoney ? newStripeId('txn_3') : null,
    created: seconds(now),
    status: 'succeeded',
    ...params,
  }
  return like('refund', fields) as Refund
}

export function newSession(now: Date, params: Fields & { origin: string; amount_total: number }): Session {
  const { origin, ...fields } = params
  const id = newStripeId('cs_test_a1', 58)
  const session = like('checkout.session', {
    after_expiration: null,
    allow_promotion_codes: null,
    amount_subtotal: params.amount_total,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: seconds(now),
    currency: 'usd',
    currency_conversion: null,
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_creation: 'if_required',
    customer_details: null,
    expires_at: seconds(now) + 24 * 3600,
    invoice_creation: null,
    managed_payments: null,
    payment_intent: null,
    payment_method_collection: 'if_required',
    permissions: null,
    saved_payment_method_options: null,
    shipping_address_collection: null,
    shipping_cost: null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    wallet_options: null,
    ...fields,
    id,
    url: `${origin}/c/pay/${id}`,
  })
  return session as Session
}

export const newDispute = (now: Date, charge: Charge): Fields =>
  like('dispute', {
    id: newStripeId('du_1'),
    amount: charge.amount,
    charge: charge.id,
    created: seconds(now),
    payment_intent: charge['payment_intent'],
  })

export const newEvent = (
  now: Date,
  type: string,
  object: Fields,
  request: { id: string | null; idempotency_key: string | null },
): StripeEvent =>
  like('event', {
    api_version: '2026-10-28.endive',
    created: seconds(now),
    data: { object: structuredClone(object) },
    id: newStripeId('evt_1'),
    pending_webhooks: 1,
    request,
    type,
  }) as StripeEvent
