import { findAvailableVariants, type AvailableVariant } from '#tests/support/demo-catalog.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { wantsFastPaths } from '#tests/support/fast-paths.ts'
import { startShop, type RunningShop } from '#tests/support/start-shop.ts'
import { withinCpuMs } from '#tests/support/within-cpu-ms.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'

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

describe('in a process of its own', () => {
  let running: RunningShop
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'meridian-malformed-'))
    running = await startShop(`sqlite:${join(folder, 'shop.sqlite')}`, { demoCatalog: false })
    return async () => {
      await running.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('TRACE is 405 on every existing route, and a URL above 16 KiB is 431', async () => {
    for (const path of ['/', '/products', '/cart', '/checkout', '/api/products', '/search/suggestions']) {
      expect(await trace(running.origin + path), path).toBe(405)
    }
    // React Router refuses the method before it looks for the route.
    expect(await trace(`${running.origin}/api/nowhere`)).toBe(wantsFastPaths ? 404 : 405)
    expect((await fetch(`${running.origin}/products?q=${'x'.repeat(15_000)}`)).status).toBe(200)
    expect((await fetch(`${running.origin}/products?q=${'x'.repeat(17_000)}`)).status).toBe(431)
  })

  test('a malformed request gets a 4xx, and the next request works', async () => {
    const port = Number(new URL(running.origin).port)
    const host = `Host: localhost:${port}\r\n`
    for (const bytes of [
      'GET / HTTP/1.1\r\n\r\n',
      `GET ${'/a'.repeat(50_000)} HTTP/1.1\r\n${host}\r\n`,
      `GET / HTTP/1.1\r\n${host}Cookie: ${'a'.repeat(100_000)}\r\n\r\n`,
      `POST /cart HTTP/1.1\r\n${host}Content-Length: -5\r\n\r\n`,
      `POST /cart HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'BREW /products HTTP/1.1\r\n\r\n',
      '\u0016\u0003\u0001\u0002',
    ]) {
      expect(await sendBytes(port, bytes), JSON.stringify(bytes.slice(0, 60))).toMatch(/^HTTP\/1\.1 4\d\d /)
    }
    expect((await fetch(`${running.origin}/products`)).status).toBe(200)
  })
})

function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port })
    let received = ''
    socket.setTimeout(60_000, () => socket.destroy(new Error('No response within 60 s.')))
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
      if (received.includes('\r\n')) {
        socket.destroy()
        resolve(received)
      }
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(received))
    socket.write(bytes, 'latin1')
  })
}
