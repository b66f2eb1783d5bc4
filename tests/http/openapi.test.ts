import { operations } from '#app/routes/api/openapi/operations.ts'
import { buildDocument } from '#app/routes/api/openapi/document.ts'
import { replies, type ReplyName } from '#app/routes/api/openapi/replies.ts'
import { getOrder } from '#server/orders/get-order.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { placeOrder, placeRxOrder } from '#tests/support/orders.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { dateBefore } from '#tests/support/dates.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import createClient from 'openapi-fetch'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { paths } from './api-types.d.ts'
import { guards } from './guards-table.ts'

test('the document describes every call under /api', () => {
  const calls = Object.keys(guards).filter((call) => /^(GET|POST|PUT|PATCH|DELETE) \/api\//.test(call))
  const documented = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
  const isDocumented = (call: string): boolean => !call.endsWith(' /api/*') && !call.endsWith('/openapi.json')
  // Log out's form posts to the same path as its link.
  expect([...documented, 'POST /api/logout'].toSorted()).toEqual(calls.filter(isDocumented).toSorted())
})

test('the document is valid OpenAPI 3.1', async () => {
  const document = buildDocument({ now: new Date() }, { origin: 'https://shop.example', cookie: 'session' })
  const result = await new Validator().validate(structuredClone(document))
  expect(result).toMatchObject({ valid: true })
})

const rowsSchema = z.array(z.object({ id: z.string() }))

eachShop((openShop) => {
  test('a generated client signs in, finds a medicine and adjusts its stock', async () => {
    const shop = await openShop()
    const visitor = shop.visit()
    await signInAs(visitor, shop.db, await makeUser(shop.db, { isAdmin: true }))
    const client = createClient<paths>({
      baseUrl: shop.origin,
      headers: { origin: shop.origin },
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url)
        const body = request.body ? await request.text() : null
        return visitor.request(pathname + search, { method: request.method, headers: request.headers, body })
      },
    })
    const { data: found } = await client.GET('/api/products/search', {
      params: { query: { q: 'ibuprofen', include: 'variants', limit: 1 } },
    })
    const variant = found?.[0]?.variants?.[0]
    if (!variant) throw new Error('No ibuprofen.')
    const adjustment = { variantId: variant.id, quantityChange: 5, transactionType: 'purchase' } as const
    const { data: transaction } = await client.POST('/api/inventory/adjust', { body: adjustment })
    expect(transaction?.quantityAfter).toBe(variant.stockQuantity + 5)
    const { error, response } = await client.GET('/api/products/{id}', { params: { path: { id: 'x' } } })
    expect([response.status, error]).toEqual([404, 'Product not found'])
  })

  test('replies have the documented fields and no others', async () => {
    const shop = await openShop()
    const admin = await makeUser(shop.db, { isAdmin: true })
    const visitor = shop.visit()
    await signInAs(visitor, shop.db, admin)
    const { order, variantId } = await placeRxOrder(shop.db, admin)
    const values: Record<string, string> = { userId: admin, orderId: order.id, variantId }
    const idOf: Record<string, string> = {
      products: order.items[0]?.product.id ?? '',
      orders: order.id,
      users: admin,
    }
    const seen: string[] = []
    for (const { method, path, reply } of operations) {
      if (method !== 'GET' || reply === null || reply === 'file' || reply === 'redirect') continue
      const url = path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => values[name] ?? idOf[path.split('/')[2] ?? ''] ?? '',
      )
      for (const query of path.startsWith('/api/products')
        ? ['?q=ibuprofen', '?q=ibuprofen&include=variants']
        : ['']) {
        const response = await visitor.get(url + query)
        expect(response.status, url).toBe(200)
        const body: unknown = await response.json()
        const result = schemaOf(reply).safeParse(body)
        expect(result.error?.issues.slice(0, 3) ?? [], `${url}${query}`).toEqual([])
        if (!Array.isArray(body) || body.length > 0) seen.push(path)
      }
    }
    expect(seen).toEqual(
      expect.arrayContaining([
        '/api/orders',
        '/api/prescriptions',
        '/api/users/{id}',
        '/api/inventory/transactions',
      ]),
    )
  })

  /** An admin, and a variant whose stock of 5 is in a lot. */
  const stockLot = async (shop: Shop) => {
    const admin = await makeUser(shop.db, { isAdmin: true })
    const visitor = shop.visit()
    await signInAs(visitor, shop.db, admin)
    const variantId = await addVariant(shop.db, { stockQuantity: 0, inStock: false })
    const lot = { lotNumber: 'L1', expiryDate: dateBefore(new Date(), -400) }
    const adjusted = await visitor.request('/api/inventory/adjust', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: shop.origin },
      body: JSON.stringify({ variantId, quantityChange: 5, transactionType: 'purchase', ...lot }),
    })
    return { admin, visitor, variantId, lot, row: z.json().parse(await adjusted.json()) }
  }

  test('the reply to an adjustment of a lot has the documented fields and no others', async () => {
    const { row, lot } = await stockLot(await openShop({ catalog: 'empty' }))
    expect(row).toMatchObject({ quantityAfter: 5, ...lot })
    expect(replies.AdjustedStock.safeParse(row).error?.issues ?? []).toEqual([])
  })

  test('an order of units in a lot has the documented fields and no others', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const { admin, visitor, variantId } = await stockLot(shop)
    const { id } = await placeOrder(shop.db, admin, {
      items: [{ productVariantId: variantId, quantity: 2 }],
    })
    const order = await getOrder(testContext(shop.db, { user: signedIn(admin) }), id)
    expect(order.items[0]?.lots).toMatchObject([{ lotNumber: 'L1', quantity: 2 }])
    const reply: unknown = await (await visitor.get(`/api/orders/${id}`)).json()
    expect(replies.Order.safeParse(reply).error?.issues ?? []).toEqual([])
  })

  // The back office stores what the package has (docs/decisions/0019-back-office.md).
  test('identifiers that staff stored as printed are within the document', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const printed = { ndc: '02282899960', upc: '1 23456 78901 2', din: '2242420' }
    const id = await addVariant(shop.db, printed)
    const reply: unknown = await (await shop.visit().get('/api/product-variants?limit=1')).json()
    expect(reply).toMatchObject([{ id, ...printed }])
    expect(z.array(replies.Variant).safeParse(reply).error?.issues ?? []).toEqual([])
  })

  test('a whole list is deprecated where the document says so, and links to its first page', async () => {
    const shop = await openShop()
    const admin = await makeUser(shop.db, { isAdmin: true })
    const visitor = shop.visit()
    await signInAs(visitor, shop.db, admin)
    const { variantId } = await placeRxOrder(shop.db, admin)
    const lists = operations
      .filter(({ isPaged }) => isPaged)
      .map((list) => ({
        ...list,
        url: list.path.replace('{userId}', admin).replace('{variantId}', variantId),
      }))
    const isDeprecated = async (path: string): Promise<boolean> =>
      (await visitor.get(path)).headers.has('deprecation')
    for (const { url, deprecation } of lists) {
      expect([await isDeprecated(url), await isDeprecated(`${url}?limit=1`)], url).toEqual([
        deprecation !== null,
        false,
      ])
    }
    const whole = lists.filter(({ deprecation }) => deprecation !== null)
    for (const { url } of whole) {
      const response = await visitor.get(url)
      expect(response.headers.get('deprecation')).toBe('@1795737600')
      const first = /^<([^>]+)>; rel="first", <([^>]+)>; rel="deprecation"/.exec(
        response.headers.get('link') ?? '',
      )
      expect(first?.slice(1), url).toEqual([`${url}?limit=1000`, '/api/openapi.json'])
      const rows = rowsSchema.parse(await response.json())
      const firstPage = rowsSchema.parse(await (await visitor.get(first?.[1] ?? '')).json())
      expect(firstPage, url).toEqual(rows.slice(0, 1000))
    }
    expect(whole.map(({ path }) => path)).toEqual([
      '/api/products',
      '/api/product-variants',
      '/api/orders',
      '/api/orders/user',
      '/api/orders/user/{userId}',
      '/api/users',
    ])
  })

  test('setting the stock of a variant is deprecated where the document says so; other changes are not', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const admin = await makeUser(shop.db, { isAdmin: true })
    const visitor = shop.visit()
    await signInAs(visitor, shop.db, admin)
    const url = `/api/product-variants/${await addVariant(shop.db)}`
    const patch = (changes: object): Promise<Response> =>
      visitor.request(url, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(changes),
      })
    const set = await patch({ stockQuantity: 7 })
    expect([set.status, set.headers.get('deprecation')]).toEqual([200, '@1795996800'])
    expect(set.headers.get('link')).toBe('</api/openapi.json>; rel="deprecation"; type="application/json"')
    const other = await patch({ price: '4.20' })
    expect([other.status, other.headers.get('deprecation')]).toEqual([200, null])
    const deprecated = operations.filter(
      ({ method, deprecation }) => method !== 'GET' && deprecation !== null,
    )
    expect(deprecated.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'PATCH /api/product-variants/{id}',
    ])
  })

  test('a whole list that starts after a row, or has variants, links to the same list from its start', async () => {
    const shop = await openShop()
    const [{ id } = { id: '' }] = rowsSchema.parse(
      await (await shop.visit().get('/api/products?limit=1')).json(),
    )
    const rest = await shop.visit().get(`/api/products?include=variants&after=${id}`)
    expect(rest.headers.get('link')).toContain('</api/products?include=variants&limit=1000>; rel="first"')
    const same = await shop
      .visit()
      .get(`/api/products?include=variants&after=${id}`, { 'if-none-match': rest.headers.get('etag') ?? '' })
    expect([same.status, same.headers.get('deprecation')]).toEqual([304, '@1795737600'])
  })
})

type JsonReply = ReplyName | { list: ReplyName } | { either: readonly unknown[] }

function schemaOf(reply: JsonReply): z.ZodType {
  if (typeof reply === 'string') return replies[reply]
  return 'list' in reply ? z.array(replies[reply.list]) : z.array(replies.Manufacturer)
}
