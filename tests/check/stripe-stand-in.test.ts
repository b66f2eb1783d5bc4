import { startStripe } from '#tests/mocks/stripe/server.ts'
import { stripeKeys, stripeStandIn } from '#tests/mocks/stripe/stand-in.ts'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'

type Fields = Record<string, unknown>
const fixtures = (
  JSON.parse(readFileSync('tests/fixtures/stripe/objects.json', 'utf8')) as {
    resources: Record<string, Fields>
  }
).resources

function open(now?: () => Date) {
  const stripe = stripeStandIn(now && { now })
  const ask = async (
    method: 'GET' | 'POST',
    path: string,
    form: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) => {
    const body = new URLSearchParams(form).toString()
    const url = `https://api.stripe.com/v1/${path}${method === 'GET' && body ? `?${body}` : ''}`
    const answer = await stripe.handle(
      new Request(url, {
        method,
        headers: {
          authorization: `Bearer ${stripeKeys.secret}`,
          'stripe-version': '2026-10-28.endive',
          'content-type': 'application/x-www-form-urlencoded',
          ...headers,
        },
        ...(method === 'POST' && { body }),
      }),
    )
    if (!(answer instanceof Response)) throw new Error('No answer.')
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Fields }
  }
  return { stripe, ask }
}

const intent = { amount: '1099', currency: 'usd', 'automatic_payment_methods[enabled]': 'true' }
const session = {
  mode: 'payment',
  success_url: 'https://shop.example/done',
  'line_items[0][quantity]': '1',
  'line_items[0][price_data][currency]': 'usd',
  'line_items[0][price_data][unit_amount]': '1099',
  'line_items[0][price_data][product_data][name]': 'Order',
}

test('its objects have the fields of Stripe’s own examples, no more and no fewer', async () => {
  const { stripe, ask } = open()
  const made = (await ask('POST', 'payment_intents', intent)).body
  await stripe.confirm(String(made['client_secret']))
  const paid = (await ask('GET', `payment_intents/${String(made['id'])}`, { 'expand[0]': 'latest_charge' }))
    .body
  const objects: Record<string, unknown> = {
    payment_intent: made,
    charge: paid['latest_charge'],
    refund: (await ask('POST', 'refunds', { payment_intent: String(made['id']) })).body,
    'checkout.session': (await ask('POST', 'checkout/sessions', session)).body,
    event: stripe.events[0],
  }
  for (const [name, object] of Object.entries(objects)) {
    expect(Object.keys(object as Fields).toSorted()).toEqual(Object.keys(fixtures[name] ?? {}).toSorted())
  }
})

test.each([
  ['payment_intents', { ...intent, amont: '1' }, 'parameter_unknown', 'amont'],
  [
    'payment_intents',
    { ...intent, 'automatic_payment_methods[on]': 'true' },
    'parameter_unknown',
    'automatic_payment_methods[on]',
  ],
  [
    'payment_intents',
    { ...intent, 'payment_method_types[0]': 'card' },
    'parameter_unknown',
    'payment_method_types',
  ],
  ['payment_intents', { ...intent, capture_method: 'later' }, undefined, 'capture_method'],
  ['payment_intents', { currency: 'usd' }, 'parameter_missing', 'amount'],
  ['payment_intents', { ...intent, amount: '10.99' }, 'parameter_invalid_integer', 'amount'],
  ['payment_intents', { ...intent, amount: '49' }, 'amount_too_small', 'amount'],
  ['payment_intents', { ...intent, amount: '' }, 'parameter_invalid_empty', 'amount'],
  ['checkout/sessions', { ...session, expires_at: '1' }, undefined, 'expires_at'],
  [
    'checkout/sessions',
    { ...session, 'line_items[0][price_data][product_data][medicine]': 'x' },
    'parameter_unknown',
    'line_items[0][price_data][product_data][medicine]',
  ],
  ['refunds', { payment_intent: 'pi_nobody' }, 'resource_missing', 'payment_intent'],
])('POST %s with %j is refused as Stripe refuses it', async (path, form, code, param) => {
  const { ask } = open()
  const { status, body } = await ask('POST', path, form)
  expect(status).toBe(code === 'resource_missing' ? 404 : 400)
  expect(body['error']).toMatchObject({ type: 'invalid_request_error', param, ...(code && { code }) })
})

