import { checkoutWords } from '#domain/checkout/checkout-messages.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import type { Stripe } from 'stripe'
import type { PaymentsEnv } from '../../env.ts'
import type { HostedSession, NewPayment, Payment, Payments, PaymentStatus, Refund } from './payments.ts'
import {
  askStripe,
  isMissing,
  isRefused,
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
 * Stripe takes a page for half an hour at least from now; ours is closed when the hold ends, so this is for the day on which nobody closes it. It depends
 * on the hold alone, because a key's second call must say the same as its first.
 */
const sessionGraceMs = 31 * 60_000

/** Cards (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const amountCodes = new Set(['amount_too_small', 'amount_too_large'])
const amountSentence = 'A card can pay from $0.50 to $999,999.99 at once.'

const withRefunds = { expand: ['latest_charge'] }

/** Stripe (https://docs.stripe.com/api). A payment of a hosted page is not cancelled by itself: its page is closed. */
export function stripePayments(env: Extract<PaymentsEnv, { kind: 'stripe' }>): Payments {
  const stripe = openStripe(env.secretKey, env.apiUrl)
  const { sessions } = stripe.checkout

  const retrievePayment = async (id: string): Promise<Payment> =>
    toPayment(await askStripe((options) => stripe.paymentIntents.retrieve(id, withRefunds, options)))
  const retrieveSession = async (id: string): Promise<HostedSession> =>
    toSession(await askStripe((options) => sessions.retrieve(id, {}, options)))

  /** The refund that was given under a key which Stripe keeps no longer, or under which it repeats a failure. */
  const findRefund = async (paymentId: string, key: string): Promise<Stripe.Refund | null> => {
    const filter = { payment_intent: paymentId, limit: 100 }
    const { data } = await askStripe((options) => stripe.refunds.list(filter, options))
    return data.find(({ metadata }) => metadata?.['key'] === key) ?? null
  }

  return {
    kind: 'stripe',
    publishableKey: env.publishableKey,

    createPayment: ({ checkoutId, amountCents }) =>
      starting(async () => {
        const wanted = {
          amount: amountCents,
          currency: 'usd',
          automatic_payment_methods: { enabled: true },
          metadata: { checkout: checkoutId },
        }
        const intent = await askStripe((options) =>
          stripe.paymentIntents.create(wanted, under(`${checkoutId}:intent`, options)),
        )
        return isReplay(intent) ? retrievePayment(intent.id) : toPayment(intent)
      }),

    findPayment: (id) => findOne(id, 'pi_', retrievePayment),

    cancelPayment: (id) =>
      orUnavailable(async () => {
        // A key of this call alone: a refusal, kept under one that is always the same, would be repeated when nothing stands in the way any more.
        const key = `${id}:cancel:${newId()}`
        try {
          return toPayment(
            await askStripe((options) =>
              stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' }, under(key, options)),
            ),
          )
        } catch (error) {
          if (isMissing(error)) throw new AppError('NOT_FOUND', 'There is no such payment.')
          if (isRefused(error)) return retrievePayment(id)
          throw error
        }
      }),

    hosted: {
      createSession: ({ checkoutId, amountCents, successUrl, cancelUrl, expiresAt }) =>
        starting(async () => {
          const session = await askStripe((options) =>
            sessions.create(
              sessionOf({ checkoutId, amountCents }, { successUrl, cancelUrl, expiresAt }),
              under(`${checkoutId}:session`, options),
            ),
          )
          return isReplay(session) ? retrieveSession(session.id) : toSession(session)
        }),
      findSession: (id) => findOne(id, 'cs_', retrieveSession),
      expireSession: (id) =>
        orUnavailable(async () => {
          try {
            return toSession(
              await askStripe((options) =>
                sessions.expire(id, {}, under(`${id}:expire:${newId()}`, options)),
              ),
            )
          } catch (error) {
            if (isMissing(error)) throw new AppError('NOT_FOUND', 'There is no such page.')
            if (isRefused(error)) return retrieveSession(id)
            throw error
          }
        }),
    },

    refund: ({ paymentId, amountCents, key, isRetry = false }) =>
      orUnavailable(async () => {
        // A part of a payment could be given twice, once its key is forgotten after a day.
        const before = isRetry ? await findRefund(paymentId, key) : null
        if (before) return toRefund(before)
        const wanted = { payment_intent: paymentId, amount: amountCents, metadata: { key } }
        try {
          const refund = await askStripe((options) => stripe.refunds.create(wanted, under(key, options)))
          if (!isReplay(refund)) return toRefund(refund)
          return toRefund(await askStripe((options) => stripe.refunds.retrieve(refund.id, {}, options)))
        } catch (error) {
          const isAnswer = isRefused(error) || isServerError(error)
          const given = isAnswer ? await findRefund(paymentId, key) : null
          if (given) return toRefund(given)
          if (isRefused(error)) return { id: null, status: 'failed' }
          throw error
        }
      }),

    readEvent: (rawBody, signature, now) =>
      readStripeEvent(stripe, { rawBody, signature, secret: env.webhookSecret, now }),
  }
}

const under = (idempotencyKey: string, options: CallOptions): Stripe.RequestOptions => ({
  ...options,
  idempotencyKey,
})

async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toUnavailable(error)
  }
}

/** The same for what begins a payment, with the documented words. Throws INVALID (items) for an amount that no card pays. */
async function starting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isRefused(error) && amountCodes.has(error.code ?? '')) {
      throw new AppError('INVALID', undefined, { fields: { items: amountSentence } })
    }
    throw toUnavailable(error, checkoutWords.cannotStart)
  }
}

/** Null for what Stripe does not know, and for what is no id of this kind at all. */
async function findOne<T>(
  id: string,
  prefix: string,
  retrieve: (id: string) => Promise<T>,
): Promise<T | null> {
  if (!id.startsWith(prefix) || !/^\w{4,255}$/.test(id)) return null
  return orUnavailable(async () => {
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

const sessionOf = (
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
  // What is shown is what is paid: no prices in the currency of the customer's country.
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
    // One that Stripe adds is neither paid nor refused for us.
    status: statuses[intent.status] ?? 'processing',
    amountCents: intent.amount,
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

/** `requires_action` waits for the customer, as Stripe does: it is under way. */
const toRefund = ({ id, status }: Stripe.Refund): Refund => ({
  id,
  status:
    status === 'succeeded'
      ? 'succeeded'
      : status === 'failed' || status === 'canceled'
        ? 'failed'
        : 'pending',
})
