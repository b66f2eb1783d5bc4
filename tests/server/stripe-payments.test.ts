import { newId } from '#domain/ids.ts'
import type { NewPayment } from '#server/integrations/payments/payments.ts'
import { stripePayments } from '#server/integrations/payments/stripe-payments.ts'
import { startStripe, stripeInProcess } from '#tests/mocks/stripe/server.ts'
import { stripeKeys, stripeStandIn, type Fault } from '#tests/mocks/stripe/stand-in.ts'
import { releaseReports } from '#tests/mocks/stripe/holds.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

const env = {
  kind: 'stripe',
  secretKey: stripeKeys.secret,
  publishableKey: stripeKeys.publishable,
  webhookSecret: stripeKeys.webhook,
  apiUrl: null,
} as const

function openStripe(now?: () => Date) {
  const stripe = stripeStandIn(now && { now })
  const server = stripeInProcess(stripe)
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  const payments = stripePayments(env)
  const { hosted } = payments
  if (!hosted) throw new Error('Stripe has pages of its own.')
  return { stripe, payments, hosted }
}

/** The same with a Stripe that is a server of its own, whose connections can break. */
async function openStripeServer() {
  const stripe = await startStripe()
  onTestFinished(() => stripe.close())
  return { stripe, payments: stripePayments({ ...env, apiUrl: stripe.origin }) }
}

const newPayment = (amountCents = 1099): NewPayment => ({
  checkoutId: newId(),
  amountCents,
  capture: 'automatic',
})
const inAnHour = () => ({
  successUrl: 'https://shop.example/order-confirmation?session_id={CHECKOUT_SESSION_ID}',
  cancelUrl: 'https://shop.example/checkout',
  expiresAt: new Date(Date.now() + 3600_000),
})

const unavailable = { code: 'UNAVAILABLE', retryAfter: expect.any(Number) }

/** A payment that was authorized, and its capture of a part. */
async function authorized({ stripe, payments }: Pick<ReturnType<typeof openStripe>, 'stripe' | 'payments'>) {
  const payment = await payments.createPayment({ ...newPayment(), capture: 'manual' })
  await stripe.confirm(payment.clientSecret)
  return { paymentId: payment.id, amountCents: 700, key: `${payment.checkoutId}:capture` }
}

/** A payment that was paid. */
async function paid({ stripe, payments }: Pick<ReturnType<typeof openStripe>, 'stripe' | 'payments'>) {
  const payment = await payments.createPayment(newPayment())
  await stripe.confirm(payment.clientSecret)
  return { paymentId: payment.id, amountCents: 1099, key: `${payment.checkoutId}:refund` }
}

test.each(['answer 500', 'answer 429', 'cut off', 'act, cut off'] as const)(
  'every call with the fault “%s” is unavailable',
  async (fault) => {
    const { stripe, payments, hosted } = openStripe()
    const refund = await paid({ stripe, payments })
    const capture = await authorized({ stripe, payments })
    stripe.fail(fault)
    const calls = [
      payments.createPayment(newPayment()),
      hosted.createSession({ ...newPayment(), ...inAnHour() }),
      payments.findPayment(refund.paymentId),
      payments.cancelPayment(refund.paymentId),
      payments.refund(refund),
      payments.capturePayment(capture),
      payments.voidPayment(capture),
      hosted.findSession('cs_test_a1'),
      hosted.expireSession('cs_test_a1'),
    ]
    await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(unavailable)))
  },
)

test('a wrong API key is unavailable, and its error has only ids and codes of Stripe’s answer', async () => {
  const { payments } = await openStripeServer().then(({ stripe }) => ({
    payments: stripePayments({ ...env, secretKey: 'sk_test_of_nobody', apiUrl: stripe.origin }),
  }))
  const error: unknown = await payments.createPayment(newPayment()).catch((error: unknown) => error)
  expect(error).toMatchObject(unavailable)
  expect(error).toHaveProperty('cause.message', expect.stringMatching(/^Stripe: \S+ 401 - req_\w+$/))
})

