import { newId } from '#domain/ids.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

/** The specification's entity, and nothing else. */
const transactionSchema = z.strictObject({
  id: z.string(),
  productVariantId: z.string(),
  transactionType: z.enum(['purchase', 'adjustment', 'return', 'damaged', 'expired', 'sale', 'cancellation']),
  quantityChange: z.number().int(),
  quantityBefore: z.number().int(),
  quantityAfter: z.number().int(),
  notes: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
type Transaction = z.infer<typeof transactionSchema>

const unknownId = '0190a6f2-1b2c-7d3e-8f4a-5b6c7d8e9f0a'

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  beforeAll(async () => {
    shop = await openShop({ catalog: 'empty' })
    admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
  })

  const adjust = (body: unknown, visitor = admin, headers: Record<string, string> = {}): Promise<Response> =>
    visitor.request('/api/inventory/adjust', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: shop.origin, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const adjusted = async (variantId: string, quantityChange: number): Promise<Transaction> => {
    const response = await adjust({ variantId, quantityChange, transactionType: 'adjustment' })
    expect(response.status).toBe(200)
    return transactionSchema.parse(await response.json())
  }
  const readList = async (path: string): Promise<{ rows: Transaction[]; next: string | undefined }> => {
    const response = await admin.get(path)
    expect(response.status, path).toBe(200)
    expect(response.headers.get('cache-control')).toContain('no-store')
    const next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
    return { rows: z.array(transactionSchema).parse(await response.json()), next }
  }
  const variantOf = (id: string) =>
    shop.db.selectFrom('productVariants').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  test('an adjustment that is sent again with its key changes the stock once', async () => {
    const variantId = await addVariant(shop.db, { stockQuantity: 10 })
    const body = { variantId, quantityChange: -3, transactionType: 'damaged', notes: 'Dropped' }
    const send = (change: object, key: string) =>
      adjust({ ...body, ...change }, admin, { 'idempotency-key': key })
    const key = randomUUID()
    const replies = await Promise.all([send({}, key), send({}, `"${key}"`), send({}, key.toUpperCase())])
    const rows = await Promise.all(replies.map(async (reply) => transactionSchema.parse(await reply.json())))
    expect(rows).toEqual(rows.map(() => ({ ...rows[0], id: key, quantityBefore: 10, quantityAfter: 7 })))
    expect((await variantOf(variantId)).stockQuantity).toBe(7)
    expect((await send({ quantityChange: -4 }, key)).status).toBe(409)
    expect((await send({}, randomUUID())).status).toBe(200)
    expect((await variantOf(variantId)).stockQuantity).toBe(4)
    for (const wrong of ['', 'again', newId()]) {
      const reply = await send({}, wrong)
      expect(reply.status, wrong).toBe(422)
      expect(await reply.text(), wrong).toContain('Idempotency-Key')
    }
    expect((await variantOf(variantId)).stockQuantity).toBe(4)
  })

  test('a key that is sent for two variants at once changes the stock of one', async () => {
    const variantIds = [await addVariant(shop.db), await addVariant(shop.db)]
    const [before = 0] = (await Promise.all(variantIds.map(variantOf))).map(
      ({ stockQuantity }) => stockQuantity,
    )
    const key = randomUUID()
    const replies = await Promise.all(
      variantIds.map((variantId) =>
        adjust({ variantId, quantityChange: 1, transactionType: 'return' }, admin, {
          'idempotency-key': key,
        }),
      ),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]))
    const variants = await Promise.all(variantIds.map(variantOf))
    expect(new Set(variants.map(({ stockQuantity }) => stockQuantity - before))).toEqual(new Set([0, 1]))
  })

  test('an adjustment returns its ledger row, and the stock matches it', async () => {
    const id = await addVariant(shop.db, { stockQuantity: 0, inStock: false })
    const response = await adjust({
      variantId: id,
      quantityChange: 12,
      transactionType: 'purchase',
      notes: '  Delivery of Monday  ',
    })
    expect(response.status).toBe(200)
    expect(transactionSchema.parse(await response.json())).toMatchObject({
      productVariantId: id,
      transactionType: 'purchase',
      quantityChange: 12,
      quantityBefore: 0,
      quantityAfter: 12,
      notes: 'Delivery of Monday',
    })
    const variant = await variantOf(id)
    expect(variant).toMatchObject({ stockQuantity: 12, inStock: true })
    expect(variant.version).toBeGreaterThan(1)
    const product = await shop.db
      .selectFrom('products')
      .select('inStock')
      .where('id', '=', (await variantOf(id)).productId)
      .executeTakeFirstOrThrow()
    expect(product.inStock).toBe(true)
    await adjusted(id, -12)
    expect(await variantOf(id)).toMatchObject({ stockQuantity: 0, inStock: false })
  })

  test('an adjustment below zero or above the maximum is 409 and changes nothing', async () => {
    const id = await addVariant(shop.db, { stockQuantity: 3 })
    const below = await adjust({ variantId: id, quantityChange: -4, transactionType: 'damaged' })
    expect(below.status).toBe(409)
    expect(await below.text()).toBe('You can’t remove 4 units. There are 3 on hand.')
    const full = await addVariant(shop.db, { stockQuantity: 1_000_000_000 })
    expect((await adjust({ variantId: full, quantityChange: 1, transactionType: 'purchase' })).status).toBe(
      409,
    )
    expect(await variantOf(id)).toMatchObject({ stockQuantity: 3, version: 1 })
    expect((await readList(`/api/inventory/variant/${id}`)).rows).toEqual([])
  })

  test('a product is out of stock when its variants run out concurrently', async () => {
    for (let i = 0; i < 10; i++) {
      const productId = await addProduct(shop.db)
      const ids = [1, 2, 3].map(() => addVariant(shop.db, { productId, stockQuantity: 1 }))
      const variants = await Promise.all(ids)
      await Promise.all(variants.map((id) => adjusted(id, 1)))
      await Promise.all(variants.map((id) => adjusted(id, -2)))
      const product = await shop.db
        .selectFrom('products')
        .select(['inStock'])
        .where('id', '=', productId)
        .executeTakeFirstOrThrow()
      expect(product.inStock).toBe(false)
    }
  })

  test('fifty concurrent adjustments write fifty rows, each starting where the previous one ended', async () => {
    const id = await addVariant(shop.db, { stockQuantity: 0, inStock: false })
    await adjusted(id, 100)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => adjusted(id, i % 2 ? 3 : -2)))
    const history: Transaction[] = []
    let path: string | undefined = `/api/inventory/variant/${id}?limit=7`
    while (path) {
      const { rows, next } = await readList(path)
      history.push(...rows)
      path = next
    }
    expect(history).toHaveLength(51)
    expect(history.at(-1)).toMatchObject({ quantityBefore: 0, quantityAfter: 100 })
    for (const [i, row] of history.slice(0, -1).entries()) {
      expect(row.quantityBefore).toBe(history[i + 1]?.quantityAfter)
      expect(row.createdAt >= (history[i + 1]?.createdAt ?? '')).toBe(true)
    }
    expect(history[0]?.quantityAfter).toBe(125)
    expect((await variantOf(id)).stockQuantity).toBe(125)
    expect(new Set(history.map(({ id }) => id))).toEqual(
      new Set([...answers.map(({ id }) => id), history.at(-1)?.id]),
    )
  })

  test('the ledger returns fifty rows by default, newest first', async () => {
    const id = await addVariant(shop.db, { stockQuantity: 0, inStock: false })
    for (let i = 0; i < 51; i++) await adjusted(id, 1)
    const { rows, next } = await readList('/api/inventory/transactions')
    expect(rows).toHaveLength(50)
    const all = (await readList('/api/inventory/transactions?limit=1000')).rows
    const times = all.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted().reverse())
    expect(rows).toEqual(all.slice(0, 50))
    expect((await readList(next ?? '')).rows[0]).toEqual(all[50])
    const after = all
      .filter(({ productVariantId }) => productVariantId === id)
      .map((row) => row.quantityAfter)
    expect(after).toEqual(Array.from({ length: 51 }, (_, i) => 51 - i))
  })

  test('the list of a missing or deleted variant is 404, before any other error; an unknown after is 422', async () => {
    const [variant, otherVariant, deleted] = [
      await addVariant(shop.db),
      await addVariant(shop.db),
      await addVariant(shop.db, { deletedAt: new Date() }),
    ]
    for (const id of [unknownId, 'nothing', deleted]) {
      expect((await admin.get(`/api/inventory/variant/${id}?limit=0`)).status).toBe(404)
    }
    const { id } = await adjusted(otherVariant, 1)
    for (const query of [`after=${id}`, `after=${unknownId}`, 'after=', 'limit=0', 'limit=1001', 'limit=x']) {
      expect((await admin.get(`/api/inventory/variant/${variant}?${query}`)).status, query).toBe(422)
    }
    expect((await admin.get(`/api/inventory/transactions?after=${unknownId}`)).status).toBe(422)
  })

  test('an invalid field is 422, and the message names it', async () => {
    const variantId = await addVariant(shop.db)
    const valid = { variantId, quantityChange: 1, transactionType: 'adjustment', notes: null }
    const invalid: Record<string, unknown[]> = {
      variantId: [undefined, null, '', 7, unknownId, "' or 1=1", variantId.toUpperCase()],
      quantityChange: [undefined, null, 0, -0, 1.5, '1', true, 1_000_001, -1_000_001],
      transactionType: [undefined, null, '', 'sale', 'cancellation', 'Purchase', 3],
      notes: [3, {}, 'x'.repeat(1001)],
    }
    for (const [field, values] of Object.entries(invalid)) {
      for (const value of values) {
        const response = await adjust({ ...valid, [field]: value })
        expect(response.status, `${field} ${String(value)}`).toBe(422)
        expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
        expect(await response.text()).toContain(field)
      }
    }
    const huge = JSON.stringify(valid).replace('"quantityChange":1', '"quantityChange":1e400')
    expect((await adjust(huge)).status).toBe(422)
    expect((await variantOf(variantId)).version).toBe(1)
  })

  test('a compressed body is an unsupported type, not broken JSON', async () => {
    const compressed = await admin.request('/api/inventory/adjust', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', origin: shop.origin },
      body: gzipSync('{}'),
    })
    expect([compressed.status, await compressed.text()]).toEqual([
      415,
      'Send the body without Content-Encoding.',
    ])
  })

  test('errors take precedence in order: sign-in, admin, type, JSON, unknown key, field', async () => {
    const customer = shop.visit()
    await signInAs(customer, shop.db, await makeUser(shop.db))
    expect((await adjust('{', shop.visit())).status).toBe(401)
    expect((await adjust('{', customer)).status).toBe(403)
    expect((await shop.visit().get('/api/inventory/transactions?limit=x')).status).toBe(401)
    expect((await customer.get(`/api/inventory/variant/${unknownId}`)).status).toBe(403)
    const untyped = await admin.request('/api/inventory/adjust', { method: 'POST', body: '{', headers: {} })
    expect(untyped.status).toBe(415)
    expect((await adjust('{')).status).toBe(400)
    expect((await adjust([])).status).toBe(400)
    expect((await adjust({ quantityChange: 0, reason: 'x' })).status).toBe(400)
    const crossSite = await admin.request('/api/inventory/adjust', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
      body: '{}',
    })
    expect(crossSite.status).toBe(403)
    expect((await admin.get('/api/inventory/adjust')).status).toBe(405)
  })
})
