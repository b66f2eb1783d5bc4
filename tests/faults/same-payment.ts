import { createPaymentIntent, newBuyer, orderSchema, pay, sameSession } from '#tests/support/buyer.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyShop, runVerifiers } from './verify-shop.ts'
import { newJournal, type Fault, type Journal } from './journal.ts'
import { readDemoPayments } from './provider-records.ts'
import { addTestProduct } from './site.ts'

const concurrency = 50

/** One payment is finalized fifty times at once, at two processes: one order, returned to all. */
export const samePayment: Fault = async (site, times) => {
  const journal = newJournal()
  const shops = [await site.start(), await site.start()]
  const origins = shops.map(({ origin }) => origin)
  const [origin = ''] = origins
  const variants = await addTestProduct(origin, [times * 2, times * 2])
  const buyer = await newBuyer(origin, `same-${Date.now()}`)
  const clients = Array.from({ length: concurrency }, (_, i) => sameSession(buyer, origins[i % 2] ?? origin))
  let made = 0
  for (let trial = 0; trial < times; trial++) {
    const intent = await createPaymentIntent(
      buyer,
      variants.map((productVariantId) => ({ productVariantId, quantity: 1 })),
    )
    await pay(buyer, intent)
    journal.paid.add(intent.paymentId)
    const replies = await Promise.all(clients.map((door) => placeOrderOf(door, intent, journal)))
    const ids = new Set(replies.map(({ id }) => id))
    const created = replies.filter(({ status }) => status === 201).length
    if (ids.size !== 1 || created !== 1) {
      journal.findings.push(`payment ${intent.paymentId} became ${ids.size} orders, made ${created} times`)
    }
    for (const id of ids) journal.orders.set(id, { paymentId: intent.paymentId, total: intent.total })
    made += ids.size
  }
  const readPayments = () => readDemoPayments(site.url)
  const findings = await verifyShop({ origin, journal, variants, readPayments })
  findings.push(...(await runVerifiers(site.url)))
  for (const client of [buyer, ...clients]) client.close()
  await Promise.all(shops.map((shop) => shop.stop()))
  return {
    trials: times,
    findings,
    facts: { orders: made, retried: journal.rejected.get('503') ?? 0 },
  }
}

/** Retries until the shop returns the order: it may answer 503. */
async function placeOrderOf(
  door: PlainClient,
  { paymentId, total }: { paymentId: string; total: string },
  journal: Journal,
): Promise<{ status: number; id: string }> {
  for (;;) {
    const { status, body } = await door.send('POST', '/api/orders', {
      json: { stripePaymentId: paymentId, total },
    })
    if (status === 200 || status === 201) return { status, id: orderSchema.parse(JSON.parse(body)).id }
    if (status !== 503) {
      journal.findings.push(`orders was answered ${status}: ${body.slice(0, 200)}`)
      return { status, id: `none (${status})` }
    }
    journal.rejected.set('503', (journal.rejected.get('503') ?? 0) + 1)
    await sleep(50)
  }
}