test('a call that Stripe does not answer fails after 8 s without a retry', async () => {
  const { stripe, payments, hosted } = openStripe()
  const refund = await paid({ stripe, payments })
  const capture = await authorized({ stripe, payments })
  stripe.fail('act, say nothing', { on: `POST /v1/payment_intents/${capture.paymentId}/capture` })
  stripe.fail('say nothing')
  const before = stripe.calls.length
  const started = performance.now()
  // A retry would take until then.
  const secondLimit = sleep(16_000, null, { ref: false })
  const calls = Promise.allSettled([
    payments.createPayment(newPayment()),
    hosted.createSession({ ...newPayment(), ...inAnHour() }),
    payments.findPayment(refund.paymentId),
    payments.refund(refund),
    payments.capturePayment(capture),
  ])
  const answers = (await Promise.race([calls, secondLimit])) ?? []
  expect(performance.now() - started).toBeGreaterThan(7900)
  expect(answers).toHaveLength(5)
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 'rejected', reason: expect.objectContaining(unavailable) })
  }
  expect(stripe.calls.length - before).toBe(5)
  // The capture was made nevertheless, and the second call learns it.
  stripe.clearFaults()
  expect(await payments.capturePayment(capture)).toMatchObject({
    status: 'captured',
    payment: { capturedCents: 700 },
  })
  expect(stripe.events.filter(({ type }) => type === 'charge.captured')).toHaveLength(1)
})

test.each(['answer 500', 'cut off', 'act, cut off'] as const)(
  'a call that fails once (“%s”) is retried with the same key: one payment',
  async (fault) => {
    const { stripe, payments } = await openStripeServer()
    const params = newPayment()
    stripe.fail(fault, { times: 1 })
    const payment = await payments.createPayment(params)
    expect(payment).toMatchObject({ status: 'unpaid', checkoutId: params.checkoutId })
    expect([...stripe.store.intents.keys()]).toEqual([payment.id])
    expect(stripe.calls.filter((call) => call === 'POST /v1/payment_intents')).toHaveLength(2)
  },
)

test('a call is retried only once', async () => {
  const { stripe, payments } = await openStripeServer()
  for (const fault of ['answer 500', 'cut off'] satisfies Fault[]) {
    const before = stripe.calls.length
    stripe.fail(fault)
    await expect(payments.createPayment(newPayment())).rejects.toMatchObject(unavailable)
    expect(stripe.calls.length - before).toBe(2)
    stripe.clearFaults()
  }
})

test('canceling what was paid or canceled costs one call, so a slow Stripe delays a new checkout less', async () => {
  const { stripe, payments } = openStripe()
  const { paymentId } = await paid({ stripe, payments })
  const canceled = await payments.createPayment(newPayment())
  await payments.cancelPayment(canceled.id)
  const before = stripe.calls.length
  expect(await payments.cancelPayment(paymentId)).toMatchObject({ status: 'succeeded' })
  expect(await payments.cancelPayment(canceled.id)).toMatchObject({ status: 'canceled' })
  expect(stripe.calls.length - before).toBe(2)
})

test('an unreachable Stripe is unavailable at once, and works again when it is back', async () => {
  const { stripe, payments } = await openStripeServer()
  const payment = await payments.createPayment(newPayment())
  await stripe.goDown()
  // The timeout for an unresponsive Stripe.
  const givenUp = sleep(8000, 'given up', { ref: false })
  const call = payments.findPayment(payment.id).catch((error: unknown) => error)
  expect(await Promise.race([givenUp, call])).toMatchObject(unavailable)
  await stripe.comeBack()
  expect(await payments.findPayment(payment.id)).toEqual(payment)
})

test('Stripe rejects a concurrent repeated call, which is retried and gets the same result', async () => {
  const { stripe, payments } = openStripe()
  stripe.state.latencyMs = 200
  const params = newPayment()
  const both = await Promise.all([payments.createPayment(params), payments.createPayment(params)])
  expect(both[0]).toEqual(both[1])
  expect(stripe.store.intents.size).toBe(1)
})

test('a capture or void that Stripe made despite answering 500 is found on the payment', async () => {
  const { stripe, payments } = openStripe()
  const capture = await authorized({ stripe, payments })
  stripe.fail('act, answer 500', { on: `POST /v1/payment_intents/${capture.paymentId}`, times: 1 })
  expect(await payments.capturePayment(capture)).toMatchObject({ status: 'captured' })
  const hold = await authorized({ stripe, payments })
  stripe.fail('act, answer 500', { on: `POST /v1/payment_intents/${hold.paymentId}`, times: 1 })
  expect(await payments.voidPayment(hold)).toMatchObject({ status: 'canceled', capturedCents: 0 })
})

