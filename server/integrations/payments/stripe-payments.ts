import { checkoutMessages } from '#domain/checkout/checkout-messages.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import type { Stripe } from 'stripe'
import type { PaymentsEnv } from '../../env.ts'
import type { HostedSession, NewPayment, Payment, Payments, PaymentStatus, Refund } from './payments.ts'
import {
  callStripe,
  isMissing,
  isRejected,
  isReplay,
  openStripe,
  toUnavailable,
  type CallOptions,
} from './stripe-client.ts'
import { readStripeEvent } from './stripe-events.ts'

/** https://docs.stripe.com/payments/paymentintents/lifecycle */
const statuses: Readonly<Record<string, PaymentStatus>> = {
  requires_payment_method: 'unpaid',
  requires_confirmation: 'unpaid',
  requires_action: 'requires_action',
  processing: 'processing',
  requires_capture: 'processing',
  succeeded: 'succeeded',
  canceled: 'canceled',
}

/**
 * Stripe requires a page to stay open for at least 30 minutes. The shop expires it when the hold
 * ends; this is only the fallback. It depends on the hold alone, because a repeated call under one
 * idempotency key must have the same parameters.
 */
const sessionGraceMs = 31 * 60_000

/** Cards (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const amountCodes = new Set(['amount_too_small', 'amount_too_large'])
const amountMessage = 'A card payment must be between $0.50 and $999,999.99.'

const expandCharge = { expand: ['latest_charge'] }

/**
 * Stripe (https://docs.stripe.com/api). A hosted page's payment is canceled by expiring its page.
 */
export function stripePayments(env: Extract<PaymentsEnv, { kind: 'stripe' }>): Payments {
  const stripe = openStripe(env.secretKey, env.apiUrl)
  const { sessions } = stripe.checkout

  const retrievePayment = async (id: string): Promise<Payment> =>
    toPayment(await callStripe((options) => stripe.paymentIntents.retrieve(id, expandCharge, options)))
  const retrieveSession = async (id: string): Promise<HostedSession> =>
    toSession(await callStripe((options) => sessions.retrieve(id, {}, options)))

  /** Finds a refund by its key when Stripe has forgotten the key or replays a failure for it. */
  const findRefund = async (paymentId: string, key: string): Promise<Stripe.Refund | null> => {
    const filter = { payment_intent: paymentId, limit: 100 }
    const { data } = await callStripe((options) => stripe.refunds.list(filter, options))
    return data.find(({ metadata }) => metadata?.['key'] === key) ?? null
  }

  return {
    kind: 'stripe',
    publishableKey: env.publishableKey,

    createPayment: ({ checkoutId, amountCents }) =>
      withPaymentErrors(async () => {
        const params = {
          amount: amountCents,
          currency: 'usd',
          automatic_payment_methods: { enabled: true },
          metadata: { checkout: checkoutId },
        }
        const intent = await callStripe((options) =>
          stripe.paymentIntents.create(params, withKey(`${checkoutId}:intent`, options)),
        )
        return isReplay(intent) ? retrievePayment(intent.id) : toPayment(intent)
      }),

    findPayment: (id) => findById(id, 'pi_', retrievePayment),

    cancelPayment: (id) =>
      withUnavailable(async () => {
        // A new key per call: Stripe would replay an earlier rejection under a fixed key, even when
        // the payment can be canceled by now.
        const key = `${id}:cancel:${newId()}`
        try {
          return toPayment(
            await callStripe((options) =>
              stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' }, withKey(key, options)),
            ),
          )
        } catch (error) {
          if (isMissing(error)) throw new AppError('NOT_FOUND', 'Payment not found')
          if (isRejected(error)) return retrievePayment(id)
          throw error
        }
      }),

    hosted: {
      createSession: ({ checkoutId, amountCents, capture, successUrl, cancelUrl, expiresAt }) =>
        withPaymentErrors(async () => {
          const session = await callStripe((options) =>
            sessions.create(
              toSessionParams({ checkoutId, amountCents, capture }, { successUrl, cancelUrl, expiresAt }),
              withKey(`${checkoutId}:session`, options),
            ),
          )
          return isReplay(session) ? retrieveSession(session.id) : toSession(session)
        }),
      findSession: (id) => findById(id, 'cs_', retrieveSession),
      expireSession: (id) =>
        withUnavailable(async () => {
          try {
            return toSession(
              await callStripe((options) =>
                sessions.expire(id, {}, withKey(`${id}:expire:${newId()}`, options)),
              ),
            )
          } catch (error) {
            if (isMissing(error)) throw new AppError('NOT_FOUND', 'Payment page not found')
            if (isRejected(error)) return retrieveSession(id)
            throw error
          }
        }),
    },

    capturePayment: () => Promise.reject(new Error('not yet')),
    voidPayment: () => Promise.reject(new Error('not yet')),

    refund: ({ paymentId, amountCents, key, isRetry = false }) =>
      withUnavailable(async () => {
        // Stripe forgets a key after a day: a retry could refund a part of the payment twice.
        const earlier = isRetry ? await findRefund(paymentId, key) : null
        if (earlier) return toRefund(earlier)
        const params = { payment_intent: paymentId, amount: amountCents, metadata: { key } }
        try {
          const refund = await callStripe((options) => stripe.refunds.create(params, withKey(key, options)))
          if (!isReplay(refund)) return toRefund(refund)
          return toRefund(await callStripe((options) => stripe.refunds.retrieve(refund.id, {}, options)))
        } catch (error) {
          const wasAnswered = isRejected(error) || isServerError(error)
          const existing = wasAnswered ? await findRefund(paymentId, key) : null
          if (existing) return toRefund(existing)
          if (isRejected(error)) return { id: null, status: 'failed' }
          throw error
        }
      }),

    readEvent: (rawBody, signature, now) =>
      readStripeEvent(stripe, { rawBody, signature, secret: env.webhookSecret, now }),
  }
}

