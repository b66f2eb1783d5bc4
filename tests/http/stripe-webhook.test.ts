import { handlePendingEvents } from '#server/jobs/handle-pending-events.ts'
import { reconcileCheckouts } from '#server/jobs/reconcile-checkouts.ts'
import { stripeKeys } from '#tests/mocks/stripe/stand-in.ts'
import { signatureOf } from '#tests/mocks/stripe/webhooks.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import {
  startPaying,
  eventText,
  jobsOf,
  openStripeShop,
  sendWebhook,
  webhookPath,
} from '#tests/support/stripe-shop.ts'
import { expect, test } from 'vitest'

const ordersOf = ({ db }: Shop) =>
  db.selectFrom('orders').select(['id', 'paymentId', 'totalCents']).orderBy('paymentId').execute()
const eventsOf = ({ db }: Shop) =>
  db.selectFrom('paymentEvents').select(['id', 'type', 'paymentId', 'handledAt']).execute()

const seconds = (): number => Math.floor(Date.now() / 1000)

eachShop((openShop) => {
  test('a webhook alone creates the order, and a late browser finds it', async () => {
    const { shop, stripe } = await openStripeShop(openShop)
    const { clientSecret, paymentId, priceCents, placeOrder } = await startPaying(shop)
    await stripe.confirm(clientSecret)
    await stripe.webhooks.settled()
    const orders = await ordersOf(shop)
    expect(orders).toEqual([{ id: expect.any(String), paymentId, totalCents: priceCents }])
    const late = await placeOrder()
    expect(late.status).toBe(200)
    expect(await late.json()).toMatchObject({ id: orders[0]?.id })
    const events = await eventsOf(shop)
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'charge.succeeded',
      'payment_intent.created',
      'payment_intent.succeeded',
    ])
    expect(events.every(({ handledAt }) => handledAt !== null)).toBe(true)
  })

  test('a webhook after the browser changes nothing', async () => {
    const { shop, stripe, connect } = await openStripeShop(openShop)
    connect({ delayMs: 300 })
    const { clientSecret, placeOrder } = await startPaying(shop)
    await stripe.confirm(clientSecret)
    expect((await placeOrder()).status).toBe(201)
    await stripe.webhooks.settled()
    expect(await ordersOf(shop)).toHaveLength(1)
    expect(stripe.webhooks.deliveries.every(({ status }) => status === 200)).toBe(true)
  })

  test('tripled and shuffled, twenty payments make twenty orders, and each event counts once', async () => {
    const { shop, stripe, connect } = await openStripeShop(openShop)
    connect({ times: 3, shuffleMs: 200 })
    const started = []
    for (let i = 0; i < 20; i++) started.push(await startPaying(shop))
    await Promise.all(started.map(({ clientSecret }) => stripe.confirm(clientSecret)))
    await stripe.webhooks.settled()
    expect((await ordersOf(shop)).map(({ paymentId }) => paymentId)).toEqual(
      started.map(({ paymentId }) => paymentId).toSorted(),
    )
    expect(stripe.webhooks.deliveries).toHaveLength(stripe.events.length * 3)
    expect(stripe.webhooks.deliveries.filter(({ status }) => status !== 200)).toEqual([])
    expect(await eventsOf(shop)).toHaveLength(stripe.events.length)
  })

  test('one event fifty times at once is handled once', async () => {
    const { shop, stripe, connect } = await openStripeShop(openShop)
    connect({ drop: () => true })
    const { clientSecret, paymentId } = await startPaying(shop)
    await stripe.confirm(clientSecret)
    const body = eventText('payment_intent.succeeded', { id: paymentId })
    const before = stripe.calls.length
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendWebhook(shop, body)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(await ordersOf(shop)).toHaveLength(1)
    expect(await eventsOf(shop)).toHaveLength(1)
    expect(stripe.calls.slice(before)).toEqual([`GET /v1/payment_intents/${paymentId}`])
  })

  test('the reconciler finds an unreported payment', async () => {
    const { shop, stripe, connect } = await openStripeShop(openShop)
    connect({ drop: () => true })
    const { clientSecret, paymentId } = await startPaying(shop)
    await stripe.confirm(clientSecret)
    await reconcileCheckouts(...jobsOf(shop, stripe, 31))
    expect(await ordersOf(shop)).toMatchObject([{ paymentId }])
  })

  test('without Stripe a webhook is 5xx, and the job handles the stored event later', async () => {
    const { shop, stripe, connect } = await openStripeShop(openShop)
    connect({ drop: () => true })
    const { clientSecret, paymentId } = await startPaying(shop)
    await stripe.confirm(clientSecret)
    const body = eventText('payment_intent.succeeded', { id: paymentId })
    stripe.fail('answer 500')
    const answer = await sendWebhook(shop, body)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await eventsOf(shop)).toMatchObject([{ handledAt: null }])
    stripe.clearFaults()
    // The process that claimed it may still be handling it.
    expect((await sendWebhook(shop, body)).status).toBe(200)
    await handlePendingEvents(...jobsOf(shop, stripe, 30))
    expect(await ordersOf(shop)).toEqual([])
    await handlePendingEvents(...jobsOf(shop, stripe, 61))
    expect(await ordersOf(shop)).toHaveLength(1)
    expect(await eventsOf(shop)).toMatchObject([{ handledAt: expect.any(Date) }])
  })

  test('when two jobs find a pending event, one handles it', async () => {
    const { shop, stripe, connect } = await openStripeShop(openShop)
    connect({ drop: () => true })
    const { clientSecret, paymentId } = await startPaying(shop)
    await stripe.confirm(clientSecret)
    stripe.fail('answer 500')
    await sendWebhook(shop, eventText('payment_intent.succeeded', { id: paymentId }))
    stripe.clearFaults()
    const before = stripe.calls.length
    await Promise.all([1, 2].map(() => handlePendingEvents(...jobsOf(shop, stripe, 61))))
    expect(stripe.calls.slice(before)).toEqual([`GET /v1/payment_intents/${paymentId}`])
    expect(await ordersOf(shop)).toHaveLength(1)
  })

  test('forged, stale, unsigned and malformed webhooks are 400 and not stored', async () => {
    const { shop } = await openStripeShop(openShop)
    const body = eventText('payment_intent.succeeded', { note: 'ünïcödé 💊' })
    const good = signatureOf(body, [stripeKeys.webhook], seconds())
    const bad: Record<string, [text: string, signature: string | null]> = {
      unsigned: [body, null],
      'an empty header': [body, ''],
      'no signature': [body, `t=${seconds()}`],
      'no time': [body, good.replace(/^t=\d+,/, '')],
      'a time that is none': [body, good.replace(/^t=\d+/, 't=soon')],
      'another secret': [body, signatureOf(body, ['whsec_other'], seconds())],
      'another scheme': [body, good.replace('v1=', 'v0=')],
      'another body': [body.replace('pi_foreign', 'pi_another'), good],
      'a space more': [`${body} `, good],
      'an earlier time with a later one in its place': [body, good.replace(/t=\d+/, `t=${seconds() + 100}`)],
      '302 s old': [body, signatureOf(body, [stripeKeys.webhook], seconds() - 302)],
      'no JSON': ['nothing', signatureOf('nothing', [stripeKeys.webhook], seconds())],
      'no event': ['{}', signatureOf('{}', [stripeKeys.webhook], seconds())],
      'a list': ['[]', signatureOf('[]', [stripeKeys.webhook], seconds())],
      empty: ['', signatureOf('', [stripeKeys.webhook], seconds())],
    }
    for (const [name, [text, signature]] of Object.entries(bad)) {
      const answer = await sendWebhook(shop, text, { signature })
      expect([name, answer.status]).toEqual([name, 400])
    }
    expect(await eventsOf(shop)).toEqual([])
    expect(shop.log.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('a signature is valid 300 s before and after its time, by the shop’s clock', async () => {
    let now = new Date()
    const { shop } = await openStripeShop(openShop, { now: () => now })
    const signedAt = Math.floor(now.getTime() / 1000)
    const statusAfter = async (age: number): Promise<number> => {
      now = new Date((signedAt + age) * 1000)
      const body = eventText('product.created')
      const signature = signatureOf(body, [stripeKeys.webhook], signedAt)
      return (await sendWebhook(shop, body, { signature })).status
    }
    expect([await statusAfter(299), await statusAfter(300), await statusAfter(301)]).toEqual([200, 200, 400])
    // The shop's clock can be behind Stripe's.
    expect([await statusAfter(-300), await statusAfter(-301)]).toEqual([200, 400])
  })

  test('a signed webhook with any characters is accepted, also while the secret is replaced', async () => {
    const { shop } = await openStripeShop(openShop)
    const bodies = [
      eventText('product.created', { name: 'ünïcödé 💊   \\u0000' }),
      // Stripe writes its events with line breaks.
      JSON.stringify(JSON.parse(eventText('product.created')), null, 2),
    ]
    for (const body of bodies) {
      const rotated = signatureOf(body, ['whsec_next', stripeKeys.webhook], seconds())
      expect((await sendWebhook(shop, body, { signature: rotated })).status).toBe(200)
    }
    expect(await eventsOf(shop)).toHaveLength(2)
  })

  test('other shops’ payments and unknown events are stored, handled and change nothing', async () => {
    const { shop, stripe } = await openStripeShop(openShop)
    const foreign = stripe.store.createIntent({ amount: 5000, currency: 'usd', metadata: {} })
    await stripe.confirm(foreign.client_secret)
    await stripe.webhooks.settled()
    expect((await sendWebhook(shop, eventText('payment_intent.succeeded'))).status).toBe(200)
    expect((await sendWebhook(shop, eventText('never.heard.of', { object: 'thing', id: null }))).status).toBe(
      200,
    )
    const events = await eventsOf(shop)
    expect(events).toHaveLength(5)
    expect(events.filter(({ handledAt }) => handledAt === null)).toEqual([])
    expect(await ordersOf(shop)).toEqual([])
  })

  test('a payment reported as succeeded that is not creates no order', async () => {
    const { shop, stripe } = await openStripeShop(openShop)
    const { paymentId } = await startPaying(shop)
    await stripe.webhooks.settled()
    const reported = eventText('payment_intent.succeeded', { id: paymentId, status: 'succeeded' })
    expect((await sendWebhook(shop, reported)).status).toBe(200)
    expect(await ordersOf(shop)).toEqual([])
  })

  test('a failed refund and a dispute are logged for an admin', async () => {
    const { shop, stripe } = await openStripeShop(openShop)
    const { clientSecret, paymentId } = await startPaying(shop)
    await stripe.confirm(clientSecret)
    stripe.store.dispute(paymentId)
    await stripe.webhooks.settled()
    expect(shop.log).toContainEqual(
      expect.objectContaining({ level: 'error', type: 'charge.dispute.created', paymentId }),
    )
  })

  test('the webhook accepts any origin, rejects large bodies with 413 and other methods with 405', async () => {
    const { shop } = await openStripeShop(openShop)
    const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const body = eventText('product.created')
    expect((await sendWebhook(shop, body, { headers: crossSite })).status).toBe(200)
    const elsewhere = { method: 'POST', headers: crossSite }
    for (const path of [`${webhookPath}/`, `${webhookPath}/x`, '/webhooks', '/api/orders'])
      expect([path, (await shop.visit().request(path, elsewhere)).status]).toEqual([path, 403])
    expect((await sendWebhook(shop, ' '.repeat(300_000))).status).toBe(413)
    const read = await shop.visit().get(webhookPath)
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('with demo payments the webhook is 404', async () => {
    const shop = await openShop()
    expect((await sendWebhook(shop, eventText('payment_intent.succeeded'))).status).toBe(404)
    expect(await eventsOf(shop)).toEqual([])
  })
})
