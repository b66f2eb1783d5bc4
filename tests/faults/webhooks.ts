import { createPaymentIntent, newBuyer } from '#tests/support/buyer.ts'
import { startStripe, type StripeServer } from '#tests/mocks/stripe/server.ts'
import { stripeKeys } from '#tests/mocks/stripe/stand-in.ts'
import { verifyShop, readOrders, runVerifiers } from './verify-shop.ts'
import { newJournal, type Fault } from './journal.ts'
import type { RecordedPayment } from './provider-records.ts'
import { addTestProduct } from './site.ts'

const customers = 16
/**
 * A paid checkout without an order is processed within this time (contract, "Payment and orders").
 */
const foundLimitMs = 120_000
const shuffleMs = 400

/** The environment of a shop with this Stripe. */
const stripeEnv = (stripe: StripeServer): Record<string, string> => ({
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: stripeKeys.secret,
  STRIPE_PUBLISHABLE_KEY: stripeKeys.publishable,
  STRIPE_WEBHOOK_SECRET: stripeKeys.webhook,
  STRIPE_API_URL: stripe.origin,
})

/** One payment in ten gets no webhook. */
const isUndelivered = (paymentId: string): boolean => Number.parseInt(paymentId.slice(-3), 36) % 10 === 0

const listPayments = ({ store }: StripeServer): RecordedPayment[] =>
  [...store.intents.values()].map(({ id, status, amount, latest_charge }) => ({
    id,
    status,
    amountCents: amount,
    refundedCents: store.charges.get(latest_charge ?? '')?.amount_refunded ?? 0,
  }))

/**
 * No browser returns from paying, so the shop depends on Stripe's webhooks. Each arrives three
 * times in any order, and for one payment in ten none arrives.
 */
export const webhooks: Fault = async (site, times, { isShort }) => {
  const journal = newJournal()
  const stripe = await startStripe()
  // The production value in the long form, which has the time to wait for it.
  const reconcileSeconds = isShort ? '2' : '30'
  const env = { ...stripeEnv(stripe), CHECKOUT_HOLD_SECONDS: '900', RECONCILE_SECONDS: reconcileSeconds }
  const shop = await site.start({ env })
  const { origin } = shop
  try {
    stripe.webhooks.connect({
      url: `${origin}/webhooks/stripe`,
      secrets: [stripeKeys.webhook],
      times: 3,
      shuffleMs,
      retries: 3,
      drop: ({ data }) => isUndelivered(String(data.object['payment_intent'] ?? data.object['id'])),
    })
    const variants = await addTestProduct(origin, [times * 3, times * 3, times * 3])
    const paidAt = new Map<string, number>()
    await Promise.all(
      Array.from({ length: customers }, async (_, i) => {
        const buyer = await newBuyer(origin, `webhooks-${Date.now()}-${i}`)
        for (let trial = i; trial < times; trial += customers) {
          const items = variants.map((productVariantId) => ({ productVariantId, quantity: 1 + (trial % 3) }))
          const { clientSecret, paymentId } = await createPaymentIntent(buyer, items.slice(trial % 2))
          await stripe.confirm(clientSecret)
          journal.paid.add(paymentId)
          paidAt.set(paymentId, Date.now())
        }
        buyer.close()
      }),
    )
    await stripe.webhooks.settled()
    const readPayments = async () => listPayments(stripe)
    const findings = await verifyShop({ origin, journal, variants, readPayments }, foundLimitMs)
    const orders = await readOrders(origin)
    const waits = orders.map(({ stripePaymentId, createdAt }) => ({
      isUndelivered: isUndelivered(stripePaymentId),
      ms: Date.parse(createdAt) - (paidAt.get(stripePaymentId) ?? 0),
    }))
    const undelivered = waits.filter((wait) => wait.isUndelivered).map(({ ms }) => ms)
    const slowestUnheardMs = Math.max(0, ...undelivered)
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
        undelivered: undelivered.length,
        slowestUnheardMs,
      },
    }
  } finally {
    await shop.stop()
    await stripe.close()
  }
}
