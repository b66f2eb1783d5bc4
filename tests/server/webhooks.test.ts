import type { Db } from '#db/engine/client.ts'
import { claimDeliveries } from '#db/webhooks/deliveries.ts'
import { noteAttempt } from '#db/webhooks/endpoints.ts'
import { newId } from '#domain/ids.ts'
import { webhookUrlMessage } from '#domain/webhooks/endpoint-input.ts'
import type { WebhookTopic } from '#domain/webhooks/webhook-events.ts'
import { inTransaction } from '#server/context.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { openWebhookSender, type WebhookReply } from '#server/integrations/web/webhook-sender.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { deliverWebhooks } from '#server/webhooks/deliver-webhooks.ts'
import { listWebhooks } from '#server/webhooks/list-webhooks.ts'
import { queueWebhooks } from '#server/webhooks/queue-webhooks.ts'
import { createEndpoint, disableEndpoint, enableEndpoint, sendAgain } from '#server/webhooks/save-endpoint.ts'
import { signedHeaders } from '#server/webhooks/signature.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addVariant, testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { capture, placeHeldOrder, runMoneyJobs } from '#tests/support/payment-holds.ts'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

const running = (): AbortSignal => new AbortController().signal
const url = 'https://receiver.example/hooks'

type Received = { headers: Readonly<Record<string, string>>; body: string }

/** The shop's job with a receiver that answers `reply`, and a manual clock. */
function startReceiver(db: Db) {
  const received: Received[] = []
  const receiver = { reply: { status: 200, error: null } as WebhookReply | Promise<WebhookReply> }
  const run = (afterMs = 0) =>
    deliverWebhooks(
      { db, keys: testKeys, log: testContext(db).log, now: () => new Date(testDay.getTime() + afterMs) },
      {
        post: async (_url, { headers, body }) => {
          received.push({ headers, body })
          return receiver.reply
        },
      },
      running(),
    )
  return { received, receiver, run }
}

async function adminOf(db: Db) {
  const userId = await makeUser(db, { isAdmin: true })
  return { userId, admin: testContext(db, { user: signedIn(userId, { isAdmin: true }) }) }
}

async function shopWith(db: Db, topic: WebhookTopic) {
  const { admin, userId } = await adminOf(db)
  const id = newId()
  const secret = await createEndpoint(admin, { id, url, topic })
  return { admin, userId, endpointId: id, secret }
}

const orderEvent = {
  type: 'order.created',
  data: { orderId: '019a7c1e-0000-7000-8000-000000000001', status: 'processing' },
} as const
const deliveries = (db: Db) => db.selectFrom('webhookDeliveries').selectAll().orderBy('id').execute()

test('a signature is that of Standard Webhooks’ reference vector', () => {
  const headers = signedHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    now: new Date(1_614_265_330_999),
    body: '{"test": 2432232314}',
  })
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('a webhook leaves for the public internet by https only, except to this machine in dev and demo', async () => {
  const requests: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push(`${request.method} ${request.url} ${body}`)
      response.writeHead(request.url === '/moved' ? 302 : 204, { Location: '/elsewhere' }).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const network = {
    resolve: async (host: string) => (host === 'inside.example' ? ['10.0.0.1'] : ['1.1.1.1', '127.0.0.1']),
    connect: () => expect.unreachable(),
  }
  const post = (allowsLoopback: boolean, to: string) =>
    openWebhookSender({ allowsLoopback }, network).post(to, { headers: {}, body: '{}', signal: running() })
  for (const to of [
    here,
    'https://127.0.0.1/',
    'https://localhost/',
    'http://receiver.example/',
    'https://receiver.example:8443/',
    'https://user:password@receiver.example/',
    'https://10.1.2.3/',
    'https://[::1]/',
    'https://inside.example/',
    'https://mixed.example/',
  ])
    expect(await post(false, to), to).toEqual({ status: null, error: 'ADDRESS_REFUSED' })
  expect(requests).toEqual([])
  expect(await post(true, `${here}/hook`)).toEqual({ status: 204, error: null })
  expect(await post(true, `${here}/moved`)).toEqual({ status: 302, error: null })
  expect(requests).toEqual(['POST /hook {}', 'POST /moved {}'])
  expect(await post(true, 'https://inside.example/')).toEqual({ status: null, error: 'ADDRESS_REFUSED' })
  server.close()
})

