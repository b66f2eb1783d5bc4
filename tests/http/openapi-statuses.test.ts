import { buildDocument } from '#app/routes/api/openapi/document.ts'
import { newId } from '#domain/ids.ts'
import { createKey } from '#server/api-keys/save-key.ts'
import { startCheckout } from '#server/checkout/start-checkout.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { pay, shipTo } from '#tests/support/checkouts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'

const headersSchema = z.object({ headers: z.record(z.string(), z.unknown()).default({}) })
const operationSchema = z.object({ responses: z.record(z.string(), z.unknown()) })
const document = buildDocument({ now: new Date() }, { origin: 'https://shop.example', cookie: 'session' })

/** The statuses that the document has for a call. */
const statusesOf = (method: string, path: string): string[] =>
  Object.keys(operationSchema.parse(document.paths[path]?.[method.toLowerCase()]).responses)

/** The headers that the document has for an error. */
const errorHeaders = (code: string): string[] =>
  Object.keys(headersSchema.parse(document.components.responses[code]).headers)

eachShop((openShop) => {
  const openAsAdmin = async () => {
    const shop = await openShop({ catalog: 'empty' })
    const userId = await makeUser(shop.db, { isAdmin: true })
    const visitor = shop.visit()
    await signInAs(visitor, shop.db, userId)
    const ctx = testContext(shop.db, { now: new Date(), user: signedIn(userId, { isAdmin: true }) })
    return { shop, visitor, ctx }
  }
  const send = (shop: Shop, body: BodyInit, type: string, method = 'POST'): RequestInit => ({
    method,
    headers: { 'content-type': type, origin: shop.origin },
    body,
  })

  test('what an API key gets is documented, also where no key is accepted', async () => {
    const { shop, ctx } = await openAsAdmin()
    const fields = { id: newId(), name: 'Warehouse', days: 30, stockRead: 'on', orders: null }
    const key = await createKey(ctx, { catalogWrite: undefined, stockWrite: undefined, ...fields })
    const calls = [
      ['/api/auth/user', key, 403],
      ['/api/auth/user', 'wrong', 401],
      ['/api/login', key, 403],
      ['/api/login', 'wrong', 401],
      ['/api/products', 'wrong', 401],
    ] as const
    for (const [path, token, status] of calls) {
      const { status: got } = await shop.visit().get(path, { authorization: `Bearer ${token}` })
      expect(got, path).toBe(status)
      expect(statusesOf('GET', path)).toContain(String(got))
    }
    expect(errorHeaders('UNAUTHENTICATED')).toEqual(['WWW-Authenticate'])
    expect([errorHeaders('TOO_MANY'), errorHeaders('UNAVAILABLE')]).toEqual([
      ['Retry-After'],
      ['Retry-After'],
    ])
  })

  test('the ETag of a public reply and its 304 are documented', async () => {
    const { shop } = await openAsAdmin()
    for (const path of [
      '/api/products',
      '/api/product-variants',
      '/api/products/search',
      '/api/manufacturers',
    ]) {
      const etag = (await shop.visit().get(path)).headers.get('etag') ?? ''
      const same = await shop.visit().get(path, { 'if-none-match': etag })
      expect(same.status, path).toBe(304)
      const { responses } = operationSchema.parse(document.paths[path]?.['get'])
      expect(Object.keys(responses), path).toContain('304')
      expect(Object.keys(headersSchema.parse(responses['200']).headers), path).toContain('ETag')
    }
  })

  test('what an upload is refused with is documented', async () => {
    const { shop, visitor } = await openAsAdmin()
    const replySchema = z.object({ uploadURL: z.string() })
    const issued = await visitor.request('/api/objects/upload', send(shop, '', 'text/plain'))
    const { uploadURL } = replySchema.parse(await issued.json())
    const { pathname, search } = new URL(uploadURL)
    const upload = async () =>
      (await visitor.request(pathname + search, send(shop, 'text', 'application/pdf', 'PUT'))).status
    expect([await upload(), await upload()]).toEqual([415, 410])
    expect(statusesOf('PUT', '/api/objects/upload/{ticket}')).toEqual(
      expect.arrayContaining(['400', '410', '413', '415']),
    )
  })

  test('the order of an unknown or unpaid payment, and a repeated one, are documented', async () => {
    const { shop, visitor, ctx } = await openAsAdmin()
    const items = [{ productVariantId: await addVariant(shop.db), quantity: 1 }]
    const { payment } = await startCheckout(ctx, { items, shipTo, prescriptionId: null })
    const order = async (stripePaymentId: string) =>
      (
        await visitor.request(
          '/api/orders',
          send(shop, JSON.stringify({ stripePaymentId }), 'application/json'),
        )
      ).status
    const refused = [await order('pi_unknown'), await order(payment.id)]
    await pay(shop.db, payment)
    expect([...refused, await order(payment.id), await order(payment.id)]).toEqual([404, 402, 201, 200])
    expect(statusesOf('POST', '/api/orders')).toEqual(expect.arrayContaining(['200', '201', '402', '404']))
  })
})
