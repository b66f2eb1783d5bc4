import { describeStatement } from '#db/engine/observe-statements.ts'
import { addTestProduct } from '#tests/faults/site.ts'
import { createPaymentIntent, newBuyer, pay, placeOrder } from '#tests/support/buyer.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { openOtlpReceiver } from '#tests/support/otlp-receiver.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { expect, test } from 'vitest'

test.each([
  [`select * from "users" where "id" = $1 and kind = 'pa''in' limit 20`, 'select', 'users'],
  [`  insert into orders (id, total) values (?, 12.50)`, 'insert', 'orders'],
  [`update "carts" set "n" = 7`, 'update', 'carts'],
  [`with t as (select 1) select * from t`, 'with', 't'],
  ['pragma wal_checkpoint', 'pragma', null],
])('a statement is traced without its values: %s', (sql, operation, table) => {
  const statement = describeStatement(sql)
  expect(statement).toMatchObject({ operation, table })
  expect(statement.text).not.toMatch(/pa''in|12\.50|= 7|limit 20/)
})

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

eachEngine((engine, _openDb, openWithUrl) => {
  test('traces have routes, statements, provider calls and jobs, and nothing about persons', async () => {
    const { url } = await openWithUrl()
    const receiver = await openOtlpReceiver()
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_TRACES_SAMPLER_ARG: '1',
      LOG_LEVEL: 'info',
      RATE_LIMITS: 'off',
    }
    let log = ''
    try {
      const shop = await startShop(url, { demoCatalog: false, env, onLog: (text) => (log += text) })
      const [variant = ''] = await addTestProduct(shop.origin, [100])
      await (await fetch(`${shop.origin}/products?q=warfarin`, { headers: { traceparent } })).text()
      const buyer = await newBuyer(shop.origin, 'planted-person')
      const intent = await createPaymentIntent(buyer, [{ productVariantId: variant, quantity: 1 }])
      await pay(buyer, intent)
      const order = await placeOrder(buyer, intent)
      await buyer.send('GET', `/orders/${order.id}`)
      buyer.close()
      // The rest is sent before it exits.
      expect(await shop.stop()).toBe(0)

      const { spans } = receiver
      const names = new Set(spans.map(({ name }) => name))
      for (const name of [
        'GET /products',
        'GET /orders/:id',
        'POST /api/orders',
        'transaction',
        'select products',
        'payments.createPayment',
        'job checkouts',
      ])
        expect(names, name).toContain(name)
      const page = spans.find(({ name }) => name === 'GET /products')
      expect(page?.attributes).toEqual({
        'http.request.method': 'GET',
        'http.route': '/products',
        'http.response.status_code': 200,
      })
      const below = spans.filter(({ parentSpanId }) => parentSpanId === page?.spanId)
      expect(below.some(({ attributes }) => String(attributes['db.query.text']).startsWith('select'))).toBe(
        true,
      )
      // A visitor's own header chooses nothing.
      expect(page?.traceId).not.toBe(traceparent.split('-')[1])
      expect(log).toContain(`"trace_id":"${page?.traceId}"`)

      const sent = receiver.read()
      for (const planted of [
        'warfarin',
        'planted-person',
        'O’Hara',
        'Harbour Lane',

        order.id,
        variant,
      ])
        expect(sent, planted).not.toContain(planted)
      expect(sent).not.toContain(intent.paymentId)
    } finally {
      receiver.close()
    }
  })

  test('behind a known proxy, its trace goes on; a collector that is gone delays nothing', async () => {
    const { url } = await openWithUrl()
    const receiver = await openOtlpReceiver()
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      // Only what the proxy chose.
      OTEL_TRACES_SAMPLER_ARG: '0',
      TRUSTED_PROXY_HOPS: '1',
    }
    const shop = await startShop(url, { demoCatalog: false, env })
    for (const headers of [new Headers({ traceparent }), new Headers()])
      await (await fetch(`${shop.origin}/faq`, { headers })).text()
    expect(await shop.stop()).toBe(0)
    const roots = receiver.spans.filter(({ name }) => name === 'GET /faq')
    expect(roots.map(({ traceId }) => traceId)).toEqual([traceparent.split('-')[1]])
    receiver.close()

    const alone = await startShop(url, { demoCatalog: false, env })
    expect((await fetch(`${alone.origin}/faq`, { headers: { traceparent } })).status).toBe(200)
    expect(await alone.stop()).toBe(0)
  })
})
