import { beginCheckout, newBuyer } from '#tests/support/buyer.ts'
import { startStripe, type StripeServer } from '#tests/mocks/stripe/server.ts'
import { stripeKeys } from '#tests/mocks/stripe/stand-in.ts'
import { checkBooks, readOrders, runVerifiers } from './verify-shop.ts'
import { newJournal, type Fault } from './journal.ts'
import type { BookedPayment } from './provider-records.ts'
import { stockShelf } from './site.ts'

const customers = 16
/** Documented (contract, "Payment and orders"): a paid checkout without an order is taken within this time. */
const foundLimitMs = 120_000
const shuffleMs = 400

/** The environment of a shop that takes its payments there. */
const stripeEnv = (stripe: StripeServer): Record<string, string> => ({
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: stripeKeys.secret,
  STRIPE_PUBLISHABLE_KEY: stripeKeys.publishable,
  STRIPE_WEBHOOK_SECRET: stripeKeys.webhook,
  STRIPE_API_URL: stripe.origin,
})

/** Of one payment in ten nothing is ever told. */
const isUnheard = (paymentId: string): boolean => Number.parseInt(paymentId.slice(-3), 36) % 10 === 0

const readBooks = ({ books }: StripeServer): BookedPayment[] =>
  [...books.intents.values()].map(({ id, status, amount, latest_charge }) => ({
    id,
    status,
    amountCents: amount,
    refundedCents: books.charges.get(latest_charge ?? '')?.amount_refunded ?? 0,
  }))

/**
 * Nobody's browser comes back from paying: the shop learns of it by Stripe's webhooks alone. Each comes three times and in any order,
 * and of one payment in ten none comes at all.
 */
export const webhooks: Fault = async (site, times, { isShort }) => {
  const journal = newJournal()
  const stripe = await startStripe()
  // As a shop has them, where there is the time to wait for it.
  const looking = isShort ? '2' : '30'
  const env = { ...stripeEnv(stripe), CHECKOUT_HOLD_SECONDS: '900', RECONCILE_SECONDS: looking }
  const shop = await site.start({ env })
  const { origin } = shop
  try {
    stripe.webhooks.connect({
      url: `${origin}/webhooks/stripe`,
      secrets: [stripeKeys.webhook],
      times: 3,
      shuffleMs,
      retries: 3,
      drop: ({ data }) => isUnheard(String(data.object['payment_intent'] ?? data.object['id'])),
    })
    const variants = await stockShelf(origin, [times * 3, times * 3, times * 3])
    const paidAt = new Map<string, number>()
    await Promise.all(
      Array.from({ length: customers }, async (_, i) => {
        const buyer = await newBuyer(origin, `webhooks-${Date.now()}-${i}`)
        for (let trial = i; trial < times; trial += customers) {
          const items = variants.map((productVariantId) => ({ productVariantId, quantity: 1 + (trial % 3) }))
          const { clientSecret, paymentId } = await beginCheckout(buyer, items.slice(trial % 2))
          await stripe.confirm(clientSecret)
          journal.paid.add(paymentId)
          paidAt.set(paymentId, Date.now())
        }
        buyer.close()
      }),
    )
    await stripe.webhooks.settled()
    const readPayments = async () => readBooks(stripe)
    const findings = await checkBooks({ origin, journal, variants, readPayments }, foundLimitMs)
    const orders = await readOrders(origin)
    const waits = orders.map(({ stripePaymentId, createdAt }) => ({
      isUnheard: isUnheard(stripePaymentId),
      ms: Date.parse(createdAt) - (paidAt.get(stripePaymentId) ?? 0),
    }))
    const unheard = waits.filter((wait) => wait.isUnheard).map(({ ms }) => ms)
    const slowestUnheardMs = Math.max(0, ...unheard)
    if (slowestUnheardMs > foundLimitMs)
      findings.push(`a payment was found after ${slowestUnheardMs} ms only`)
    if (orders.length !== times) findings.push(`${times} payments became ${orders.length} orders`)
    findings.push(...(await runVerifiers(site.url)))
    return {
      trials: times,
      findings,
      facts: {
        orders: orders.length,
        delivered: stripe.webhooks.deliveries.filter(({ status }) => status === 200).length,
        unheard: unheard.length,
        slowestUnheardMs,
      },
    }
  } finally {
    await shop.stop()
    await stripe.close()
  }
}