const withKey = (idempotencyKey: string, options: CallOptions): Stripe.RequestOptions => ({
  ...options,
  idempotencyKey,
})

async function withUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toUnavailable(error)
  }
}

/**
 * Like `withUnavailable` for new payments, with the documented message. Throws INVALID (items) when
 * no card can pay the amount.
 */
async function withPaymentErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isRejected(error) && amountCodes.has(error.code ?? '')) {
      throw new AppError('INVALID', undefined, { fields: { items: amountMessage } })
    }
    throw toUnavailable(error, checkoutMessages.cannotStart)
  }
}

/** Null for an unknown id, and for a text that is not an id of this kind. */
async function findById<T>(
  id: string,
  prefix: string,
  retrieve: (id: string) => Promise<T>,
): Promise<T | null> {
  if (!id.startsWith(prefix) || !/^\w{4,255}$/.test(id)) return null
  return withUnavailable(async () => {
    try {
      return await retrieve(id)
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  })
}

const isServerError = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && Number(error.statusCode) >= 500

const toSessionParams = (
  { checkoutId, amountCents }: NewPayment,
  { successUrl, cancelUrl, expiresAt }: { successUrl: string; cancelUrl: string; expiresAt: Date },
): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  line_items: [
    {
      quantity: 1,
      price_data: { currency: 'usd', unit_amount: amountCents, product_data: { name: 'Order at Meridian' } },
    },
  ],
  // The customer pays the amount that the shop showed: no local currencies.
  adaptive_pricing: { enabled: false },
  metadata: { checkout: checkoutId },
  payment_intent_data: { metadata: { checkout: checkoutId } },
  success_url: successUrl,
  cancel_url: cancelUrl,
  expires_at: Math.ceil((expiresAt.getTime() + sessionGraceMs) / 1000),
})

function toPayment(intent: Stripe.PaymentIntent): Payment {
  const charge = typeof intent.latest_charge === 'string' ? null : intent.latest_charge
  return {
    id: intent.id,
    // A status that Stripe adds later counts as pending.
    status: statuses[intent.status] ?? 'processing',
    amountCents: intent.amount,
    capturedCents: intent.amount_received,
    captureBefore: null,
    refundedCents: charge?.amount_refunded ?? 0,
    clientSecret: intent.client_secret ?? '',
    checkoutId: intent.metadata['checkout'] ?? null,
  }
}

const toSession = ({
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
const toRefund = ({ id, status }: Stripe.Refund): Refund => ({
  id,
  status:
    status === 'succeeded'
      ? 'succeeded'
      : status === 'failed' || status === 'canceled'
        ? 'failed'
        : 'pending',
})