test('a capture that the bank declines is refused, and works again later under the same key', async () => {
  const { stripe, payments } = openStripe()
  const capture = await authorized({ stripe, payments })
  stripe.store.settings.capturesAreDeclined = true
  const refused = { status: 'refused', payment: { status: 'authorized', capturedCents: 0 } }
  expect(await payments.capturePayment(capture)).toMatchObject(refused)
  expect(await payments.capturePayment(capture)).toMatchObject(refused)
  stripe.store.settings.capturesAreDeclined = false
  // Stripe replays its refusal under this key for a day.
  expect(await payments.capturePayment(capture)).toMatchObject({
    status: 'captured',
    payment: { capturedCents: 700 },
  })
})

test('the amount under a key of a capture cannot change', async () => {
  const { stripe, payments } = openStripe()
  const capture = await authorized({ stripe, payments })
  stripe.store.settings.capturesAreDeclined = true
  await payments.capturePayment(capture)
  stripe.store.settings.capturesAreDeclined = false
  expect(await payments.capturePayment({ ...capture, amountCents: 800 })).toMatchObject({
    status: 'refused',
    payment: { status: 'authorized' },
  })
})

test('a capture is made once although Stripe forgets its key after a day', async () => {
  let now = new Date()
  const { stripe, payments } = openStripe(() => now)
  const capture = await authorized({ stripe, payments })
  const answer = await payments.capturePayment(capture)
  now = new Date(now.getTime() + 25 * 3600_000)
  expect(await payments.capturePayment(capture)).toEqual(answer)
  expect(stripe.events.filter(({ type }) => type === 'charge.captured')).toHaveLength(1)
})

test('an authorization lapses by itself, also before its payment shows it', async () => {
  let now = new Date()
  const { stripe, payments } = openStripe(() => now)
  const first = await authorized({ stripe, payments })
  const second = await authorized({ stripe, payments })
  stripe.store.expireHold(first.paymentId, { lags: true })
  expect(await payments.capturePayment(first)).toMatchObject({
    status: 'lapsed',
    payment: { status: 'authorized' },
  })
  const { captureBefore } = (await payments.findPayment(second.paymentId)) ?? {}
  now = captureBefore ?? now
  expect(await payments.findPayment(second.paymentId)).toMatchObject({ status: 'canceled', refundedCents: 0 })
  expect(stripe.events.slice(-2).map(({ type }) => type)).toEqual([
    'charge.expired',
    'payment_intent.canceled',
  ])
})

test.each(releaseReports)('a refund in the dashboard of what was released (“%s”) counts', async (report) => {
  const { stripe, payments } = openStripe()
  stripe.store.settings.releaseReport = report
  const capture = await authorized({ stripe, payments })
  await payments.capturePayment(capture)
  const refund = { payment_intent: capture.paymentId, amount: 399, metadata: {}, reason: null }
  stripe.store.createRefund(refund)
  expect(await payments.findPayment(capture.paymentId)).toMatchObject({ refundedCents: 399 })
})

test('an authorization takes cards only', async () => {
  const { stripe, payments } = openStripe()
  const { clientSecret } = await payments.createPayment({ ...newPayment(), capture: 'manual' })
  const debit = stripe.confirm(clientSecret, { card: 'pm_usBankAccount_success' })
  await expect(debit).rejects.toThrow('not allowed')
})

test('a hosted page can authorize: complete is not captured, and its payment can be voided', async () => {
  const { stripe, payments, hosted } = openStripe()
  const pay = async () => {
    const session = await hosted.createSession({ ...newPayment(), capture: 'manual', ...inAnHour() })
    const { id } = stripe.store.paySession(session.id, 'pm_card_visa')
    const complete = { ...session, status: 'complete', url: null, paymentId: id }
    expect(await hosted.expireSession(session.id)).toEqual(complete)
    expect(stripe.store.findSession(session.id)).toMatchObject({ payment_status: 'unpaid' })
    expect(await payments.cancelPayment(id)).toMatchObject({ status: 'authorized', capturedCents: 0 })
    return { paymentId: id, amountCents: 700, key: `${session.checkoutId}:capture` }
  }
  expect(await payments.voidPayment(await pay())).toMatchObject({ status: 'canceled' })
  expect(await payments.capturePayment(await pay())).toMatchObject({ status: 'captured' })
})

