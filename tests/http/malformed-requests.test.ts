import { findAvailableVariants, type AvailableVariant } from '#tests/support/demo-catalog.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { wantsFastPaths } from '#tests/support/fast-paths.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { withinCpuMs } from '#tests/support/within-cpu-ms.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

eachShop((openShop) => {
  let shop: Shop
  let sold: AvailableVariant
  beforeAll(async () => {
    shop = await openShop()
    ;[sold] = await findAvailableVariants(shop.db)
  })

  test.each(['PUT', 'PATCH', 'DELETE'])('a %s form is 405 and changes nothing', async (method) => {
    for (const path of ['/cart', `/products/${sold.productId}`]) {
      const body = new URLSearchParams({ variantId: sold.variantId, quantity: '1' })
      const response = await shop.visit().request(path, { method, body })
      expect(response.status, path).toBe(405)
      expect(response.headers.get('set-cookie')).toBeNull()
    }
  })

  test('a cart form with an unknown intent is 422 and changes nothing', async () => {
    const visitor = shop.visit()
    const response = await visitor.post('/cart', { intent: 'unknown-intent', variantId: 'x', quantity: '1' })
    expect(response.status).toBe(422)
    expect(visitor.cookies.size).toBe(0)
  })

  test('a read-only route answers another method with one plain sentence', async () => {
    for (const path of ['/search/suggestions', '/search/manufacturers', '/img/v/x.svg']) {
      const response = await shop.visit().request(path, { method: 'POST' })
      expect(response.status, path).toBe(405)
      expect(response.headers.get('allow')).toBe('GET')
      expect(await response.text()).toBe('This method is not allowed.')
    }
  })

  test('a method that a page does not support logs no error', async () => {
    const before = shop.log.length
    for (const method of ['POST', 'PUT', 'OPTIONS']) {
      expect((await shop.visit().request('/products', { method })).status).toBe(405)
    }
    expect(shop.log.slice(before).filter(({ level }) => level === 'error')).toEqual([])
  })

  test.each(['LOCALHOST:3000', 'Shop.LocalHost:3000'])(
    'the Host %s is accepted: host names ignore case',
    async (host) => {
      expect((await shop.visit().get('/cart', { host })).status).toBe(200)
    },
  )

  test('an invalid Host is 421', async () => {
    for (const host of ['127.999.0.1', '127.0.0.1.', '[::1', '']) {
      expect((await shop.visit().get('/', { host })).status, host).toBe(421)
    }
  })

  test.each([
    ['with thousands of segments', '/a'.repeat(7500)],
    ['with thousands of segments that are not valid text', '/%ff'.repeat(3500)],
  ])('a path %s is not found within the time limit', async (_, path) => {
    const response = await withinCpuMs(200, () => shop.visit().get(path))
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('404 Page Not Found')
  })
})

/** `fetch` refuses to send TRACE; Node's HTTP client does not. */
const trace = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(url, { method: 'TRACE' }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })

test('TRACE is 405 on every existing route, and a URL above 16 KiB is 431', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-trace-'))
  const running = await startShop(`sqlite:${join(folder, 'shop.sqlite')}`, { demoCatalog: false })
  try {
    for (const path of ['/', '/products', '/cart', '/checkout', '/api/products', '/search/suggestions']) {
      expect(await trace(running.origin + path), path).toBe(405)
    }
    // React Router refuses the method before it looks for the route.
    expect(await trace(`${running.origin}/api/nowhere`)).toBe(wantsFastPaths ? 404 : 405)
    expect((await fetch(`${running.origin}/products?q=${'x'.repeat(15_000)}`)).status).toBe(200)
    expect((await fetch(`${running.origin}/products?q=${'x'.repeat(17_000)}`)).status).toBe(431)
  } finally {
    await running.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
