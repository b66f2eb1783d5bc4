import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import type { Stripe } from 'stripe'
import type { PaymentsEnv } from '../../env.ts'
import { isPaid, type HostedSession, type NewPayment, type Payment, type Payments } from './payments.ts'
import {
  callStripe,
  isMissing,
  isRejected,
  isReplay,
  isServerError,
  openStripe,
  toUnavailable,
  withKey,
} from './stripe-client.ts'
import { readStripeEvent } from './stripe-events.ts'
import { captureIntent, voidIntent } from './stripe-holds.ts'
import { countRefunds, mayCountRelease, toPayment, toRefund, toSession } from './stripe-objects.ts'

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
 * Manual capture is for cards only: they have one known window
 * (https://docs.stripe.com/payments/place-a-hold-on-a-payment-method). The same parameters apply to
 * intents and pages.
 */
const allowedMethods = {
  automatic: {},
  manual: { allowed_payment_method_types: ['card'] },
} satisfies Record<NewPayment['capture'], Stripe.Checkout.SessionCreateParams>
const captureMethod = {
  automatic: {},
  manual: { capture_method: 'manual' },
} satisfies Record<NewPayment['capture'], Partial<Stripe.PaymentIntentCreateParams>>

/**
 * Stripe (https://docs.stripe.com/api). A hosted page's payment is canceled by expiring its page.
 */
export function stripePayments(env: Extract<PaymentsEnv, { kind: 'stripe' }>): Payments {
  const stripe = openStripe(env.secretKey, env.apiUrl)
  const { sessions } = stripe.checkout

  const listRefunds = async (paymentId: string): Promise<Stripe.Refund[]> => {
    const filter = { payment_intent: paymentId, limit: 100 }
    return (await callStripe((options) => stripe.refunds.list(filter, options))).data
  }
  const retrievePayment = async (id: string): Promise<Payment> => {
    const payment = toPayment(
      await callStripe((options) => stripe.paymentIntents.retrieve(id, expandCharge, options)),
    )
    if (!mayCountRelease(payment)) return payment
    return { ...payment, refundedCents: countRefunds(payment, await listRefunds(id)) }
  }
  const retrieveSession = async (id: string): Promise<HostedSession> =>
    toSession(await callStripe((options) => sessions.retrieve(id, {}, options)))

  /** Finds a refund by its key when Stripe has forgotten the key or replays a failure for it. */
  const findRefund = async (paymentId: string, key: string): Promise<Stripe.Refund | null> =>
    (await listRefunds(paymentId)).find(({ metadata }) => metadata?.['key'] === key) ?? null

  return {
    kind: 'stripe',
    publishableKey: env.publishableKey,

    createPayment: ({ checkoutId, amountCents, capture }) =>
      withPaymentErrors(async () => {
        const params = {
          amount: amountCents,
          currency: 'usd',
          automatic_payment_methods: { enabled: true },
          ...allowedMethods[capture],
          ...captureMethod[capture],
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
          // Stripe cannot cancel only what is unpaid: its call would void an authorization. What is
          // settled needs no second call, which a slow Stripe would take seconds to reject.
          const payment = await retrievePayment(id)
          if (isPaid(payment) || payment.status === 'canceled') return payment
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

    capturePayment: (capture) => withUnavailable(() => captureIntent(stripe, capture, retrievePayment)),
    voidPayment: (payment) => withUnavailable(() => voidIntent(stripe, payment, retrievePayment)),

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

async function withUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toUnavailable(error)
  }
}

/**
 * Like `withUnavailable` for new payments. Throws INVALID (items) when no card can pay the amount.
 */
async function withPaymentErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isRejected(error) && amountCodes.has(error.code ?? '')) {
      throw new AppError('INVALID', undefined, { fields: { items: amountMessage } })
    }
    throw toUnavailable(error)
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

const toSessionParams = (
  { checkoutId, amountCents, capture }: NewPayment,
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
  ...allowedMethods[capture],
  payment_intent_data: { ...captureMethod[capture], metadata: { checkout: checkoutId } },
  success_url: successUrl,
  cancel_url: cancelUrl,
  expires_at: Math.ceil((expiresAt.getTime() + sessionGraceMs) / 1000),
})
