import { wantsFastPaths } from '#tests/support/fast-paths.ts'
import { appRouter } from '#server/trpc/router.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { callProcedure, errorOf, resultOf } from '#tests/support/trpc-calls.ts'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

const procedures = Object.keys(appRouter._def.procedures)

const staff = ['pharmacist', 'fulfillment', 'support', 'catalog-manager'] as const
type Staff = (typeof staff)[number]
const catalog: readonly Staff[] = ['catalog-manager']
const stock: readonly Staff[] = ['pharmacist', 'fulfillment', 'catalog-manager']
const orders: readonly Staff[] = ['pharmacist', 'fulfillment', 'support']

/** The staff, besides admins, who may call a procedure, by its name or its router's. */
const callers: Record<string, readonly Staff[]> = {
  goTo: staff,
  grids: staff,
  'session.confirm': staff,
  imports: catalog,
  manufacturers: catalog,
  products: catalog,
  variants: catalog,
  'inventory.stock': stock,
  'inventory.history': stock,
  'inventory.suggest': stock,
  'inventory.lots': stock,
  'inventory.allLots': stock,
  'inventory.value': catalog,
  'inventory.adjust': catalog,
  orders,
  'orders.retryCapture': ['pharmacist', 'fulfillment'],
  'orders.saveShipment': ['pharmacist', 'fulfillment'],
  'orders.refund': ['support'],
  prescriptions: ['pharmacist'],
  cases: ['pharmacist'],
  messages: ['pharmacist'],
  recalls: ['pharmacist', 'catalog-manager'],
  'users.list': ['support'],
}
const callersOf = (path: string): readonly Staff[] =>
  callers[path] ?? callers[path.slice(0, path.indexOf('.'))] ?? []

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  let customer: Visitor
  const colleagues = new Map<Staff, Visitor>()
  beforeAll(async () => {
    shop = await openShop({ catalog: 'empty' })
    admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
    customer = shop.visit()
    await signInAs(customer, shop.db, await makeUser(shop.db, {}))
    for (const role of staff) {
      const visitor = shop.visit()
      await signInAs(visitor, shop.db, await makeUser(shop.db, { roles: [role] }))
      colleagues.set(role, visitor)
    }
  })
  const post = (visitor: Visitor, path: string, init: RequestInit = {}) =>
    visitor.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: shop.origin },
      ...init,
    })

  test.each(procedures)('%s is for staff with its permission, whatever the input', async (path) => {
    expect(await errorOf(await callProcedure(shop.visit(), shop.origin, path, { id: 1 }))).toMatchObject({
      status: 401,
      code: 'UNAUTHENTICATED',
    })
    expect(await errorOf(await callProcedure(customer, shop.origin, path, { id: 1 }))).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
      fields: {},
    })
    const callersFound: Staff[] = []
    for (const [role, visitor] of colleagues) {
      const response = await callProcedure(visitor, shop.origin, path, { id: 1 })
      if (response.status !== 403) callersFound.push(role)
    }
    expect(callersFound).toEqual(callersOf(path))
  })

  test('a query can be sent by POST, and its response is not cached', async () => {
    const response = await callProcedure(admin, shop.origin, 'manufacturers.list', {})
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(await resultOf(response)).toEqual({ rows: [], total: 0, next: null, previous: null })
  })

  test('a GET changes nothing', async () => {
    const input = encodeURIComponent(JSON.stringify({ name: 'By GET' }))
    const response = await admin.get(`/trpc/manufacturers.create?input=${input}`)
    expect(await errorOf(response)).toMatchObject({ status: 405 })
    expect(await shop.db.selectFrom('manufacturers').select('id').execute()).toEqual([])
  })

  test('an invalid field is 422, and the message names it', async () => {
    const response = await callProcedure(admin, shop.origin, 'manufacturers.create', { name: ' ' })
    expect(await errorOf(response)).toMatchObject({
      status: 422,
      code: 'INVALID',
      fields: { name: 'Enter a name.' },
    })
  })

  test('refuses a batch of 500 calls and answers a small one', async () => {
    const many = Array.from({ length: 500 }, () => 'manufacturers.list').join(',')
    expect((await post(admin, `/trpc/${many}?batch=1`, { body: '{}' })).status).toBe(413)
    const encoded = many.replaceAll(',', '%2c')
    expect((await post(admin, `/trpc/${encoded.slice(0, 2000)}?batch=1`, { body: '{}' })).status).toBe(413)
    const few = await post(admin, '/trpc/manufacturers.list,manufacturers.list?batch=1', {
      body: JSON.stringify({ 0: {}, 1: {} }),
    })
    expect(few.status).toBe(200)
    expect(z.array(z.unknown()).parse(await few.json())).toHaveLength(2)
  })

  test.each([
    ['no JSON', { body: 'name=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
    ['a file', { body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=x' } }, 415],
    ['truncated JSON', { body: '{"name":' }, 400],
    ['more than a mebibyte', { body: JSON.stringify({ name: 'x'.repeat(1024 * 1024) }) }, 413],
  ])('refuses %s', async (_, init, status) => {
    const headers = {
      'content-type': 'application/json',
      origin: shop.origin,
      ...('headers' in init && init.headers),
    }
    expect((await post(admin, '/trpc/manufacturers.create', { ...init, headers })).status).toBe(status)
  })

  test('refuses a cross-site call', async () => {
    const headers = { 'content-type': 'application/json', origin: 'https://evil.example' }
    expect((await post(admin, '/trpc/manufacturers.list', { headers, body: '{}' })).status).toBe(403)
  })

  test('a malformed path is rejected', async () => {
    // React Router's own matching finds no route for it.
    const malformedStatus = wantsFastPaths ? 400 : 404
    expect((await admin.get('/trpc/%E0%A4%A')).status).toBe(malformedStatus)
    expect((await post(admin, '/trpc/%ff', { body: '{}' })).status).toBe(malformedStatus)
  })

  test('an unknown procedure is 404', async () => {
    expect(await errorOf(await callProcedure(admin, shop.origin, 'manufacturers.nothing', {}))).toMatchObject(
      {
        status: 404,
      },
    )
  })

  test.each(['manufacturers', 'pharmacies', 'users', 'prescriptions', 'products', 'variants'])(
    'refuses an impossible version of %s with a field message',
    async (grid) => {
      const verb = grid === 'prescriptions' ? 'decide' : 'update'
      for (const version of [2 ** 31, -(2 ** 53) + 1, 1.5, '1', null]) {
        const input = { id: crypto.randomUUID(), version }
        const response = await callProcedure(admin, shop.origin, `${grid}.${verb}`, input)
        expect(await errorOf(response), String(version)).toMatchObject({
          status: 422,
          fields: { version: expect.any(String) },
        })
      }
    },
  )
})