test('a receiver that switches protocols, or closes without a reply, is a failure at once', async () => {
  const answers = ['HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n', '']
  const server = createTcpServer((socket) => {
    socket.once('data', () => socket.end(answers.shift() ?? ''))
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const sender = openWebhookSender({ allowsLoopback: true })
  const post = () => sender.post(here, { headers: {}, body: '{}', signal: running() })
  expect(await post()).toEqual({ status: null, error: 'NO_CONNECTION' })
  expect(await post()).toEqual({ status: null, error: 'ECONNRESET' })
})

eachEngine((_engine, openDb) => {
  test('an order and its shipment reach the receiver, signed, without a person, a medicine or a price', async () => {
    const db = await openDb()
    const { admin, userId, secret } = await shopWith(db, 'orders')
    const variantId = await addVariant(db)
    const { id: orderId } = await placeOrder(db, userId, {
      items: [{ productVariantId: variantId, quantity: 2 }],
    })
    const { received, run } = startReceiver(db)
    await run()
    const shipper = testContext(db, { user: signedIn(await makeUser(db), { isAdmin: true }) })
    await setOrderStatus(shipper, orderId, { status: 'shipped' })
    await run()
    const bodies = received.map(({ body }) => JSON.parse(body) as { id: string; type: string })
    const at = testDay.toISOString()
    const id = expect.stringMatching(/^evt_[0-9a-f-]{36}$/) as unknown
    expect(bodies.toSorted((a, b) => (a.type < b.type ? -1 : 1))).toEqual([
      { id, type: 'order.created', createdAt: at, data: { orderId, status: 'processing' } },
      { id, type: 'order.paid', createdAt: at, data: { orderId, status: 'processing' } },
      { id, type: 'order.shipped', createdAt: at, data: { orderId, status: 'shipped' } },
      {
        id,
        type: 'order.status_changed',
        createdAt: at,
        data: { orderId, status: 'shipped', previousStatus: 'processing' },
      },
    ])
    for (const { headers, body } of received) {
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
      expect(key).toHaveLength(32)
      const expected = createHmac('sha256', key).update(signed).digest('base64')
      expect(headers['webhook-signature']).toBe(`v1,${expected}`)
    }
    expect((await listWebhooks(admin)).deliveries.map(({ state }) => state)).toEqual(
      Array.from({ length: 4 }, () => 'delivered'),
    )
  })

  test('an order with a prescription is paid when its payment is captured, once', async () => {
    const db = await openDb()
    await shopWith(db, 'orders')
    const types = async () => (await deliveries(db)).map(({ type }) => type)
    const held = await placeHeldOrder(db)
    expect(await types()).toEqual(['order.created'])
    await capture(db, held.order.id, held.ctx)
    expect(await types()).toEqual(['order.created', 'order.paid'])
    await runMoneyJobs(held.ctx)
    expect(await types()).toEqual(['order.created', 'order.paid'])
  })

  test('a change of stock is an event in the same transaction, sealed in its row', async () => {
    const db = await openDb()
    const { admin } = await shopWith(db, 'stock')
    const variantId = await addVariant(db, { stockQuantity: 10 })
    const adjustment = { variantId, quantityChange: -3, transactionType: 'adjustment', notes: null } as const
    await expect(
      inTransaction(admin, async (ctx) => {
        await adjustStock(ctx, adjustment)
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(await deliveries(db)).toEqual([])
    await adjustStock(admin, adjustment)
    const rows = await deliveries(db)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(variantId)
    const { received, run } = startReceiver(db)
    await run()
    expect(received.map(({ body }) => (JSON.parse(body) as { data: unknown }).data)).toEqual([
      { variantId, quantityBefore: 10, quantityAfter: 7 },
    ])
  })

  test('without an enabled endpoint, no event is written', async () => {
    const db = await openDb()
    const { admin, endpointId } = await shopWith(db, 'orders')
    await disableEndpoint(admin, endpointId)
    await queueWebhooks(admin, [orderEvent])
    expect(await deliveries(db)).toEqual([])
  })

  test('two processes at once make each delivery once', async () => {
    const db = await openDb()
    const { admin } = await shopWith(db, 'orders')
    await queueWebhooks(
      admin,
      Array.from({ length: 40 }, () => orderEvent),
    )
    const { received, run } = startReceiver(db)
    await Promise.all([run(), run()])
    await Promise.all([run(), run()])
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(40)
    expect(received).toHaveLength(40)
  })

  test('a failed delivery waits, keeps its id, is given up after ten tries, and can be sent again', async () => {
    const db = await openDb()
    const { admin } = await shopWith(db, 'orders')
    await queueWebhooks(admin, [orderEvent])
    const { received, receiver, run } = startReceiver(db)
    receiver.reply = { status: null, error: 'ECONNREFUSED' }
    await run()
    await run(20_000)
    expect(received).toHaveLength(1)
    const hour = 3600_000
    for (let i = 1; i <= 12; i++) await run(i * 18 * hour)
    expect(received).toHaveLength(8)
    const [row] = await deliveries(db)
    expect(row).toMatchObject({ state: 'pending', attempts: 8, lastError: 'ECONNREFUSED', lastStatus: null })
    // Five days of failures disabled the endpoint before the tenth try.
    expect((await listWebhooks(admin)).endpoints).toMatchObject([{ disabledReason: 'failing' }])
    const { endpoints } = await listWebhooks(admin)
    await enableEndpoint(admin, endpoints[0]?.id ?? '')
    for (let i = 13; i <= 16; i++) await run(i * 18 * hour)
    expect((await deliveries(db))[0]).toMatchObject({ state: 'failed', attempts: 10, nextAt: null })
    expect(received).toHaveLength(10)
    receiver.reply = { status: 200, error: null }
    expect(await sendAgain(admin, row?.id ?? '')).toBe(true)
    expect(await sendAgain(admin, row?.id ?? '')).toBe(false)
    await run(17 * 18 * hour)
    expect((await deliveries(db))[0]).toMatchObject({ state: 'delivered', attempts: 1, lastStatus: 200 })
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect((await listWebhooks(admin)).endpoints).toMatchObject([{ failingSince: null }])
  })

  test('a success in a run keeps the endpoint, though a slower delivery of that run fails', async () => {
    const db = await openDb()
    const { admin } = await shopWith(db, 'orders')
    await queueWebhooks(admin, [orderEvent, orderEvent])
    const failingSince = new Date(testDay.getTime() - 6 * 24 * 3600_000)
    await db.updateTable('webhookEndpoints').set({ failingSince }).execute()
    const { received, receiver, run } = startReceiver(db)
    let fail = (_reply: WebhookReply): void => {}
    receiver.reply = new Promise((resolve) => (fail = resolve))
    const running = run()
    await expect.poll(() => received.length).toBe(2)
    // Before the replies, the first delivery of the run succeeds.
    await noteAttempt(db, { id: (await deliveries(db))[0]?.endpointId ?? '', failedAt: null })
    fail({ status: 500, error: null })
    await running
    expect((await listWebhooks(admin)).endpoints).toMatchObject([
      { disabledReason: null, failingSince: testDay },
    ])
  })

  test('a run goes on while each delivery is taken, and ends with the batch that has a failure', async () => {
    const db = await openDb()
    const { admin } = await shopWith(db, 'orders')
    await queueWebhooks(
      admin,
      Array.from({ length: 60 }, () => orderEvent),
    )
    const { received, receiver, run } = startReceiver(db)
    await run()
    expect(received).toHaveLength(60)
    expect((await deliveries(db)).every(({ state }) => state === 'delivered')).toBe(true)
    await queueWebhooks(
      admin,
      Array.from({ length: 60 }, () => orderEvent),
    )
    receiver.reply = { status: 500, error: null }
    await run()
    expect(received).toHaveLength(60 + 25)
    const endpointId = (await deliveries(db))[0]?.endpointId ?? ''
    await disableEndpoint(admin, endpointId)
    const claim = { endpointId, now: testDay, leaseEnds: testDay, limit: 25 }
    expect(await claimDeliveries(db, claim)).toEqual([])
  })

  test('an endpoint that replies just before the timeout gets one batch a run', async () => {
    const db = await openDb()
    const { admin } = await shopWith(db, 'orders')
    await queueWebhooks(
      admin,
      Array.from({ length: 60 }, () => orderEvent),
    )
    const clock = { now: testDay }
    let received = 0
    const post = async (): Promise<WebhookReply> => {
      received++
      clock.now = new Date(testDay.getTime() + 4900)
      return { status: 200, error: null }
    }
    await deliverWebhooks(
      { db, keys: testKeys, log: testContext(db).log, now: () => clock.now },
      { post },
      running(),
    )
    expect(received).toBe(25)
  })

  test('410 disables the endpoint, and other endpoints still get theirs', async () => {
    const db = await openDb()
    const { admin, endpointId } = await shopWith(db, 'orders')
    await queueWebhooks(admin, [orderEvent])
    const { receiver, run } = startReceiver(db)
    receiver.reply = { status: 410, error: null }
    await run()
    expect((await listWebhooks(admin)).endpoints).toMatchObject([
      { id: endpointId, disabledReason: 'removed' },
    ])
    expect(await deliveries(db)).toMatchObject([{ state: 'failed', lastStatus: 410, nextAt: null }])
    const other = newId()
    await createEndpoint(admin, { id: other, url, topic: 'orders' })
    await queueWebhooks(admin, [orderEvent])
    expect((await deliveries(db)).map((row) => row.endpointId)).toEqual([endpointId, other])
  })

  test('only who may change settings creates an endpoint, once, at a public address', async () => {
    const db = await openDb()
    const { admin, userId } = await adminOf(db)
    const input = { id: newId(), url, topic: 'orders' } as const
    const support = testContext(db, { user: signedIn(userId, { roles: ['support'] }) })
    await expect(createEndpoint(support, input)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    for (const refused of [
      'http://localhost:9/',
      'https://127.0.0.1/',
      'https://10.0.0.1/',
      'https://0x0a000001/',
      'https://192.168.1.1./',
      'https://169.254.169.254/',
      'https://[::1]/',
      'https://[fe80::1]/',
      'https://[::ffff:10.0.0.1]/',
    ])
      await expect(createEndpoint(admin, { ...input, url: refused }), refused).rejects.toMatchObject({
        code: 'INVALID',
        fields: { url: webhookUrlMessage },
      })
    for (const accepted of ['https://1.1.1.1/', 'https://[2606:4700::1111]/'])
      await createEndpoint(admin, { ...input, id: newId(), url: accepted })
    await createEndpoint(admin, input)
    await expect(createEndpoint(admin, input)).rejects.toMatchObject({ code: 'CONFLICT' })
    // A release before stored this one.
    const privateUrl = 'https://10.0.0.1/'
    const { id: oldId } = await db
      .updateTable('webhookEndpoints')
      .set({ url: privateUrl })
      .where('url', '=', 'https://1.1.1.1/')
      .returning('id')
      .executeTakeFirstOrThrow()
    const listed = (await listWebhooks(admin)).endpoints
    expect(listed.filter(({ isRefused }) => isRefused).map(({ id }) => id)).toEqual([oldId])
    const audits = await db.selectFrom('auditLog').select(['action', 'objectId']).execute()
    expect(audits).toContainEqual({ action: 'webhook.created', objectId: input.id })
    expect(audits.filter(({ objectId }) => objectId === input.id)).toHaveLength(1)
  })
})