test('a refund that Stripe made despite answering 500 is found by its key', async () => {
  const { stripe, payments } = openStripe()
  const refund = await paid({ stripe, payments })
  stripe.fail('act, answer 500', { on: 'POST /v1/refunds', times: 1 })
  const given = await payments.refund(refund)
  expect(given).toEqual({ id: [...stripe.store.refunds.keys()][0], status: 'succeeded' })
  expect(await payments.refund(refund)).toEqual(given)
  expect(stripe.store.refunds.size).toBe(1)
})

test('a refund is made once although Stripe forgets its key after a day', async () => {
  let now = new Date()
  const { stripe, payments } = openStripe(() => now)
  const refund = await paid({ stripe, payments })
  const given = await payments.refund(refund)
  now = new Date(now.getTime() + 25 * 3600_000)
  expect(await payments.refund(refund)).toEqual(given)
  expect(stripe.store.refunds.size).toBe(1)
})

test('a refund is pending until it is settled', async () => {
  const { stripe, payments } = openStripe()
  stripe.store.settings.refundsArePending = true
  const refund = await paid({ stripe, payments })
  const given = await payments.refund(refund)
  expect(given.status).toBe('pending')
  stripe.store.settleRefund(given.id ?? '', 'fail')
  expect(await payments.refund(refund)).toEqual({ id: given.id, status: 'failed' })
})

test('a refund made in Stripe’s dashboard is not a refund of ours', async () => {
  const { stripe, payments } = openStripe()
  const refund = await paid({ stripe, payments })
  stripe.store.createRefund({ payment_intent: refund.paymentId, amount: null, metadata: {}, reason: null })
  expect(await payments.refund(refund)).toEqual({ id: null, status: 'failed' })
  expect(await payments.findPayment(refund.paymentId)).toMatchObject({ refundedCents: 1099 })
})

test.each([49, 100_000_000])(
  'an amount of %d cents is rejected with its own message',
  async (amountCents) => {
    const { payments, hosted } = openStripe()
    const refused = {
      code: 'INVALID',
      fields: { items: 'A card payment must be between $0.50 and $999,999.99.' },
    }
    await expect(payments.createPayment(newPayment(amountCents))).rejects.toMatchObject(refused)
    await expect(hosted.createSession({ ...newPayment(amountCents), ...inAnHour() })).rejects.toMatchObject(
      refused,
    )
  },
)

test('a bank debit is processing until it is paid, and cannot be canceled in between', async () => {
  const { stripe, payments } = openStripe()
  const payment = await payments.createPayment(newPayment())
  await stripe.confirm(payment.clientSecret, { card: 'pm_usBankAccount_success' })
  expect(await payments.cancelPayment(payment.id)).toMatchObject({ status: 'processing' })
  stripe.store.settleIntent(payment.id, 'fail')
  // Stripe must not replay the earlier rejection.
  expect(await payments.cancelPayment(payment.id)).toMatchObject({ status: 'canceled' })
})

test('a checkout has one hosted page, which returns its payment once there is one', async () => {
  const { stripe, payments, hosted } = openStripe()
  const params = { ...newPayment(), ...inAnHour() }
  const session = await hosted.createSession(params)
  expect(session).toEqual({
    id: expect.stringMatching(/^cs_/),
    status: 'open',
    url: `https://checkout.stripe.com/c/pay/${session.id}`,
    paymentId: null,
    checkoutId: params.checkoutId,
  })
  expect(await hosted.createSession(params)).toEqual(session)
  expect(await hosted.findSession(session.id)).toEqual(session)
  const { id: paymentId } = stripe.store.paySession(session.id, 'pm_card_visa')
  const complete = { ...session, status: 'complete', url: null, paymentId }
  expect(await hosted.findSession(session.id)).toEqual(complete)
  expect(await hosted.createSession(params)).toEqual(complete)
  // A completed session cannot expire.
  expect(await hosted.expireSession(session.id)).toEqual(complete)
  expect(await payments.findPayment(paymentId)).toMatchObject({
    status: 'succeeded',
    amountCents: 1099,
    checkoutId: params.checkoutId,
  })
})

