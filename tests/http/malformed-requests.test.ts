import { findSold, type Sold } from '#tests/support/demo-catalog.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { withinProcessorMs } from '#tests/support/within-processor-ms.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

eachShop((openShop) => {
  let shop: Shop
  let sold: Sold
  beforeAll(async () => {
    shop = await openShop()
    ;[sold] = await findSold(shop.db)
  })

  test.each(['PUT', 'PATCH', 'DELETE'])('a form by %s is 405 and changes nothing', async (method) => {
    for (const path of ['/cart', `/products/${sold.productId}`]) {
      const body = new URLSearchParams({ variantId: sold.variantId, quantity: '1' })
      const response = await shop.visit().request(path, { method, body })
      expect(response.status, path).toBe(405)
      expect(response.headers.get('set-cookie')).toBeNull()
    }
  })

  test('a form that asks for what the cart does not do is 422 and changes nothing', async () => {
    const visitor = shop.visit()
    const response = await visitor.post('/cart', { intent: 'empty-the-till', variantId: 'x', quantity: '1' })
    expect(response.status).toBe(422)
    expect(visitor.cookies.size).toBe(0)
  })

  test('what only reads answers another method in one plain sentence', async () => {
    for (const path of ['/search/suggestions', '/search/manufacturers', '/img/v/x.svg']) {
      const response = await shop.visit().request(path, { method: 'POST' })
      expect(response.status, path).toBe(405)
      expect(response.headers.get('allow')).toBe('GET')
      expect(await response.text()).toBe('This method is not allowed.')
    }
  })

  test('a method that a page has not is no error of ours in the log', async () => {
    const before = shop.log.length
    for (const method of ['POST', 'PUT', 'OPTIONS']) {
      expect((await shop.visit().request('/products', { method })).status).toBe(405)
    }
    expect(shop.log.slice(before).filter(({ level }) => level === 'error')).toEqual([])
  })

  test.each(['LOCALHOST:3000', 'Shop.LocalHost:3000'])(
    'the Host %s is ours: names have no case',
    async (host) => {
      expect((await shop.visit().get('/cart', { host })).status).toBe(200)
    },
  )

  test('a Host that is no host is 421', async () => {
    for (const host of ['127.999.0.1', '127.0.0.1.', '[::1', '']) {
      expect((await shop.visit().get('/', { host })).status, host).toBe(421)
    }
  })

  test.each([
    ['of thousands of folders', '/a'.repeat(7500)],
    ['of thousands of folders that are no text', '/%ff'.repeat(3500)],
  ])('a path %s is not found, and at once', async (_, path) => {
    const response = await withinProcessorMs(200, () => shop.visit().get(path))
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('404 Page Not Found')
  })
})

/** Fetch makes no such request; Node's client does. */
const trace = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(url, { method: 'TRACE' }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })

test('TRACE is 405 wherever there is something, and never an error of ours', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-trace-'))
  const running = await startShop(`sqlite:${join(folder, 'shop.sqlite')}`, { demoCatalogue: false })
  try {
    for (const path of ['/', '/products', '/cart', '/checkout', '/api/products', '/search/suggestions']) {
      expect(await trace(running.origin + path), path).toBe(405)
    }
    expect(await trace(`${running.origin}/api/nowhere`)).toBe(404)
  } finally {
    await running.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
