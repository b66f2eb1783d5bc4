import { mayReadReplica, type ReadRequest } from '#app/http/choose-reads.server.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { resultOf } from '#tests/support/trpc-calls.ts'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

const visitor: ReadRequest = {
  method: 'GET',
  path: '/products',
  isSignedIn: false,
  hasWriteMark: false,
  isBrowser: true,
}

test.each<[boolean, string, Partial<ReadRequest>]>([
  [true, 'a visitor', {}],
  [true, 'a visitor without a browser', { isBrowser: false }],
  [true, 'a signed-in browser', { isSignedIn: true }],
  [true, 'a query of the back office', { method: 'POST', path: '/trpc/orders.list', isSignedIn: true }],
  [false, 'a signed-in client that may keep no cookies', { isSignedIn: true, isBrowser: false }],
  [false, 'a browser that just wrote', { hasWriteMark: true }],
  [false, 'a form', { method: 'POST', path: '/cart' }],
  [false, 'a call of the API that deletes', { method: 'DELETE', path: '/api/products/1' }],
])('may read the replica: %s, %s', (may, _who, request) => {
  expect(mayReadReplica({ ...visitor, ...request })).toBe(may)
})

const listed = z.array(z.object({ name: z.string() }))
const grid = z.object({ rows: listed })
const browser = { 'sec-fetch-site': 'same-origin' }

eachShop((openShop) => {
  let shop: Shop
  let productId: string
  let manager: Visitor
  beforeAll(async () => {
    shop = await openShop({ hasReplica: true })
    const product = await shop.db.selectFrom('products').select(['id', 'name']).executeTakeFirstOrThrow()
    productId = product.id
    await shop.replica
      .updateTable('products')
      .set({ name: 'Aa before' })
      .where('id', '=', productId)
      .execute()
    await shop.db.updateTable('products').set({ name: 'Aa after' }).where('id', '=', productId).execute()
    manager = shop.visit()
    await signInAs(manager, shop.db, await makeUser(shop.db, { roles: ['catalog-manager'] }))
  })
  const nameFor = async (client: Visitor, headers: Record<string, string> = {}): Promise<string> => {
    const response = await client.get(`/api/products/${productId}`, headers)
    return z.object({ name: z.string() }).parse(await response.json()).name
  }
  const call = (client: Visitor, path: string, input: unknown): Promise<Response> =>
    client.request(`/trpc/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: shop.origin, ...browser },
      body: JSON.stringify(input),
    })
  const namesInGrid = async (client: Visitor): Promise<string[]> => {
    const response = await call(client, 'products.list', { sort: 'name', dir: 'asc', size: 100 })
    return grid.parse(await resultOf(response)).rows.map(({ name }) => name)
  }

  test('a visitor reads the replica, and the primary after a form', async () => {
    const client = shop.visit()
    expect(await nameFor(client)).toBe('Aa before')
    // A page that the cache keeps is from the primary.
    expect(await (await client.get(`/products/${productId}`)).text()).toContain('Aa after')
    const posted = await client.post('/theme', { theme: 'dark' })
    expect(posted.headers.getSetCookie().join()).toMatch(/wrote=[^;]+; Max-Age=10; Path=\/;.*HttpOnly/i)
    expect(await nameFor(client)).toBe('Aa after')
    expect(await (await client.get(`/products/${productId}`)).text()).toContain('Aa after')
    client.cookies.delete('wrote')
    expect(await nameFor(client)).toBe('Aa before')
    // With a theme too, the page is the one that the cache keeps. A rendered one is the replica's.
    expect(await (await client.get(`/products/${productId}`)).text()).toContain('Aa after')
    client.cookies.set('sidebar_state', 'true')
    expect(await (await client.get(`/products/${productId}`)).text()).toContain('Aa before')
  })

  test('a signed-in client reads the replica only as a browser', async () => {
    expect(await nameFor(manager, browser)).toBe('Aa before')
    expect(await nameFor(manager)).toBe('Aa after')
  })

  test('a query of the back office sets no mark, and a mutation does', async () => {
    // The mark stays in the browser that wrote.
    const writer = shop.visit()
    await signInAs(writer, shop.db, await makeUser(shop.db, { roles: ['catalog-manager'] }))
    expect(await namesInGrid(writer)).toContain('Aa before')
    expect(writer.cookies.has('wrote')).toBe(false)
    const saved = await call(writer, 'grids.hideColumns', { grid: 'products', columns: [] })
    expect(saved.status).toBe(200)
    expect(writer.cookies.has('wrote')).toBe(true)
    expect(await namesInGrid(writer)).toContain('Aa after')
  })
})
