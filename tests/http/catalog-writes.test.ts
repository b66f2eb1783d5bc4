import type { Product } from '#domain/catalog/catalog.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'

type AdminVariant = {
  id: string
  productId: string
  inStock: boolean
  stockQuantity: number
  acquisitionCost: string | null
} & Record<string, unknown>

const unknownId = '0190a6f2-1b2c-7d3e-8f4a-5b6c7d8e9f0a'

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  beforeAll(async () => {
    shop = await openShop({ catalog: 'empty' })
    admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
  })

  const send = (
    method: string,
    path: string,
    body: unknown,
    visitor = admin,
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    visitor.request(path, {
      method,
      headers: { 'content-type': 'application/json', origin: shop.origin, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const sendOk = async <T>(method: string, path: string, body: unknown): Promise<T> => {
    const response = await send(method, path, body)
    expect(response.status, `${method} ${path}: ${await response.clone().text()}`).toBe(
      method === 'POST' ? 201 : 200,
    )
    return (await response.json()) as T
  }
  const makeProduct = (values: object = {}): Promise<Product> =>
    sendOk('POST', '/api/products', { name: 'Zanthroxil', image: '/pictures/zanthroxil.png', ...values })
  const validVariant = (productId: string) => ({
    productId,
    dosageForm: 'tablet',
    strength: '250',
    strengthUnit: 'mg',
    packageSize: 30,
    packageUnit: 'tablet',
    price: '12.50',
  })
  const makeVariant = (productId: string, values: object = {}): Promise<AdminVariant> =>
    sendOk('POST', '/api/product-variants', { ...validVariant(productId), ...values })
  const patchVariant = (id: string, values: object): Promise<AdminVariant> =>
    sendOk('PATCH', `/api/product-variants/${id}`, values)
  const found = async (query: string): Promise<string[]> => {
    const response = await shop.visit().get(`/api/products/search?${query}`)
    return ((await response.json()) as { id: string }[]).map(({ id }) => id)
  }
  const ledgerOf = async (variantId: string) =>
    (await (await admin.get(`/api/inventory/variant/${variantId}`)).json()) as {
      transactionType: string
      quantityBefore: number
      quantityAfter: number
    }[]

  test('a new product is found at once, defaults to Rx, and only given fields change', async () => {
    const product = await makeProduct({ description: '  ', pharmacyId: null })
    expect(product).toEqual({
      id: product.id,
      name: 'Zanthroxil',
      description: null,
      image: '/pictures/zanthroxil.png',
      category: 'Rx',
      pharmacyId: null,
      controlledSchedule: null,
    })
    expect(await found('q=zanthroxil')).toEqual([product.id])
    const changed = await sendOk<Product>('PATCH', `/api/products/${product.id}`, {
      name: 'Quibbelom',
      category: 'OTC',
      description: 'For the cough.',
    })
    expect(changed).toEqual({ ...product, name: 'Quibbelom', category: 'OTC', description: 'For the cough.' })
    expect(await (await shop.visit().get(`/api/products/${product.id}`)).json()).toEqual(changed)
    expect(await found('q=quibbelom')).toEqual([product.id])
    expect(await found('q=zanthroxil')).toEqual([])
    expect(await sendOk('PATCH', `/api/products/${product.id}`, {})).toEqual(changed)
  })

  const sendKeyed = (path: string, body: unknown, key: string): Promise<Response> =>
    send('POST', path, body, admin, { 'idempotency-key': key })
  /** Sends two copies at once and one later. All get the same reply, which is returned. */
  const sendThrice = async <T>(path: string, body: unknown, key: string): Promise<T> => {
    const replies = await Promise.all([key, `"${key}"`].map((sent) => sendKeyed(path, body, sent)))
    replies.push(await sendKeyed(path, body, key))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
    const [first, ...others] = (await Promise.all(replies.map((reply) => reply.json()))) as [T, T, T]
    expect(others).toEqual([first, first])
    return first
  }

  test('a product that is sent again with its key is created once', async () => {
    const key = randomUUID()
    const body = { name: 'Oncephedrol', image: '/pictures/once.png', description: ' For one. ' }
    const product = await sendThrice<Product>('/api/products', body, key)
    expect(product).toMatchObject({ name: 'Oncephedrol', description: 'For one.' })
    expect(await found('q=oncephedrol')).toEqual([product.id])
    const changed = await sendOk('PATCH', `/api/products/${product.id}`, { category: 'OTC' })
    const retried = await sendKeyed(
      '/api/products',
      Object.fromEntries(Object.entries(body).toReversed()),
      key,
    )
    expect(retried.status).toBe(201)
    expect(await retried.json()).toEqual(changed)
    const other = await sendKeyed('/api/products', { ...body, category: 'OTC' }, key)
    expect(other.status).toBe(409)
    expect(await other.text()).toContain('another request')
    expect((await send('DELETE', `/api/products/${product.id}`, '')).status).toBe(204)
    const again = await sendKeyed('/api/products', body, key)
    expect(again.status).toBe(409)
    expect(await again.text()).toContain(`product ${product.id}, which has since been deleted`)
    expect((await sendKeyed('/api/products', body, randomUUID())).status).toBe(201)
  })

  test('a variant that is sent again with its key is created once, with its stock', async () => {
    const { id: productId } = await makeProduct({ name: 'Onceazole' })
    const key = 'import-7/line-12'
    const body = { ...validVariant(productId), stockQuantity: 40, acquisitionCost: '2.00' }
    const variant = await sendThrice<AdminVariant>('/api/product-variants', body, key)
    expect(variant).toMatchObject({ productId, stockQuantity: 40 })
    expect(await ledgerOf(variant.id)).toHaveLength(1)
    const changed = await patchVariant(variant.id, { price: '13.00', stockQuantity: 39 })
    const retried = await sendKeyed('/api/product-variants', body, key)
    expect(retried.status).toBe(201)
    expect(await retried.json()).toEqual(changed)
    const other = await sendKeyed('/api/product-variants', { ...body, price: '13.00' }, key)
    expect(other.status).toBe(409)
    expect(await other.text()).toContain('another request')
    expect((await send('DELETE', `/api/products/${productId}`, '')).status).toBe(204)
    const again = await sendKeyed('/api/product-variants', body, key)
    expect(again.status).toBe(409)
    expect(await again.text()).toContain(`variant ${variant.id}, which has since been deleted`)
  })

  test('a key that is sent with two bodies at once creates one product', async () => {
    const replies = await Promise.all(
      ['Onceol A', 'Onceol B'].map((name) =>
        sendKeyed('/api/products', { name, image: '/pictures/once.png' }, 'two-bodies'),
      ),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]))
  })

  test.each([1, 255])('a key of %i characters creates a product once', async (length) => {
    const body = { name: 'Lengthol', image: '/pictures/length.png' }
    expect(await sendThrice('/api/products', body, '~'.repeat(length))).toMatchObject({ name: 'Lengthol' })
  })

  test.each(['/api/products', '/api/product-variants'])(
    'a key for %s that is not 1 to 255 visible ASCII characters is 422 and creates nothing',
    async (path) => {
      const { id: productId } = await makeProduct({ name: 'Keyed' })
      const bodies: Record<string, unknown> = {
        '/api/products': { name: 'Unkeyedol', image: '/pictures/unkeyed.png' },
        '/api/product-variants': validVariant(productId),
      }
      const counts = async () =>
        (
          await shop.db
            .selectFrom('products')
            .select('id')
            .unionAll(shop.db.selectFrom('productVariants').select('id'))
            .unionAll(shop.db.selectFrom('requestKeys').select('id'))
            .execute()
        ).length
      const before = await counts()
      for (const key of ['', '""', 'two words', 'a\tb', 'cl\u00e9', 'x'.repeat(256)]) {
        const reply = await sendKeyed(path, bodies[path], key)
        expect(reply.status, key).toBe(422)
        expect(await reply.text(), key).toContain('Idempotency-Key')
      }
      expect(await counts()).toBe(before)
    },
  )

  test('the illustration that a form sends back is not stored as a picture', async () => {
    const id = await addProduct(shop.db, { name: 'Drawn' })
    await addVariant(shop.db, { productId: id })
    const { image } = (await (await admin.get(`/api/products/${id}`)).json()) as Product
    await sendOk('PATCH', `/api/products/${id}`, { name: 'Drawn again', image })
    const row = () =>
      shop.db.selectFrom('products').select('image').where('id', '=', id).executeTakeFirstOrThrow()
    expect((await row()).image).toBeNull()
    await sendOk('PATCH', `/api/products/${id}`, { image: 'https://pictures.example/a%20b.png?size=1' })
    expect((await row()).image).toBe('https://pictures.example/a%20b.png?size=1')
  })

  test('a product named after a scheduled ingredient is controlled', async () => {
    const { controlledSchedule } = await makeProduct({ name: 'Oxycodone forte' })
    expect(controlledSchedule).toBe('CSA schedule II')
  })

  test('an invalid product field is 422, names the field, and changes nothing', async () => {
    const product = await makeProduct({ name: 'Steadfast' })
    const wrong: Record<string, unknown[]> = {
      name: [null, '', '  ', '\u200b', 5, 'x'.repeat(301)],
      image: [
        null,
        '',
        7,
        'picture.png',
        '//evil.example/x.png',
        '/\\evil.example',
        'http://pictures.example/x.png',
        'javascript:alert(1)',
        'data:image/png;base64,AAAA',
        'https://',
        'https://user:secret@pictures.example/x',
        `/${'x'.repeat(2001)}`,
        `/api/users/${unknownId}/id-document`,
        '/API/users/1/id-document?a.png',
        '/img/../%61pi/users/1/id-document',
        '/admin/records/1/file',
        '/account/download#a.png',
      ],
      category: ['rx', null, 'Vitamins', 1],
      description: [5, {}, 'x'.repeat(20_001)],
    }
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        for (const response of [
          await send('POST', '/api/products', { name: 'A', image: '/a.png', [field]: value }),
          await send('PATCH', `/api/products/${product.id}`, { [field]: value }),
        ]) {
          expect(response.status, `${field} ${String(value)}`).toBe(422)
          expect(await response.text()).toContain(field)
        }
      }
    }
    expect(await (await send('POST', '/api/products', {})).text()).toContain(
      'Please fill in all required product fields (name, image)',
    )
    for (const pharmacyId of [unknownId, 'none', 5]) {
      const response = await send('POST', '/api/products', { name: 'A', image: '/a.png', pharmacyId })
      expect(response.status).toBe(422)
      expect(await response.text()).toContain('pharmacyId')
    }
    expect(await (await admin.get(`/api/products/${product.id}`)).json()).toEqual(product)
  })

  test('a variant with stock starts its ledger with one adjustment, without stock it has none', async () => {
    const product = await makeProduct({ name: 'Ledgerol' })
    const variant = await makeVariant(product.id, {
      brandName: 'Ledgerix',
      stockQuantity: 7,
      acquisitionCost: '3.1',
      sku: ' LX-1 ',
      ndc: '0228-2899-96',
      din: '02242974',
      upc: '036000291452',
    })
    expect(variant).toEqual({
      id: variant.id,
      productId: product.id,
      brandName: 'Ledgerix',
      genericName: 'Ledgerol',
      manufacturerId: null,
      dosageForm: 'tablet',
      formDetail: '',
      strength: '250',
      strengthUnit: 'mg',
      packageSize: 30,
      packageUnit: 'tablet',
      price: '12.50',
      acquisitionCost: '3.10',
      sku: 'LX-1',
      upc: '036000291452',
      ndc: '0228-2899-96',
      din: '02242974',
      inStock: true,
      stockQuantity: 7,
      trackInventory: true,
      linkedVariantId: null,
    })
    expect(await ledgerOf(variant.id)).toMatchObject([
      { transactionType: 'adjustment', quantityBefore: 0, quantityAfter: 7 },
    ])
    for (const query of ['q=ledgerix', 'ndc=00228289996', 'din=2242974', 'upc=0036000291452']) {
      expect(await found(query), query).toEqual([product.id])
    }
    const empty = await makeVariant(product.id, { brandName: '' })
    expect(empty).toMatchObject({ brandName: null, inStock: false, stockQuantity: 0 })
    expect(await ledgerOf(empty.id)).toEqual([])
  })

  test('only admins see acquisition costs, in every list', async () => {
    const product = await makeProduct({ name: 'Costly' })
    const { id } = await makeVariant(product.id, { acquisitionCost: '9.99' })
    const customer = shop.visit()
    await signInAs(customer, shop.db, await makeUser(shop.db))
    const paths = [
      '/api/product-variants',
      '/api/product-variants?limit=1000',
      '/api/products?include=variants',
      `/api/products/${product.id}?include=variants`,
      '/api/products/search?q=costly&include=variants',
    ]
    for (const path of paths) {
      const forAdmin = await admin.get(path)
      expect(await forAdmin.text(), path).toContain('"acquisitionCost":"9.99"')
      for (const visitor of [shop.visit(), customer]) {
        // The response to an admin does not validate another user's cache.
        const response = await visitor.get(path, { 'if-none-match': forAdmin.headers.get('etag') ?? '' })
        expect(response.status, path).toBe(200)
        const text = await response.text()
        expect(text).toContain(id)
        expect(text).not.toContain('acquisitionCost')
      }
    }
  })

  test('setting the stock is an adjustment, and inStock follows it', async () => {
    const product = await makeProduct({ name: 'Followol' })
    const { id } = await makeVariant(product.id, { stockQuantity: 4 })
    expect(await patchVariant(id, { stockQuantity: 0 })).toMatchObject({ stockQuantity: 0, inStock: false })
    expect(await patchVariant(id, { stockQuantity: 9 })).toMatchObject({ stockQuantity: 9, inStock: true })
    expect(await patchVariant(id, { stockQuantity: 9, price: '1.00' })).toMatchObject({ price: '1.00' })
    expect(await patchVariant(id, { inStock: false })).toMatchObject({ stockQuantity: 9, inStock: false })
    expect(await patchVariant(id, { strength: '500' })).toMatchObject({ inStock: false, strength: '500' })
    expect(await ledgerOf(id)).toMatchObject([
      { transactionType: 'adjustment', quantityBefore: 0, quantityAfter: 9 },
      { transactionType: 'adjustment', quantityBefore: 4, quantityAfter: 0 },
      { transactionType: 'adjustment', quantityBefore: 0, quantityAfter: 4 },
    ])
    for (const values of [
      { inStock: true, stockQuantity: 0 },
      { stockQuantity: 0, inStock: true, price: '2' },
    ]) {
      const response = await send('PATCH', `/api/product-variants/${id}`, values)
      expect(response.status).toBe(422)
      expect(await response.text()).toContain('inStock')
    }
    const untracked = await makeVariant(product.id, { trackInventory: false, inStock: true })
    expect(untracked).toMatchObject({ trackInventory: false, inStock: true, stockQuantity: 0 })
    expect(await patchVariant(untracked.id, { trackInventory: true })).toMatchObject({ inStock: false })
    const off = await makeVariant(product.id, { stockQuantity: 5, inStock: false })
    expect(off).toMatchObject({ inStock: false, stockQuantity: 5 })
  })

  test('fifty concurrent stock updates leave one unbroken ledger', async () => {
    const product = await makeProduct({ name: 'Manyol' })
    const { id } = await makeVariant(product.id)
    const setStock = async (stockQuantity: number): Promise<void> => {
      let response: Response
      // 503 is a full queue on a busy machine. Nothing was written, so a client sends it again.
      do response = await send('PATCH', `/api/product-variants/${id}`, { stockQuantity })
      while (response.status === 503)
      expect(response.status).toBe(200)
    }
    await Promise.all(Array.from({ length: 50 }, (_, i) => setStock(i * 3 + 1)))
    const rows = (await (await admin.get(`/api/inventory/variant/${id}?limit=1000`)).json()) as {
      quantityBefore: number
      quantityAfter: number
    }[]
    expect(rows).toHaveLength(50)
    for (const [i, row] of rows.entries()) expect(row.quantityBefore).toBe(rows[i + 1]?.quantityAfter ?? 0)
    const row = await shop.db
      .selectFrom('productVariants')
      .select('stockQuantity')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.stockQuantity).toBe(rows[0]?.quantityAfter)
  })

  test('twenty products created concurrently all exist and are found', async () => {
    const products = await Promise.all(
      Array.from({ length: 20 }, (_, i) => makeProduct({ name: `Simultanol ${i}` })),
    )
    expect(new Set(await found('q=simultanol&limit=100'))).toEqual(new Set(products.map(({ id }) => id)))
  })

  test('a link must be within the product, and ends when the variant moves', async () => {
    const [product, other] = [await makeProduct({ name: 'Linkol' }), await makeProduct({ name: 'Elsewhere' })]
    const generic = await makeVariant(product.id)
    const brand = await makeVariant(product.id, { brandName: 'Linkix', linkedVariantId: generic.id })
    const foreign = await makeVariant(other.id)
    expect(brand['linkedVariantId']).toBe(generic.id)
    for (const linkedVariantId of [brand.id, foreign.id, unknownId, 'x', 5, '']) {
      const response = await send('PATCH', `/api/product-variants/${brand.id}`, { linkedVariantId })
      expect(response.status, String(linkedVariantId)).toBe(422)
      expect(await response.text()).toContain('linkedVariantId')
    }
    expect(await patchVariant(generic.id, { productId: other.id })).toMatchObject({
      productId: other.id,
      genericName: 'Elsewhere',
    })
    const variants = (await (await admin.get('/api/product-variants')).json()) as AdminVariant[]
    expect(variants.find(({ id }) => id === brand.id)).toMatchObject({ linkedVariantId: null })
  })

  test('an invalid variant field is 422 and names the field', async () => {
    const product = await makeProduct({ name: 'Wrongol' })
    const variant = await makeVariant(product.id)
    const missing = [undefined, null, '', ' ']
    const invalidTexts = [...missing, 5, {}, 'x'.repeat(301)]
    const wrong: Record<string, unknown[]> = {
      productId: [undefined, null, '', 'x', unknownId, 4],
      strength: invalidTexts,
      strengthUnit: invalidTexts,
      packageUnit: invalidTexts,
      packageSize: [undefined, null, 0, -1, 1.5, '30', 1_000_001],
      price: [...missing, 12.5, 'free', '-1.00', '1.234', '1,50', '1e3', '1000000.00', 'NaN'],
      acquisitionCost: [3, 'x', '-1', '0.001'],
      brandName: [5, 'x'.repeat(301)],
      dosageForm: ['Tablet', 'powder', 7, ''],
      manufacturerId: [unknownId, 'x', 5, ''],
      sku: [5, 'x'.repeat(101)],
      upc: [36000291452, '36000291452', '036000291453', 'abcdefghijkl', '0036000291452'],
      ndc: ['02282899', '0228289996', '0228-2899', 'x', 5],
      din: ['2242974', '022429745', 'abcdefgh', 5],
      inStock: ['yes', 1, null],
      trackInventory: ['yes', 0, null],
      stockQuantity: [-1, 1.5, '4', null, 1_000_000_001],
      linkedVariantId: [unknownId, 'x', 5],
    }
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const posted = await send('POST', '/api/product-variants', {
          ...validVariant(product.id),
          [field]: value,
        })
        expect(posted.status, `POST ${field} ${String(value)}`).toBe(422)
        expect(await posted.text()).toContain(field)
        if (value === undefined) continue
        const patched = await send('PATCH', `/api/product-variants/${variant.id}`, { [field]: value })
        expect(patched.status, `PATCH ${field} ${String(value)}`).toBe(422)
        expect(await patched.text()).toContain(field)
      }
    }
    expect(await (await send('POST', '/api/product-variants', { productId: product.id })).text()).toContain(
      'Please fill in all required variant fields',
    )
    expect((await (await admin.get('/api/product-variants')).json()) as AdminVariant[]).toContainEqual(
      variant,
    )
  })

  test('a deleted product leaves every list, page, search and cart; its rows stay', async () => {
    const product = await makeProduct({ name: 'Vanishol', category: 'OTC' })
    const variant = await makeVariant(product.id, {
      stockQuantity: 5,
      brandName: 'Vanishix',
      din: '00000019',
    })
    const visitor = shop.visit()
    await visitor.post(`/products/${product.id}`, { variantId: variant.id, quantity: '1' })
    expect(await (await visitor.get('/cart')).text()).toContain('Vanishol')
    expect(await (await visitor.get('/brands')).text()).toContain('Vanishix')
    const listed = async (path: string): Promise<string> => (await shop.visit().get(path)).text()
    const etag = (await shop.visit().get('/api/products')).headers.get('etag') ?? ''

    const deleted = await send('DELETE', `/api/products/${product.id}`, '')
    expect(deleted.status).toBe(204)
    expect(await deleted.text()).toBe('')
    for (const path of [
      '/api/products',
      '/api/product-variants',
      '/products',
      '/brands',
      '/sitemaps/products-1.xml',
    ])
      expect(await listed(path), path).not.toMatch(new RegExp(`${product.id}|${variant.id}|Vanishix`))
    for (const path of [`/api/products/${product.id}`, `/products/${product.id}`])
      expect((await shop.visit().get(path)).status, path).toBe(404)
    for (const query of ['q=vanishol', 'q=vanishix', 'din=00000019']) expect(await found(query)).toEqual([])
    expect((await shop.visit().get('/api/products', { 'if-none-match': etag })).status).toBe(200)
    expect((await send('DELETE', `/api/products/${product.id}`, '')).status).toBe(404)
    expect((await send('PATCH', `/api/products/${product.id}`, { name: '' })).status).toBe(404)
    expect((await send('PATCH', `/api/product-variants/${variant.id}`, { price: 1 })).status).toBe(404)
    expect((await send('POST', '/api/product-variants', validVariant(product.id))).status).toBe(422)
    const again = await shop.visit().post(`/products/${product.id}`, { variantId: variant.id, quantity: '1' })
    expect(again.status).toBe(422)
    expect(await (await visitor.get('/cart')).text()).not.toContain(`/products/${product.id}`)
    // The variant has no list of its own any more.
    const ledger = (await (await admin.get('/api/inventory/transactions?limit=1000')).json()) as {
      productVariantId: string
      quantityAfter: number
    }[]
    expect(ledger.filter((row) => row.productVariantId === variant.id)).toMatchObject([{ quantityAfter: 5 }])
  })

  test('errors come in the documented order, and only admins write', async () => {
    const product = await makeProduct({ name: 'Guardol' })
    const customer = shop.visit()
    await signInAs(customer, shop.db, await makeUser(shop.db))
    const writes = [
      ['POST', '/api/products'],
      ['PATCH', `/api/products/${product.id}`],
      ['POST', '/api/product-variants'],
      ['PATCH', `/api/product-variants/${unknownId}`],
    ] as const
    for (const [method, path] of writes) {
      expect((await send(method, path, '{', shop.visit())).status, path).toBe(401)
      expect((await send(method, path, '{', customer)).status, path).toBe(403)
      expect((await send(method, path, '{')).status, path).toBe(400)
      expect((await send(method, path, '[]')).status, path).toBe(400)
      expect((await send(method, path, { isAdmin: true })).status, path).toBe(400)
      const typed = await admin.request(path, {
        method,
        headers: { 'content-type': 'text/plain' },
        body: '{',
      })
      expect(typed.status, path).toBe(415)
      const foreign = await admin.request(path, {
        method,
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
        body: '{}',
      })
      expect(foreign.status, path).toBe(403)
    }
    expect((await send('DELETE', `/api/products/${product.id}`, '', customer)).status).toBe(403)
    expect((await send('DELETE', `/api/products/${product.id}`, '', shop.visit())).status).toBe(401)
    expect((await send('DELETE', '/api/products/nothing', '')).status).toBe(404)
    expect((await send('DELETE', `/api/product-variants/${unknownId}`, '')).status).toBe(405)
    expect((await admin.get(`/api/product-variants/${unknownId}`)).status).toBe(405)
    expect((await send('PATCH', `/api/products/${unknownId}`, { name: '' })).status).toBe(404)
    const audited = await shop.db
      .selectFrom('auditLog')
      .select('action')
      .where('objectId', '=', product.id)
      .execute()
    expect(audited).toEqual([{ action: 'product.created' }])
  })
})
