import { nulMessage } from '#domain/clean-text.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { findAvailableVariants, type AvailableVariant } from '#tests/support/demo-catalog.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { callProcedure } from '#tests/support/trpc-calls.ts'
import { withinCpuMs } from '#tests/support/within-cpu-ms.ts'
import { beforeAll, expect, test } from 'vitest'

const limitMs = 200
const unknownId = '0190a6f2-1b2c-7d3e-8f4a-5b6c7d8e9f0a'
const badIds = [
  unknownId,
  'no-such-medicine',
  '1',
  'undefined',
  unknownId.toUpperCase(),
  '%00',
  '%27%20or%201%3D1--',
  '%F0%9F%92%8A',
  '%ED%A0%80',
  'a'.repeat(5000),
]
/** The longest are 15,000 characters once encoded: Node refuses a head above 16 KiB with 431. */
const badQueries: Record<string, string> = {
  'of 15 KB': 'ibuprofen '.repeat(1250),
  'of 15 KB in one word': 'x'.repeat(15_000),
  'of many one-letter words': 'a '.repeat(3750),
  'of LIKE metacharacters': '%%%___%_%',
  'of SQL': `'; drop table products; --`,
  'of FTS5 syntax': `"ibuprofen" NEAR(a b) AND * ( OR NOT : ^ -{col}`,
  'of tsquery syntax': `ibuprofen & | ! <-> :* ( ' \\`,
  'of a lone surrogate': 'ibu\uD800profen',
  'of combining marks': `e${'\u0301'.repeat(2499)}`,
  'of emoji': '💊'.repeat(1250),
  'of right-to-left marks': '\u202Enefor\u202C',
  'of blanks': '   \t\n ',
}

/** URL-encoded. A lone surrogate cannot be encoded, so its three bytes are written out. */
const encoded = (query: string): string => query.split('\uD800').map(encodeURIComponent).join('%ED%A0%80')

