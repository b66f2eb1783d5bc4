import type { StripeStore } from './store.ts'
import { checkAmount, type Given, type Parameters } from './parameters.ts'
import { missing, StripeMockError } from './mock-error.ts'

export type Call = { given: Record<string, Given>; id: string; isPublishable: boolean; now: Date }
type Endpoint = {
  method: 'GET' | 'POST'
  path: RegExp
  parameters: Parameters
  /** Whether a browser may call it, with a publishable key and the payment's client secret. */
  publishable?: true
  /** Validates a call before it runs. A failure here is not stored under the idempotency key. */
  check?: (call: Call) => void
  run: (store: StripeStore, call: Call) => Record<string, unknown>
}

const text = (value: Given | undefined): string | null => (typeof value === 'string' ? value : null)
const number = (value: Given | undefined): number | null => (typeof value === 'number' ? value : null)
const object = (value: Given | undefined): Record<string, Given> =>
  typeof value === 'object' && !Array.isArray(value) ? value : {}
const strings = (value: Given | undefined): Record<string, string> => object(value) as Record<string, string>
const list = (value: Given | undefined): Given[] => (Array.isArray(value) ? value : [])

const expand = { expand: ['string'] } satisfies Parameters['takes']

/** Replaces ids with their objects (https://docs.stripe.com/api/expanding_objects). */
export function expanded(store: StripeStore, given: Record<string, Given>, answer: Record<string, unknown>) {
  const copy = structuredClone(answer)
  for (const name of list(given['expand'])) {
    const id = copy[String(name)]
    const known =
      name === 'latest_charge' && copy['object'] === 'payment_intent'
        ? store.charges
        : name === 'payment_intent'
          ? store.intents
          : null
    if (!known) throw new StripeMockError(400, `This property cannot be expanded (${String(name)}).`)
    if (typeof id === 'string') copy[String(name)] = structuredClone(known.get(id))
  }
  return copy
}

/** A browser proves access to this payment with its client secret. */
function checkSecret(store: StripeStore, { given, id, isPublishable }: Call): void {
  const secret = text(given['client_secret'])
  if (secret === null && !isPublishable) return
  if (store.findIntent(id).client_secret !== secret) throw missing('payment_intent', id, 'intent')
}

const intentOthers =
  'amount_details application_fee_amount confirm confirmation_method confirmation_token customer customer_account description error_on_requires_action excluded_payment_method_types hooks mandate mandate_data off_session on_behalf_of payment_details payment_method payment_method_configuration payment_method_data payment_method_options radar_options receipt_email return_url setup_future_usage shipping statement_descriptor statement_descriptor_suffix transfer_data transfer_group use_stripe_sdk'.split(
    ' ',
  )
const sessionOthers =
  'after_expiration allow_promotion_codes automatic_tax billing_address_collection branding_settings client_reference_id consent_collection currency custom_fields custom_text customer customer_account customer_creation customer_email customer_update discounts excluded_payment_method_types integration_identifier invoice_creation locale managed_payments name_collection optional_items origin_context payment_method_collection payment_method_configuration payment_method_data payment_method_options permissions phone_number_collection redirect_on_completion return_url saved_payment_method_options setup_intent_data shipping_address_collection shipping_options submit_type subscription_data tax_id_collection ui_mode wallet_options'.split(
    ' ',
  )

/** Which methods can pay. `payment_method_types` is no parameter since 2026-09-30. */
const method = { allowed_payment_method_types: ['string'] } satisfies Parameters['takes']

const captureOf = (given: Record<string, Given>): { capture_method?: string } => {
  const capture = text(given['capture_method'])
  return capture === null ? {} : { capture_method: capture }
}

const allowedOf = (given: Record<string, Given>): { allowed_payment_method_types?: string[] } => {
  const allowed = list(given['allowed_payment_method_types']).map(String)
  return allowed.length === 0 ? {} : { allowed_payment_method_types: allowed }
}

function checkCaptureMethod(given: Record<string, Given>, param = 'capture_method'): void {
  const capture = text(given['capture_method'])
  const known = ['automatic', 'automatic_async', 'manual']
  if (capture === null || known.includes(capture)) return
  throw new StripeMockError(400, `Invalid ${param}: must be one of ${known.join(', ')}`, { param })
}

/** The total of the line items. The stand-in supports no other charges. */
function totalOf(lines: Given[]): number {
  return lines.reduce<number>((sum, line) => {
    const price = object(object(line)['price_data'])
    return sum + (number(price['unit_amount']) ?? 0) * (number(object(line)['quantity']) ?? 1)
  }, 0)
}

