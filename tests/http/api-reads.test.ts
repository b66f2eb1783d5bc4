import { product as productSchema, variant as variantSchema } from '#app/routes/api/openapi/replies.ts'
import { testDay } from '#tests/support/catalog.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

const resultSchema = productSchema.extend({ matchedVariantId: z.uuid().nullable() })

const nextPageOf = (response: Response): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]

eachShop((openShop) => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
  })

  async function getJson<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    const response = await shop.visit().get(path)
    expect(response.status, path).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    return schema.parse(await response.json())
  }

  test('an unknown category is 422, and the message names the field', async () => {
    const response = await shop.visit().get('/api/products/search?category=vitamins')
    expect(response.status).toBe(422)
    expect(await response.text()).toContain('category')
  })

  test('GET /api/auth/user is 401 for a visitor who is not signed in', async () => {
    const response = await shop.visit().get('/api/auth/user')
    expect(response.status).toBe(401)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await response.text()).toMatch(/^[A-Z].*\.$/)
  })

  test('GET /api/products returns the whole list, and so do its pages combined', async () => {
    const whole = await getJson('/api/products', z.array(productSchema))
    const { n } = await shop.db
      .selectFrom('products')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('deletedAt', 'is', null)
      .executeTakeFirstOrThrow()
    expect(whole).toHaveLength(n)
    const paged: z.infer<typeof productSchema>[] = []
    let path: string | undefined = '/api/products?limit=100'
    while (path) {
      const response = await shop.visit().get(path)
      paged.push(...z.array(productSchema).parse(await response.json()))
      path = nextPageOf(response)
    }
    expect(paged).toEqual(whole)
  })

  test('GET /api/product-variants returns the whole list, and so do its pages combined', async () => {
    const whole = await getJson('/api/product-variants', z.array(variantSchema))
    const paged: z.infer<typeof variantSchema>[] = []
    let path: string | undefined = '/api/product-variants?limit=1000'
    while (path) {
      const response = await shop.visit().get(path)
      paged.push(...z.array(variantSchema).parse(await response.json()))
      path = nextPageOf(response)
    }
    expect(paged).toEqual(whole)
    expect(new Set(whole.map((variant) => variant.id)).size).toBe(whole.length)
  })

  test('include=variants adds each product its variants without changing the order', async () => {
    const plain = await getJson('/api/products?limit=30', z.array(productSchema))
    const full = await getJson(
      '/api/products?limit=30&include=variants',
      z.array(productSchema.extend({ variants: z.array(variantSchema) })),
    )
    expect(full.map((product) => product.id)).toEqual(plain.map((product) => product.id))
    for (const { id: productId, variants } of full) {
      expect(variants.length).toBeGreaterThan(0)
      expect(variants.every((variant) => variant.productId === productId)).toBe(true)
    }
    const [first] = full
    const one = await getJson(
      `/api/products/${first?.id}?include=variants`,
      productSchema.extend({ variants: z.array(variantSchema) }),
    )
    expect(one).toEqual(first)
    expect(await getJson(`/api/products/${first?.id}`, productSchema)).toEqual(plain[0])
  })

  test('no public list shows the acquisition cost', async () => {
    for (const path of [
      '/api/product-variants',
      '/api/products?include=variants',
      '/api/products/search?q=ibuprofen&include=variants',
    ]) {
      expect(await (await shop.visit().get(path)).text()).not.toMatch(/acquisition|catalogKey|digest/i)
    }
  })

  test('GET /api/products/search finds by name and by identifier, and says which variant matched', async () => {
    const resultsByName = await getJson('/api/products/search?q=ibuprofen', z.array(resultSchema))
    expect(resultsByName[0]?.name).toMatch(/ibuprofen/i)
    expect(resultsByName.every((result) => result.matchedVariantId === null)).toBe(true)
    const variant = await shop.db
      .selectFrom('productVariants')
      .select(['id', 'productId', 'din'])
      .where('din', 'is not', null)
      .orderBy('id')
      .executeTakeFirstOrThrow()
    for (const query of [`din=${variant.din}`, `q=${variant.din}`, `q=DIN%20${variant.din}`]) {
      const results = await getJson(`/api/products/search?${query}`, z.array(resultSchema))
      expect(results, query).toContainEqual(
        expect.objectContaining({ id: variant.productId, matchedVariantId: variant.id }),
      )
    }
  })

  test('a search that finds nothing is an empty list', async () => {
    expect(await getJson('/api/products/search?q=qqqqqqqqq', z.array(resultSchema))).toEqual([])
    expect(await getJson('/api/products/search?din=00000000', z.array(resultSchema))).toEqual([])
  })

  test('a search returns 24 results by default and at most 100', async () => {
    expect(await getJson('/api/products/search', z.array(resultSchema))).toHaveLength(24)
    expect(await getJson('/api/products/search?limit=5', z.array(resultSchema))).toHaveLength(5)
    expect(await getJson('/api/products/search?limit=100', z.array(resultSchema))).toHaveLength(100)
    expect((await shop.visit().get('/api/products/search?limit=101')).status).toBe(422)
  })

  test('GET /api/manufacturers returns only ids and names to a visitor', async () => {
    const list = await getJson(
      '/api/manufacturers',
      z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
    )
    expect(list.length).toBeGreaterThan(0)
  })

  test('in production, an address reads only so many whole lists, and pages without limit', async () => {
    const production = await openShop({ mode: 'production', now: () => testDay })
    const visitor = production.visit()
    const lists = ['/api/products', '/api/product-variants', '/api/manufacturers', '/sitemaps/pages.xml']
    const statuses = []
    for (let i = 0; i < 24; i++) {
      const response = await visitor.get(lists[i % lists.length] ?? '', { 'if-none-match': '*' })
      statuses.push(response.status)
    }
    expect(statuses).toEqual([...Array<number>(20).fill(304), ...Array<number>(4).fill(429)])
    const refused = await visitor.get('/api/products?after=x')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600'])
    for (const path of ['/api/products?limit=5', '/api/products/search?q=ibuprofen', '/products']) {
      expect((await visitor.get(path)).status, path).toBe(200)
    }
    // Other spellings of the same addresses.
    const spellings = [
      '/API/products',
      '/API//Product-Variants/',
      '/api/%70roducts',
      '/api/manufacturer%73',
      '/API/products/_.data',
      '/Sitemaps/pages.xml',
      '/%73itemaps/pages.xml',
    ]
    for (const path of spellings) expect((await visitor.get(path)).status, path).toBe(429)
  })

  test.each(['/api/products', '/api/products?limit=5', '/api/product-variants', '/api/manufacturers'])(
    '%s has an ETag, and a request with it gets 304',
    async (path) => {
      const first = await shop.visit().get(path)
      const etag = first.headers.get('etag') ?? ''
      expect(etag).toMatch(/^(W\/)?".+"$/)
      await first.arrayBuffer()
      const again = await shop.visit().get(path, { 'if-none-match': etag })
      expect(again.status).toBe(304)
      expect(await again.text()).toBe('')
    },
  )

  test('an ETag changes when the list does', async () => {
    const separateShop = await openShop()
    const etag = async (path: string) => {
      const response = await separateShop.visit().get(path)
      await response.arrayBuffer()
      return response.headers.get('etag')
    }
    const before = { products: await etag('/api/products'), variants: await etag('/api/product-variants') }
    const { id: variantId, productId } = await separateShop.db
      .selectFrom('productVariants')
      .select(['id', 'productId'])
      .limit(1)
      .executeTakeFirstOrThrow()
    await separateShop.db
      .updateTable('productVariants')
      .set(({ eb }) => ({ priceCents: 4242, version: eb('version', '+', 1) }))
      .where('id', '=', variantId)
      .execute()
    expect(await etag('/api/product-variants')).not.toBe(before.variants)
    await separateShop.db
      .updateTable('products')
      .set(({ eb }) => ({ name: 'Another name', version: eb('version', '+', 1) }))
      .where('id', '=', productId)
      .execute()
    expect(await etag('/api/products')).not.toBe(before.products)
  })

  test.each([
    '/api/products',
    '/api/product-variants',
    '/api/manufacturers',
    '/api/auth/user',
    '/api/products/search',
  ])('a method that %s does not support is 405 with Allow', async (path) => {
    for (const method of ['PUT', 'DELETE']) {
      const response = await shop.visit().request(path, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toContain('GET')
      expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    }
  })
})
