import { eachShop, type Shop } from '#tests/support/shop.ts'
import { beforeAll, expect, test } from 'vitest'

const paths = [
  '/',
  '/products',
  '/cart',
  '/nowhere',
  '/faq.data',
  '/api/products',
  '/api/products?limit=3',
  '/api/nowhere',
  '/favicon.svg',
  '/healthz',
]

eachShop((openShop) => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
  })

  test('every response has the security headers and a request id', async () => {
    // The second response may come from memory.
    for (const path of paths.flatMap((one) => [one, one])) {
      const { headers } = await shop.visit().get(path)
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
      expect(headers.get('x-frame-options'), path).toBe('DENY')
      expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'")
      expect(headers.get('referrer-policy'), path).toBe('strict-origin-when-cross-origin')
      expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin')
      expect(headers.get('permissions-policy'), path).toContain('geolocation=()')
      expect(headers.get('x-request-id'), path).toMatch(/^[\w-]{8,64}$/)
      expect(headers.get('x-powered-by'), path).toBeNull()
      expect(headers.get('server'), path).toBeNull()
    }
  })

  test.each(['/', '/api/products?limit=3'])(
    'a 304 of %s has the same headers, but no policy, which would replace the one of the page',
    async (path) => {
      const first = await shop.visit().get(path)
      const again = await shop.visit().get(path, { 'if-none-match': first.headers.get('etag') ?? '' })
      expect([again.status, again.headers.get('content-security-policy')]).toEqual([304, null])
      for (const header of ['x-content-type-options', 'x-frame-options', 'referrer-policy', 'vary'])
        expect(again.headers.get(header), header).toBe(first.headers.get(header))
      expect(again.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    },
  )

  test('a well-formed request id is kept and logged only behind a trusted proxy', async () => {
    const id = 'proxy-0123456789'
    const direct = await shop.visit().get('/healthz', { 'x-request-id': id })
    expect(direct.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    expect(JSON.stringify(shop.log)).not.toContain(id)
    const behindProxy = await openShop({ env: { TRUSTED_PROXY_HOPS: '1' } })
    // The home page comes from memory the second time.
    for (const path of ['/healthz', '/', '/']) {
      const response = await behindProxy.visit().get(path, { 'x-request-id': id })
      expect(response.headers.get('x-request-id'), path).toBe(id)
    }
    expect(behindProxy.log).toContainEqual(expect.objectContaining({ requestId: id, path: '/' }))
    // Proxies probe every second.
    expect(behindProxy.log).not.toContainEqual(expect.objectContaining({ path: '/healthz', level: 'info' }))
    const forged = await behindProxy.visit().get('/healthz', { 'x-request-id': '"},{"level":"fatal"' })
    expect(forged.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
  })
})