export const endpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: /^\/v1\/payment_intents$/,
    parameters: {
      takes: {
        amount: 'integer',
        currency: 'string',
        automatic_payment_methods: { enabled: 'boolean', allow_redirects: 'string' },
        ...method,
        capture_method: 'string',
        metadata: 'map',
        ...expand,
      },
      required: ['amount', 'currency'],
      others: intentOthers,
    },
    check: ({ given }) => {
      checkAmount(Number(given['amount']))
      if (given['currency'] !== 'usd') {
        throw new StripeMockError(400, `Invalid currency: ${String(given['currency'])}.`, {
          param: 'currency',
        })
      }
      checkCaptureMethod(given)
    },
    run: (store, { given }) =>
      store.createIntent({
        amount: Number(given['amount']),
        currency: String(given['currency']),
        metadata: strings(given['metadata']),
        ...captureOf(given),
        ...allowedOf(given),
      }),
  },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents\/(\w+)$/,
    parameters: { takes: { client_secret: 'string', ...expand } },
    publishable: true,
    run: (store, call) => {
      checkSecret(store, call)
      return store.findIntent(call.id)
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents\/(\w+)\/confirm$/,
    parameters: {
      takes: { client_secret: 'string', payment_method: 'string', return_url: 'string', ...expand },
      required: ['payment_method'],
      others: intentOthers,
    },
    publishable: true,
    check: ({ given }) => {
      if (given['return_url'] !== undefined) return
      throw new StripeMockError(
        400,
        'This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`.',
      )
    },
    run: (store, call) => {
      checkSecret(store, call)
      return store.confirmIntent(
        call.id,
        String(call.given['payment_method']),
        text(call.given['return_url']),
      )
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents\/(\w+)\/cancel$/,
    parameters: { takes: { cancellation_reason: 'string', ...expand } },
    check: ({ given }) => {
      const reason = text(given['cancellation_reason'])
      const known = ['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']
      if (reason === null || known.includes(reason)) return
      throw new StripeMockError(400, `Invalid cancellation_reason: must be one of ${known.join(', ')}`, {
        param: 'cancellation_reason',
      })
    },
    run: (store, { id, given }) => store.cancelIntent(id, text(given['cancellation_reason'])),
  },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents\/(\w+)\/capture$/,
    parameters: {
      takes: { amount_to_capture: 'integer', ...expand },
      others:
        'amount_details application_fee_amount final_capture hooks metadata payment_details statement_descriptor statement_descriptor_suffix transfer_data'.split(
          ' ',
        ),
    },
    run: (store, { id, given }) => store.captureIntent(id, number(given['amount_to_capture'])),
  },
  {
    method: 'POST',
    path: /^\/v1\/refunds$/,
    parameters: {
      takes: { payment_intent: 'string', amount: 'integer', reason: 'string', metadata: 'map', ...expand },
      required: ['payment_intent'],
      others: [
        'charge',
        'currency',
        'customer',
        'instructions_email',
        'origin',
        'refund_application_fee',
        'reverse_transfer',
      ],
    },
    run: (store, { given }) =>
      store.createRefund({
        payment_intent: String(given['payment_intent']),
        amount: number(given['amount']),
        metadata: strings(given['metadata']),
        reason: text(given['reason']),
      }),
  },
  {
    method: 'GET',
    path: /^\/v1\/refunds\/(\w+)$/,
    parameters: { takes: expand },
    run: (store, { id }) => {
      const refund = store.refunds.get(id)
      if (!refund) throw missing('refund', id)
      return refund
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/refunds$/,
    parameters: {
      takes: { payment_intent: 'string', limit: 'integer', ...expand },
      others: ['charge', 'created', 'ending_before', 'starting_after'],
    },
    run: (store, { given }) => {
      const data = [...store.refunds.values()]
        .filter(({ payment_intent }) => payment_intent === (text(given['payment_intent']) ?? payment_intent))
        .toReversed()
      const limit = number(given['limit']) ?? 10
      return {
        object: 'list',
        url: '/v1/refunds',
        has_more: data.length > limit,
        data: data.slice(0, limit),
      }
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions$/,
    parameters: {
      takes: {
        mode: 'string',
        line_items: [
          {
            quantity: 'integer',
            price_data: { currency: 'string', unit_amount: 'integer', product_data: { name: 'string' } },
          },
        ],
        adaptive_pricing: { enabled: 'boolean' },
        metadata: 'map',
        ...method,
        payment_intent_data: { capture_method: 'string', metadata: 'map' },
        success_url: 'string',
        cancel_url: 'string',
        expires_at: 'integer',
        ...expand,
      },
      required: ['mode', 'line_items', 'success_url'],
      others: sessionOthers,
    },
    check: ({ given, now }) => {
      checkAmount(totalOf(list(given['line_items'])), 'line_items')
      checkCaptureMethod(object(given['payment_intent_data']), 'payment_intent_data[capture_method]')
      const ahead = (number(given['expires_at']) ?? now.getTime() / 1000 + 3600) - now.getTime() / 1000
      // https://docs.stripe.com/payments/checkout/managing-limited-inventory
      if (ahead < 30 * 60 || ahead > 24 * 3600) {
        throw new StripeMockError(
          400,
          'The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from Checkout Session creation.',
          { param: 'expires_at' },
        )
      }
    },
    run: (store, { given }) => {
      const { line_items: lines, payment_intent_data: data, expand: _, ...params } = given
      const fields = { ...params, metadata: strings(given['metadata']), amount_total: totalOf(list(lines)) }
      const intent = { metadata: strings(object(data)['metadata']), ...captureOf(object(data)) }
      return store.createSession(fields, { ...intent, ...allowedOf(given) })
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/checkout\/sessions\/(\w+)$/,
    parameters: { takes: expand },
    run: (store, { id }) => store.findSession(id),
  },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions\/(\w+)\/expire$/,
    parameters: { takes: expand },
    run: (store, { id }) => store.expireSession(id),
  },
]