eachShop((openShop) => {
  let shop: Shop
  let sold: AvailableVariant
  beforeAll(async () => {
    shop = await openShop()
    ;[sold] = await findAvailableVariants(shop.db)
    // Warm up: the first request compiles shared code.
    await shop.visit().get('/products?q=warm')
    await shop.visit().get('/api/products/search?q=warm')
  })

  const timedGet = (path: string): Promise<Response> => withinCpuMs(limitMs, () => shop.visit().get(path))

  test.each(badIds)('a product with the id %j is not found, as a page and in the API', async (id) => {
    const page = await timedGet(`/products/${id}`)
    expect(page.status).toBe(404)
    expect(await page.text()).toContain('Product not found')
    const call = await timedGet(`/api/products/${id}`)
    expect(call.status).toBe(404)
    expect(call.headers.get('content-type')).toMatch(/^text\/plain/)
    expect((await call.text()).length).toBeLessThan(200)
    expect((await timedGet(`/img/v/${id}.svg`)).status).toBe(404)
  })

  test.each(Object.entries(badQueries))(
    'a query %s gets a clean response within the time limit',
    async (_, query) => {
      const page = await timedGet(`/products?q=${encoded(query)}`)
      expect(page.status).toBe(200)
      expect(await page.text()).not.toMatch(/Failed to search|SqliteError|syntax error/)
      for (const path of ['/api/products/search?q=', '/search/suggestions?q=']) {
        const call = await timedGet(path + encoded(query))
        expect(call.status, path).toBe(200)
        expect(call.headers.get('content-type')).toMatch(/^application\/json/)
      }
    },
  )

  test('an invalid category shows the whole list on the page, and is 422 in the API', async () => {
    for (const query of Object.values(badQueries)) {
      expect((await timedGet(`/products?category=${encoded(query)}`)).status).toBe(200)
      const call = await timedGet(`/api/products/search?category=${encoded(query)}`)
      expect(call.status).toBe(query.trim() === '' ? 200 : 422)
    }
  })

  test.each(['ndc', 'din', 'upc', 'manufacturerId'])('an invalid %s gets a clean response', async (name) => {
    for (const query of Object.values(badQueries)) {
      expect((await timedGet(`/products?${name}=${encoded(query)}`)).status).toBe(200)
      expect((await timedGet(`/api/products/search?${name}=${encoded(query)}`)).status).toBe(200)
    }
  })

  test('a NUL character is 422 wherever text can be sent, and the message names the field', async () => {
    const admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
    const expectRefusal = async (name: string, response: Response): Promise<void> => {
      const text = await response.text()
      expect([name, response.status, text]).toEqual([name, 422, expect.stringContaining(nulMessage)])
      expect(text, name).toContain(name)
    }
    for (const path of [
      '/products?q=',
      '/products?page=',
      '/api/products?after=',
      '/api/products/search?category=',
      '/search/suggestions?q=',
      '/admin/orders?q=',
      '/admin/variants.csv?q=',
    ]) {
      const [, name = ''] = /(\w+)=$/.exec(path) ?? []
      await expectRefusal(name, await timedGet(`${path}a%00b`))
    }
    for (const [path, name, fields] of [
      ['/contact', 'message', { name: 'A', email: 'a@b.example', message: 'a\0b' }],
      ['/cart', 'quantity', { variantId: sold.variantId, quantity: '1\0' }],
      ['/cart', 'intent', { intent: '\0' }],
      ['/login', 'email', { email: 'a\0@b.example', password: 'x' }],
      ['/profile', 'firstName', { firstName: 'A\0', lastName: 'B' }],
      ['/admin/users.csv', 'q', { q: 'a\0b' }],
      ['/prescriptions/upload', 'formId', { fileUrl: 'x', formId: 'a\0b' }],
    ] as const) {
      const form = new FormData()
      for (const [key, value] of Object.entries(fields)) form.append(key, value)
      const visitor = path === '/login' ? shop.visit() : admin
      await expectRefusal(name, await visitor.post(path, fields))
      const headers = { origin: shop.origin }
      await expectRefusal(name, await visitor.request(path, { method: 'POST', body: form, headers }))
    }
    for (const [method, path, field, json] of [
      ['POST', '/api/manufacturers', 'name', { name: 'a\0' }],
      ['PATCH', '/api/profile', 'shippingCity', { shippingCity: '\0' }],
      ['POST', '/api/create-payment-intent', 'items.0.variantId', { items: [{ variantId: '\0' }] }],
    ] as const) {
      const body = JSON.stringify(json)
      await expectRefusal(
        field,
        await admin.request(path, { method, body, headers: { 'content-type': 'application/json' } }),
      )
    }
    const upload = new FormData()
    upload.append('file', new File(['SKU\nA-1\n'], 'a\0.csv', { type: 'text/csv' }))
    const headers = { origin: shop.origin }
    const imported = await admin.request('/admin/variants/import', { method: 'POST', body: upload, headers })
    await expectRefusal('file', imported)
    const failure = { fields: { 'target.ids.0': nulMessage }, httpStatus: 422 }
    const call = await callProcedure(admin, shop.origin, 'users.setRole', {
      target: { ids: ['a\0b'] },
      isAdmin: true,
    })
    expect(call.status).toBe(422)
    expect(await call.json()).toMatchObject({ error: { data: failure } })
  })

  test.each(['-1', '0', '1e9', '1000000000', '99999999999999999999', '1.5', 'NaN', '', 'last'])(
    'page %j gets a clean response',
    async (page) => {
      expect((await timedGet(`/products?page=${page}`)).status).toBe(200)
      expect((await timedGet(`/products?q=ibuprofen&page=${page}`)).status).toBe(200)
    },
  )

  test.each(['0', '-1', '1001', '1.5', '1e2', 'ten', '', '%00'])(
    'limit %j is 422, and the message names the field',
    async (limit) => {
      for (const path of ['/api/products', '/api/product-variants']) {
        const response = await timedGet(`${path}?limit=${limit}`)
        expect(response.status).toBe(422)
        expect(await response.text()).toContain('limit')
      }
    },
  )

  test.each([unknownId, 'no-id', '%00', '%27--'])(
    'an unknown after (%j) is 422, and the message names the field',
    async (after) => {
      for (const path of ['/api/products', '/api/product-variants']) {
        for (const query of [`?limit=5&after=${after}`, `?after=${after}`]) {
          const response = await timedGet(path + query)
          expect(response.status, path + query).toBe(422)
          expect(await response.text()).toContain('after')
        }
      }
    },
  )

  test.each(['-1', '1.5', '1e9', '1000', 'two', ' ', '0x10', '99999999999999999999', '\0'])(
    'a quantity of %j is 422, and the message is beside the field',
    async (quantity) => {
      const visitor = shop.visit()
      const path = `/products/${sold.productId}`
      const response = await visitor.post(path, { variantId: sold.variantId, quantity })
      expect(response.status).toBe(422)
      expect(await response.text()).toMatch(/aria-invalid="true"/)
      expect(visitor.cookies.has('cart')).toBe(false)
    },
  )

  test('an empty quantity is named and stays empty', async () => {
    const visitor = shop.visit()
    const form = { variantId: sold.variantId, quantity: '' }
    const response = await visitor.post(`/products/${sold.productId}`, form)
    expect(response.status).toBe(422)
    const html = await response.text()
    expect(html).toMatch(/id="quantity-error"[^>]*>Quantity is required\.</)
    expect(/<input[^>]*name="quantity"[^>]*>/.exec(html)?.[0]).toContain('value=""')
    expect(visitor.cookies.has('cart')).toBe(false)
  })

  test('a form without a quantity adds one', async () => {
    const visitor = shop.visit()
    const response = await visitor.post('/cart', { variantId: sold.variantId })
    expect(response.status).toBe(303)
    expect(await (await visitor.get('/cart')).text()).toContain('Shopping Cart (1 items)')
  })

  test('adding zero is refused; setting zero removes the line', async () => {
    const visitor = shop.visit()
    const zero = { variantId: sold.variantId, quantity: '0' }
    expect((await visitor.post('/cart', zero)).status).toBe(422)
    await visitor.post('/cart', { variantId: sold.variantId, quantity: '2' })
    for (const quantity of ['0', '-1']) {
      await visitor.post('/cart', { variantId: sold.variantId, quantity: '2' })
      expect((await visitor.post('/cart', { ...zero, intent: 'update', quantity })).status).toBe(303)
      expect(await (await visitor.get('/cart')).text()).toContain('Your cart is empty')
    }
  })

  test.each(badIds)('a variant with the id %j cannot be added', async (id) => {
    const visitor = shop.visit()
    const response = await visitor.post('/cart', { variantId: decodeLoosely(id), quantity: '1' })
    expect([409, 422]).toContain(response.status)
    expect(visitor.cookies.has('cart')).toBe(false)
  })

  test.each([
    'x',
    '',
    'a'.repeat(43),
    'a'.repeat(10_000),
    'eyJhIjoxfQ==',
    '"; drop table carts; --',
    '%E0%A4%A',
    '%00',
  ])('a tampered cart cookie (%j) is an empty cart', async (value) => {
    const response = await shop.visit().get('/cart', { cookie: `cart=${value}` })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('Your cart is empty')
    const added = await shop
      .visit()
      .post('/cart', { variantId: sold.variantId, quantity: '1' }, { cookie: `cart=${value}` })
    expect(added.status).toBe(303)
    expect(added.headers.getSetCookie().join()).toMatch(/cart=[^;]{43,}/)
  })

  test('a form that is too large, incomplete or of another type is refused', async () => {
    const headers = { origin: shop.origin, 'sec-fetch-site': 'same-origin' }
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
    const send = (body: string, type: Record<string, string>) =>
      shop.visit().request('/cart', { method: 'POST', body, headers: type })
    expect((await send(`variantId=${'x'.repeat(200_000)}`, form)).status).toBe(413)
    const multipart = { ...headers, 'content-type': 'multipart/form-data; boundary=x' }
    for (const [body, type] of [
      ['{"variantId":', { ...headers, 'content-type': 'application/json' }],
      ['--x\r\nContent-Disposition: form-data', multipart],
      ['', form],
      ['%%%=%%%', form],
      ['a', { ...headers, 'content-type': 'text/plain' }],
    ] as const) {
      const { status } = await send(body, type)
      expect(status, JSON.stringify([body, type['content-type']])).toBeGreaterThanOrEqual(400)
      expect(status, JSON.stringify([body, type['content-type']])).toBeLessThan(500)
    }
  })

  test('a malformed or very long path is a 4xx', async () => {
    for (const path of ['/%E0%A4%A', '/products/%', `/${'a/'.repeat(3000)}`, '//evil.example/products']) {
      const { status } = await shop.visit().get(path.startsWith('//') ? `${shop.origin}${path}` : path)
      expect(status, path.slice(0, 40)).toBeGreaterThanOrEqual(400)
      expect(status, path.slice(0, 40)).toBeLessThan(500)
    }
  })

  test('none of these requests logged an error', () => {
    expect(shop.log.filter(({ level }) => level === 'error')).toEqual([])
  })
})

/** The id as a form would send it, or unchanged if it cannot be decoded. */
function decodeLoosely(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch (error) {
    if (error instanceof URIError) return id
    throw error
  }
}