test('an authorization is captured, released or lapses with Stripe’s own errors and events', async () => {
  const { stripe, ask } = open()
  const hold = async () => {
    const made = (await ask('POST', 'payment_intents', { ...intent, capture_method: 'manual' })).body
    await stripe.confirm(String(made['client_secret']))
    return `payment_intents/${String(made['id'])}`
  }
  const capture = async (path: string, cents: number, more: Record<string, string> = {}) => {
    const { status, body } = await ask('POST', `${path}/capture`, {
      amount_to_capture: String(cents),
      ...more,
    })
    return { status, ...((body['error'] as Fields | undefined) ?? body) }
  }
  const first = await hold()
  expect(await capture(first, 1100)).toMatchObject({ status: 400, code: 'amount_too_large' })
  expect(await capture(first, 0)).toMatchObject({ status: 400, code: 'parameter_invalid_integer' })
  expect(await capture(first, 700, { amount: '1' })).toMatchObject({ code: 'parameter_unknown' })
  expect((await capture(first, 700, { final_capture: 'false' })).status).toBe(501)
  stripe.store.settings.capturesAreDeclined = true
  expect(await capture(first, 700)).toMatchObject({ status: 402, code: 'card_declined', type: 'card_error' })
  stripe.store.settings.capturesAreDeclined = false
  expect((await ask('POST', 'refunds', { payment_intent: first.split('/')[1] ?? '' })).status).toBe(400)
  const captured = { amount: 1099, amount_received: 700, amount_capturable: 0, status: 'succeeded' }
  expect((await ask('POST', `${first}/capture`, { amount_to_capture: '700' })).body).toMatchObject(captured)
  expect(await capture(first, 399)).toMatchObject({ status: 400, code: 'payment_intent_unexpected_state' })

  const second = await hold()
  const canceled = { status: 'canceled', amount_capturable: 0, cancellation_reason: null }
  expect((await ask('POST', `${second}/cancel`)).body).toMatchObject(canceled)
  const third = await hold()
  stripe.store.expireHold(third.split('/')[1] ?? '', { lags: true })
  expect(await capture(third, 700)).toMatchObject({ status: 400, code: 'charge_expired_for_capture' })
  stripe.store.expireHold(third.split('/')[1] ?? '')
  expect((await ask('GET', third)).body).toMatchObject({
    status: 'canceled',
    cancellation_reason: 'automatic',
  })
  const held = ['payment_intent.created', 'charge.succeeded', 'payment_intent.amount_capturable_updated']
  expect(stripe.events.map(({ type }) => type)).toEqual([
    ...held,
    'charge.captured',
    'payment_intent.succeeded',
    ...held,
    'payment_intent.canceled',
    ...held,
    'charge.expired',
    'payment_intent.canceled',
  ])
})

test('a documented parameter that the stand-in does not simulate returns 501', async () => {
  const { ask } = open()
  expect((await ask('POST', 'payment_intents', { ...intent, confirm: 'true' })).status).toBe(501)
})

test('calls require an API key, secret where needed, and the supported API version', async () => {
  const { ask } = open()
  const statusWith = async (headers: Record<string, string>) =>
    (await ask('POST', 'payment_intents', intent, headers)).status
  expect(await statusWith({ authorization: '' })).toBe(401)
  expect(await statusWith({ authorization: 'Bearer sk_test_other' })).toBe(401)
  expect(await statusWith({ authorization: `Bearer ${stripeKeys.publishable}` })).toBe(403)
  expect(await statusWith({ 'stripe-version': '2020-08-27' })).toBe(400)
  expect((await ask('GET', 'customers')).status).toBe(404)
})

test('an idempotency key replays the first response for a day, and only for the same call', async () => {
  let now = new Date()
  const { ask } = open(() => now)
  const key = { 'idempotency-key': 'a-key' }
  const first = await ask('POST', 'payment_intents', intent, key)
  const again = await ask('POST', 'payment_intents', intent, key)
  expect(again.body).toEqual(first.body)
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const other = await ask('POST', 'payment_intents', { ...intent, amount: '1100' }, key)
  expect([other.status, other.body['error']]).toEqual([
    400,
    expect.objectContaining({ type: 'idempotency_error' }),
  ])
  expect((await ask('POST', 'refunds', { payment_intent: 'pi_x' }, key)).status).toBe(400)
  now = new Date(now.getTime() + 24 * 3600_000)
  expect((await ask('POST', 'payment_intents', intent, key)).body['id']).not.toBe(first.body['id'])
})

