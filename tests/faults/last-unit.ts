import { createPaymentIntent, newBuyer, pay, placeOrder, UnexpectedReplyError } from '#tests/support/buyer.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { verifyShop, runVerifiers } from './verify-shop.ts'
import { withRetries } from './customers.ts'
import { newJournal, type Fault, type Journal } from './journal.ts'
import { readDemoPayments } from './provider-records.ts'
import { addTestProduct } from './site.ts'

const buyersPerProcess = 8

/**
 * Eight customers buy the last unit of a variant at once, at two processes of the shop: one gets
 * it.
 */
export const lastUnit: Fault = async (site, times) => {
  const journal = newJournal()
  // No checkout expires during the trial: it checks that one customer gets it, not a later release.
  const env = { CHECKOUT_HOLD_SECONDS: '900' }
  const shops = [await site.start({ env }), await site.start({ env })]
  const origins = shops.map(({ origin }) => origin)
  const [origin = ''] = origins
  const variants = await addTestProduct(
    origin,
    Array.from({ length: times }, () => 1),
  )
  const buyers = await Promise.all(
    Array.from({ length: buyersPerProcess }, async (_, i) =>
      withRetries(await newBuyer(origins[i % origins.length] ?? origin, `last-${Date.now()}-${i}`), journal),
    ),
  )
  for (const variantId of variants) {
    const results = await Promise.all(buyers.map((buyer) => attemptPurchase(buyer, variantId, journal)))
    const sold = results.filter(Boolean).length
    if (sold !== 1) journal.findings.push(`${sold} got ${variantId}, of which there was one`)
  }
  const readPayments = () => readDemoPayments(site.url)
  const findings = await verifyShop({ origin, journal, variants, readPayments })
  findings.push(...(await runVerifiers(site.url)))
  for (const buyer of buyers) buyer.close()
  await Promise.all(shops.map((shop) => shop.stop()))
  return { trials: times, findings, facts: { sold: journal.orders.size } }
}

async function attemptPurchase(buyer: PlainClient, variantId: string, journal: Journal): Promise<boolean> {
  try {
    const intent = await createPaymentIntent(buyer, [{ productVariantId: variantId, quantity: 1 }])
    await pay(buyer, intent)
    journal.paid.add(intent.paymentId)
    const { id } = await placeOrder(buyer, intent)
    journal.orders.set(id, { paymentId: intent.paymentId, total: intent.total })
    return true
  } catch (error) {
    if (!(error instanceof UnexpectedReplyError)) throw error
    if (error.reply.status !== 409) journal.findings.push(error.message)
    return false
  }
}
