import { testDay } from '#tests/support/catalog.ts'
import { findAvailableVariants } from '#tests/support/demo-catalog.ts'
import { eachShop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

eachShop((openShop) => {
  test('in production the 121st new cart of an address is a 429 with Retry-After', async () => {
    const env = { PUBLIC_ORIGIN: 'http://localhost:3000' }
    const shop = await openShop({ mode: 'production', env, now: () => testDay })
    const [{ variantId }] = await findAvailableVariants(shop.db)
    const add = (path = '/cart') => shop.visit().post(path, { variantId, quantity: '1' })
    for (let i = 0; i < 120; i++) expect((await add()).status).toBe(303)
    // As a form of the browser, and as the page's script sends it.
    for (const path of ['/cart', '/cart.data']) {
      const refused = await add(path)
      expect([refused.status, refused.headers.get('retry-after')], path).toEqual([429, '3600'])
    }
  })
})
