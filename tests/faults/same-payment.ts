import { beginCheckout, newBuyer, orderSchema, pay, sameSession } from '#tests/support/buyer.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkBooks, runVerifiers } from './verify-shop.ts'
import { newJournal, type Fault, type Journal } from './journal.ts'
import { readDemoBooks } from './provider-records.ts'
import { stockShelf } from './site.ts'

const atOnce = 50

/** The same payment is taken to an order fifty times at once, at two processes of the shop: it becomes one, and all are told of it. */
export const samePayment: Fault = async (site, times) => {
  const journal = newJournal()
  const shops = [await site.start(), await site.start()]
  const origins = shops.map(({ origin }) => origin)
  const [origin = ''] = origins
  const variants = await stockShelf(origin, [times * 2, times * 2])
  const buyer = await newBuyer(origin, `same-${Date.now()}`)
  const doors = Array.from({ length: atOnce }, (_, i) => sameSession(buyer, origins[i % 2] ?? origin))
  let made = 0
  for (let trial = 0; trial < times; trial++) {
    const intent = await beginCheckout(
      buyer,
      variants.map((productVariantId) => ({ productVariantId, quantity: 1 })),
    )
    await pay(buyer, intent)
    journal.paid.add(intent.paymentId)
    const told = await Promise.all(doors.map((door) => takeToOrder(door, intent, journal)))
    const ids = new Set(told.map(({ id }) => id))
    const created = told.filter(({ status }) => status === 201).length
    if (ids.size !== 1 || created !== 1) {
      journal.findings.push(`payment ${intent.paymentId} became ${ids.size} orders, made ${created} times`)
    }
    for (const id of ids) journal.orders.set(id, { paymentId: intent.paymentId, total: intent.total })
    made += ids.size
  }
  const readPayments = () => readDemoBooks(site.url)
  const findings = await checkBooks({ origin, journal, variants, readPayments })
  findings.push(...(await runVerifiers(site.url)))
  for (const client of [buyer, ...doors]) client.close()
  await Promise.all(shops.map((shop) => shop.stop()))
  return {
    trials: times,
    findings,
    facts: { orders: made, askedAgain: journal.refused.get('503') ?? 0 },
  }
}

/** Until it is told of the order: the shop may ask to come again. */
async function takeToOrder(
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
    journal.refused.set('503', (journal.refused.get('503') ?? 0) + 1)
    await sleep(50)
  }
}
