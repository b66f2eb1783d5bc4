import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { callProcedure } from '#tests/support/trpc-calls.ts'
import { beforeAll, expect, test } from 'vitest'

/** The list procedures of the grids, with their sorts. */
const grids: Record<string, readonly string[]> = {
  'variants.list': ['product', 'price', 'stock', 'margin', 'newest'],
  'products.list': ['name', 'price', 'variants', 'newest'],
  'manufacturers.list': ['name', 'country'],
  'pharmacies.list': ['name', 'country', 'expiry'],
  'inventory.stock': ['stock', 'product', 'price'],
  'inventory.history': ['newest'],
  'orders.list': ['date', 'total', 'status'],
  'users.list': ['joined'],
  'cases.list': ['due', 'received'],
  'messages.list': ['waiting'],
  'recalls.list': ['reported'],
  'imports.list': ['uploaded'],
}

const oddParams: readonly Record<string, string>[] = [
  { q: 'a\u0007b' },
  { q: '\ud800' },
  { q: `%_\\'"--` },
  { after: '["\\u0000","\\u0000"]' },
  { before: '["no number","x"]' },
  { after: '[1e400,"x"]' },
  { after: '[1.5,"x"]' },
  { after: '[-99999999999999999999,""]' },
  { after: '[{},[]]' },
  { after: '[' },
  { last: '2', size: '1e9', dir: '\u0007', sort: '\u0007' },
  { status: '\u0007', role: '\u0007', show: '\u0007', stock: '\u0007', category: '\u0007' },
  { variant: 'a\u0007', manufacturerId: '\u0007' },
]

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  beforeAll(async () => {
    shop = await openShop({ catalog: 'empty' })
    admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
  })

  test.each(Object.entries(grids))('%s returns a page for any parameters', async (path, sorts) => {
    for (const sort of sorts) {
      for (const params of oddParams) {
        const response = await callProcedure(admin, shop.origin, path, { sort, ...params })
        expect(response.status, `${sort} ${JSON.stringify(params)}: ${await response.text()}`).toBe(200)
      }
    }
  })

  test.each([
    'variants',
    'products',
    'manufacturers',
    'pharmacies',
    'inventory',
    'orders',
    'settings',
    'messages',
    'screening/recalls',
    'variants/import',
  ])('/admin/%s renders for any parameters', async (page) => {
    for (const params of oddParams) {
      const response = await admin.get(`/admin/${page}?${new URLSearchParams(params)}`)
      expect(response.status, JSON.stringify(params)).toBe(200)
    }
  })
})