test('an expired page cannot be paid, and its payment is canceled', async () => {
  const { stripe, payments, hosted } = openStripe()
  const session = await hosted.createSession({ ...newPayment(), ...inAnHour() })
  expect(() => stripe.store.paySession(session.id, 'pm_card_chargeDeclined')).toThrow('declined')
  const { paymentId } = (await hosted.findSession(session.id)) ?? {}
  // Its payment cannot be canceled on its own.
  expect(await payments.cancelPayment(paymentId ?? '')).toMatchObject({ status: 'unpaid' })
  const expired = { ...session, status: 'expired', url: null, paymentId }
  expect(await hosted.expireSession(session.id)).toEqual(expired)
  expect(await hosted.expireSession(session.id)).toEqual(expired)
  expect(await payments.findPayment(paymentId ?? '')).toMatchObject({ status: 'canceled' })
  expect(() => stripe.store.paySession(session.id, 'pm_card_visa')).toThrow('no longer open')
})

test('a page can be created for any hold; an unknown id has none', async () => {
  const { hosted } = openStripe()
  for (const holdSeconds of [1, 900, 82_800]) {
    const expiresAt = new Date(Date.now() + holdSeconds * 1000)
    expect(await hosted.createSession({ ...newPayment(), ...inAnHour(), expiresAt })).toMatchObject({
      status: 'open',
    })
  }
  expect(await hosted.findSession('cs_test_nobody')).toBeNull()
  expect(await hosted.findSession('../refunds')).toBeNull()
  await expect(hosted.expireSession('cs_test_nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('Stripe gets only the checkout, the amount and the return URLs', async () => {
  const { stripe, payments, hosted } = openStripe()
  const refund = await paid({ stripe, payments })
  await payments.refund(refund)
  const { checkoutId } = newPayment()
  await hosted.createSession({ checkoutId, amountCents: 250, capture: 'automatic', ...inAnHour() })
  const capture = await authorized({ stripe, payments })
  await payments.capturePayment(capture)
  const page = { ...newPayment(), capture: 'manual' as const }
  await hosted.createSession({ ...page, ...inAnHour() })
  const ours = [refund, capture].flatMap(({ key, paymentId }) => [key.split(':')[0] ?? '', paymentId])
  ours.push(checkoutId, page.checkoutId)
  const sent = stripe.bodies.map((form) =>
    ours.reduce((text, id) => text.replaceAll(id, '…'), form).replace(/(expires_at=|_secret_)\w+/, '$1…'),
  )
  expect(sent).toMatchInlineSnapshot(`
    [
      "amount=1099&currency=usd&automatic_payment_methods[enabled]=true&metadata[checkout]=…",
      "client_secret=…_secret_…&payment_method=pm_card_visa&return_url=https://shop.example/order-confirmation",
      "payment_intent=…&amount=1099&metadata[key]=…:refund",
      "mode=payment&line_items[0][quantity]=1&line_items[0][price_data][currency]=usd&line_items[0][price_data][unit_amount]=250&line_items[0][price_data][product_data][name]=Order at Meridian&adaptive_pricing[enabled]=false&metadata[checkout]=…&payment_intent_data[metadata][checkout]=…&success_url=https://shop.example/order-confirmation?session_id={CHECKOUT_SESSION_ID}&cancel_url=https://shop.example/checkout&expires_at=…",
      "amount=1099&currency=usd&automatic_payment_methods[enabled]=true&allowed_payment_method_types[0]=card&capture_method=manual&metadata[checkout]=…",
      "client_secret=…_secret_…&payment_method=pm_card_visa&return_url=https://shop.example/order-confirmation",
      "amount_to_capture=700",
      "expand[0]=latest_charge",
      "mode=payment&line_items[0][quantity]=1&line_items[0][price_data][currency]=usd&line_items[0][price_data][unit_amount]=1099&line_items[0][price_data][product_data][name]=Order at Meridian&adaptive_pricing[enabled]=false&metadata[checkout]=…&allowed_payment_method_types[0]=card&payment_intent_data[capture_method]=manual&payment_intent_data[metadata][checkout]=…&success_url=https://shop.example/order-confirmation?session_id={CHECKOUT_SESSION_ID}&cancel_url=https://shop.example/checkout&expires_at=…",
    ]
  `)
})