test('a failed call is stored under its key; a rejected one is not', async () => {
  const { stripe, ask } = open()
  const key = (name: string) => ({ 'idempotency-key': name })
  stripe.fail('act, answer 500', { times: 1 })
  expect((await ask('POST', 'payment_intents', intent, key('acted'))).status).toBe(500)
  expect((await ask('POST', 'payment_intents', intent, key('acted'))).status).toBe(500)
  stripe.fail('answer 500', { times: 1 })
  expect((await ask('POST', 'payment_intents', intent, key('not begun'))).status).toBe(500)
  expect((await ask('POST', 'payment_intents', intent, key('not begun'))).status).toBe(200)
  expect((await ask('POST', 'payment_intents', { ...intent, x: '1' }, key('refused'))).status).toBe(400)
  expect((await ask('POST', 'payment_intents', intent, key('refused'))).status).toBe(200)
})

test('a key in use is 409', async () => {
  const { stripe, ask } = open()
  stripe.state.latencyMs = 50
  const key = { 'idempotency-key': 'a-key' }
  const answers = await Promise.all([1, 2].map(() => ask('POST', 'payment_intents', intent, key)))
  expect(answers.map(({ status }) => status)).toEqual([200, 409])
})

test('the hosted page works without scripts, with a declined card and a second step', async () => {
  const stripe = await startStripe()
  onTestFinished(() => stripe.close())
  const made = stripe.store.createSession(
    {
      amount_total: 1099,
      success_url: 'https://shop.example/done?id={CHECKOUT_SESSION_ID}',
      cancel_url: null,
    },
    { metadata: { checkout: 'a-checkout' } },
  )
  const send = async (url: string, form: Record<string, string>) => {
    const answer = await fetch(new URL(url, stripe.origin), {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
    return { text: await answer.text(), location: answer.headers.get('location') ?? '' }
  }
  const page = `${stripe.origin}/c/pay/${made.id}`
  expect(made.url).toBe(page)
  expect(await (await fetch(page)).text()).toContain('Pay $10.99')
  expect((await send(page, { card: 'pm_card_chargeDeclined' })).text).toContain('Your card was declined.')
  const bank = await send(page, { card: 'pm_card_authenticationRequired' })
  const failed = await send(bank.location, { outcome: 'fail' })
  expect(failed.location).toBe(`/c/pay/${made.id}`)
  const secondBank = await send(page, { card: 'pm_card_authenticationRequired' })
  const done = await send(secondBank.location, { outcome: 'succeed' })
  expect(done.location).toBe(`https://shop.example/done?id=${made.id}`)
  expect(await (await fetch(page)).text()).toContain('This page has expired')
  const control = (await (await fetch(`${stripe.origin}/_control`)).json()) as Fields
  expect(control['payments']).toEqual([
    expect.objectContaining({ status: 'succeeded', amount: 1099, refunded: 0, checkout: 'a-checkout' }),
  ])
})

test('another process can confirm payments and turn faults on and off', async () => {
  const stripe = await startStripe()
  onTestFinished(() => stripe.close())
  const command = async (body: unknown) =>
    (await fetch(`${stripe.origin}/_control`, { method: 'POST', body: JSON.stringify(body) })).status
  const made = stripe.store.createIntent({ amount: 500, currency: 'usd', metadata: {} })
  expect(await command({ confirm: made.client_secret, card: 'pm_card_chargeDeclined' })).toBe(402)
  expect(await command({ confirm: made.client_secret })).toBe(200)
  const manual = { capture_method: 'manual', amount: 500, currency: 'usd', metadata: {} }
  const held = stripe.store.createIntent(manual)
  expect(await command({ confirm: held.client_secret })).toBe(200)
  expect(await command({ settings: { releaseReport: 'refund', capturesAreDeclined: true } })).toBe(200)
  expect(await command({ expire: held.id })).toBe(200)
  expect(stripe.store.findIntent(held.id).status).toBe('canceled')
  expect(stripe.store.refunds.size).toBe(1)
  expect(await command({ expire: held.id })).toBe(400)
  expect(await command({ fail: 'cut off', on: 'GET' })).toBe(200)
  const read = () => fetch(`${stripe.origin}/v1/refunds`)
  await expect(read()).rejects.toThrow('fetch failed')
  expect(await command({ heal: true })).toBe(200)
  expect((await read()).status).toBe(401)
  expect(await command({ webhooks: { url: 'http://127.0.0.1:1/', times: 3, dropOneIn: 10 } })).toBe(200)
  expect(await command({ explode: true })).toBe(400)
})
