import { createPaymentIntent, newAdmin, newBuyer } from '#tests/support/buyer.ts'
import { verifyShop, readOrders, runVerifiers } from './verify-shop.ts'
import { newJournal, type Fault } from './journal.ts'
import { addTestProduct } from './site.ts'
import { openStripe } from './stripe-provider.ts'

const customers = 16
/**
 * A paid checkout without an order is processed within this time (contract, "Payment and orders").
 */
const foundLimitMs = 120_000

/**
 * No browser returns from paying, so the shop depends on Stripe's webhooks. Each arrives three
 * times in any order, and for one payment in ten none arrives.
 */
export const webhooks: Fault = async (site, times, { isShort }) => {
  const journal = newJournal()
  const provider = await openStripe({ undeliveredOneIn: 10 })
  const { stripe, confirm, isUndelivered, readPayments } = provider
  // The production value in the long form, which has the time to wait for it.
  const reconcileSeconds = isShort ? '2' : '30'
  const env = { ...provider.env, CHECKOUT_HOLD_SECONDS: '900', RECONCILE_SECONDS: reconcileSeconds }
  const shop = await site.start({ env })
  const { origin } = shop
  try {
    provider.connect(origin)
    const variants = await addTestProduct(origin, [times * 3, times * 3, times * 3])
    const paidAt = new Map<string, number>()
    await Promise.all(
      Array.from({ length: customers }, async (_, i) => {
        const buyer = await newBuyer(origin, `webhooks-${Date.now()}-${i}`)
        for (let trial = i; trial < times; trial += customers) {
          const items = variants.map((productVariantId) => ({ productVariantId, quantity: 1 + (trial % 3) }))
          const { clientSecret, paymentId } = await createPaymentIntent(buyer, items.slice(trial % 2))
          if (!confirm(clientSecret)) journal.findings.push(`payment ${paymentId} was canceled`)
          journal.paid.add(paymentId)
          paidAt.set(paymentId, Date.now())
        }
        buyer.close()
      }),
    )
    await stripe.webhooks.settled()
    const findings = await verifyShop({ origin, journal, variants, readPayments }, foundLimitMs)
    const admin = await newAdmin(origin)
    const orders = await readOrders(admin)
    admin.close()
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
