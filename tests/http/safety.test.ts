import { readMain } from '#tests/support/page-text.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { beforeAll, expect, test } from 'vitest'

const pages = ['/', '/products', '/cart', '/nowhere'] as const

const nonceOf = (response: Response): string | undefined =>
  /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1]

eachShop((openShop) => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
  })

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling host', { 'sec-fetch-site': 'same-site' }],
    ['an Origin that is not ours', { origin: 'https://evil.example' }],
    ['an opaque Origin', { origin: 'null' }],
    [
      'our Origin, but a browser that says cross-site',
      { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' },
    ],
  ])('a write from %s is refused', async (_, headers) => {
    for (const path of ['/cart', '/api/products', '/nowhere']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const response = await shop.visit().request(path, { method, headers })
        expect(response.status, `${method} ${path}`).toBe(403)
        expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
      }
    }
  })

  test.each([
    ['our own page', { 'sec-fetch-site': 'same-origin' }],
    ['our own page in a browser without Sec-Fetch-Site', { origin: 'http://localhost:3000' }],
    ['no browser at all', {}],
  ])('a write from %s reaches its route', async (_, headers) => {
    const response = await shop.visit().request('/api/products/search', { method: 'POST', headers })
    expect(response.status).toBe(405)
  })

  test('reads from another site are allowed', async () => {
    const response = await shop
      .visit()
      .get('/products', { 'sec-fetch-site': 'cross-site', origin: 'https://a.example' })
    expect(response.status).toBe(200)
  })

  test.each(['evil.example', 'localhost.evil.example', 'evil.example:3000', '169.254.169.254'])(
    'the foreign Host %s is 421',
    async (host) => {
      for (const path of ['/', '/api/products', '/assets/x.js']) {
        expect((await shop.visit().get(path, { host })).status).toBe(421)
      }
    },
  )

  test.each(['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'shop.localhost:3000', 'localhost'])(
    'the loopback name %s is served in the demo',
    async (host) => {
      expect((await shop.visit().get('/', { host })).status).toBe(200)
    },
  )

  test('health and readiness answer any Host', async () => {
    expect((await shop.visit().get('/healthz', { host: '10.0.0.7:3000' })).status).toBe(200)
    expect((await shop.visit().get('/readyz', { host: '10.0.0.7:3000' })).status).toBe(200)
  })

  test('an icon’s old name redirects to it', async () => {
    const reply = await shop.visit().get('/favicon.ico')
    expect([reply.status, reply.headers.get('location')]).toEqual([301, '/favicon.svg'])
  })

  test('/status redirects to the page of the back office, which visitors may not see', async () => {
    const { get } = shop.visit()
    const reply = await get('/status')
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/admin/status'])
    expect((await get('/admin/status')).headers.get('location')).toBe('/')
  })

  test('the log holds neither a search nor a cookie', async () => {
    await shop.visit().get('/products?q=xanomeline&ndc=0228-2899-96', { cookie: 'cart=SECRETSECRET' })
    const log = JSON.stringify(shop.log)
    expect(log).toContain('"/products"')
    expect(log).not.toMatch(/xanomeline|0228-2899|SECRETSECRET/)
  })

  test('a page allows only its own scripts, by a new nonce each time', async () => {
    const seen = new Set<string>()
    for (const path of pages) {
      for (let i = 0; i < 2; i++) {
        const response = await shop.visit().get(path)
        const policy = response.headers.get('content-security-policy') ?? ''
        expect(policy).toContain("default-src 'none'")
        expect(policy).toContain("frame-ancestors 'none'")
        expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/)
        const nonce = nonceOf(response) ?? ''
        expect(nonce.length).toBeGreaterThanOrEqual(16)
        seen.add(nonce)
        const html = await response.text()
        // A data block is not executed, so the CSP does not apply to it (HTML, "The script
        // element").
        const scripts = (html.match(/<script\b[^>]*>/g) ?? []).filter(
          (script) => script !== '<script type="application/ld+json">',
        )
        expect(scripts.length).toBeGreaterThan(0)
        for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`)
        expect(html).not.toMatch(/<[^>]+\son[a-z]+\s*=/i)
        expect(html).not.toMatch(/<[^>]+\sstyle\s*=/i)
      }
    }
    expect(seen.size).toBe(pages.length * 2)
  })

  test('a public page is the same for two visitors except for its nonce, with the same ETag', async () => {
    const first = await shop.visit().get('/products')
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('no-cache')
    expect(first.headers.get('vary')).toMatch(/cookie/i)
    expect((await shop.visit().get('/products')).headers.get('etag')).toBe(etag)
    const again = await shop.visit().get('/products', { 'if-none-match': etag })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
    expect(again.headers.get('content-security-policy')).toBeNull()
  })

  test('a page for a visitor with a cookie is not cached', async () => {
    const response = await shop.visit().get('/products', { cookie: 'theme=dark' })
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('etag')).toBeNull()
  })

  test('browsing sets no cookie', async () => {
    for (const path of pages) expect((await shop.visit().get(path)).headers.getSetCookie()).toEqual([])
  })

  test('an unknown page is the designed 404', async () => {
    for (const path of ['/nowhere', '/otc', '/prescription', '/a/b/c', '/%E2%98%83']) {
      const response = await shop.visit().get(path)
      expect(response.status, path).toBe(404)
      const html = await response.text()
      expect(html).toContain('404 Page Not Found')
      expect(/<main.*<\/main>/s.exec(html)?.[0].match(/<h[1-6]/g)).toEqual(['<h1'])
      expect(html).toContain('<header')
      expect(html).toMatch(/href="\/products\?category=/)
    }
  })

  test('page data and redirects that set a cookie are not cached', async () => {
    const visitor = shop.visit()
    const data = await visitor.get('/products.data')
    expect(data.status).toBe(200)
    expect(data.headers.get('cache-control')).toBe('no-cache')
    expect(data.headers.get('vary')).toMatch(/\bcookie\b/i)
    const refused = await visitor.get('/checkout')
    expect(refused.headers.get('set-cookie')).toBeTruthy()
    expect(refused.headers.get('cache-control')).toBe('private, no-store')
    expect((await visitor.get('/products.data')).headers.get('cache-control')).toBe('private, no-store')
    expect((await shop.visit().get('/nowhere.data')).headers.get('cache-control')).toBe('private, no-store')
  })

  test('an unknown path below /api is a plain 404 for every method', async () => {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const response = await shop.visit().request('/api/nowhere', { method })
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
      expect(await response.text()).toMatch(/^[A-Z][^<>{}]*\.$/)
    }
  })

  test('paths outside the served folder are 404', async () => {
    for (const path of [
      '/assets/../../package.json',
      '/assets/..%2f..%2fpackage.json',
      '/assets/%2e%2e/server/index.js',
    ]) {
      const response = await shop.visit().get(path)
      expect(response.status, path).toBe(404)
      expect(await response.text()).not.toContain('"dependencies"')
    }
  })

  test('an unsupported method is 405', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await shop.visit().request('/products', { method })).status, method).toBe(405)
    }
  })

  test('HEAD answers as GET does, without a body', async () => {
    for (const path of ['/', '/products', '/api/products', '/healthz', '/nowhere']) {
      const get = await shop.visit().get(path)
      const head = await shop.visit().request(path, { method: 'HEAD' })
      expect(head.status, path).toBe(get.status)
      expect(head.headers.get('content-type'), path).toBe(get.headers.get('content-type'))
      expect(await head.text(), path).toBe('')
    }
  })

  test('an internal error is a designed 500 page or a plain message without details', async () => {
    const broken = await openShop({
      wrap: (db) =>
        new Proxy(db, {
          get: (target, name, receiver): unknown => {
            if (name === 'getExecutor') throw new Error('secret detail of the inside')
            return Reflect.get(target, name, receiver)
          },
        }),
    })
    for (const path of ['/products', '/api/products?limit=1']) {
      const response = await broken.visit().get(path)
      expect(response.status, path).toBe(500)
      const body = await response.text()
      expect(body).not.toMatch(/secret detail|\bat \/|node_modules|\.ts:/)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect((await broken.visit().get('/products')).headers.get('content-type')).toMatch(/^text\/html/)
    expect((await broken.visit().get('/api/products?limit=1')).headers.get('content-type')).toMatch(
      /^text\/plain/,
    )
    // With a session that can't be read, there is no header, but a page.
    const member = broken.visit()
    await signInAs(member, broken.db, await makeUser(broken.db))
    const page = await member.get('/orders', { accept: 'text/html' })
    expect(`${page.status} ${page.headers.get('content-type')}`).toMatch(/^500 text\/html/)
    expect(readMain(await page.text())).toContain('Something went wrong on our end. Your cart is saved.')
    expect(JSON.stringify(broken.log)).toContain('secret detail of the inside')
  })

  test('without the database, pages and calls are 503 with Retry-After, and health still answers', async () => {
    const away = await openShop({ databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing' })
    for (const path of ['/products', '/api/products?limit=1', '/readyz']) {
      const response = await away.visit().get(path)
      expect(response.status, path).toBe(503)
      expect(response.headers.get('retry-after'), path).toMatch(/^\d+$/)
    }
    expect((await away.visit().get('/healthz')).status).toBe(200)
    const member = away.visit()
    member.cookies.set('session', btoa(JSON.stringify('a'.repeat(43))))
    expect((await member.get('/api/auth/user')).status).toBe(503)
    expect((await member.get('/healthz')).status).toBe(200)
    const guest = away.visit()
    guest.cookies.set('cart', btoa(JSON.stringify('a'.repeat(43))))
    const { length } = away.log
    expect((await guest.get('/cart')).status).toBe(503)
    // An outage is no fault of the shop.
    const messages = away.log.slice(length).map(({ level, msg }) => `${String(level)} ${String(msg)}`)
    expect(new Set(messages)).toEqual(new Set(['warn unavailable', 'info request']))
  })

  test('in production only the public host is served, over TLS only', async () => {
    const env = { PUBLIC_ORIGIN: 'https://shop.example' }
    const production = await openShop({ mode: 'production', env })
    const visitor = production.visit()
    const page = await visitor.get('/products')
    expect(page.status).toBe(200)
    expect(page.headers.get('strict-transport-security')).toMatch(/max-age=\d{8}/)
    expect(page.headers.get('content-security-policy')).toContain('upgrade-insecure-requests')
    expect((await visitor.get('/products', { host: 'shop.example:443' })).status).toBe(200)
    for (const host of ['localhost:3000', 'shop.example:80', 'shop.example:8443']) {
      expect((await visitor.get('/products', { host })).status, host).toBe(421)
    }
    const foreign = await visitor.request('/cart', {
      method: 'POST',
      headers: { origin: 'http://shop.example' },
    })
    expect(foreign.status).toBe(403)
  })
})
