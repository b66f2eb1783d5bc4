import { eachShop, loadBuild, type Visitor } from '#tests/support/shop.ts'
import { wantsFastPaths } from '#tests/support/fast-paths.ts'
import { afterEach, expect, test } from 'vitest'

/**
 * The elements of a page, one per line, in a stable order. Scripts, preloads and comments carry
 * data and differ by how it is streamed, nonces and generated ids differ by request, and React
 * orders the head's elements differently when it streams.
 */
const elementsOf = (html: string): string[] =>
  html
    .replace(/<script\b[^>]*>.*?<\/script>/gs, '')
    .replace(/<link rel="(modulepreload|expect)"[^>]*>/g, '')
    .replace(/<!--.*?-->/gs, '')
    .replace(/<template[^>]*><\/template>/g, '')
    .replace(/ nonce="[^"]*"/g, '')
    .replace(/_R_\w*_/g, 'generated-id')
    .split(/(?=<)/)
    .toSorted()

afterEach(async () => {
  const { setFastPaths } = await loadBuild()
  setFastPaths(wantsFastPaths)
})

eachShop((openShop) => {
  /** The same request with and without the fast paths. */
  async function both<T>(request: (visitor: Visitor) => Promise<T>): Promise<[T, T]> {
    const { setFastPaths } = await loadBuild()
    const results: T[] = []
    for (const enabled of [true, false]) {
      setFastPaths(enabled)
      const shop = await openShop({ env: { FAST_PATHS: enabled ? 'on' : 'off' } })
      results.push(await request(shop.visit()))
    }
    const [fast, plain] = results
    if (fast === undefined || plain === undefined) throw new Error('Both requests need a result.')
    return [fast, plain]
  }

  test('a page preloads its scripts with a low priority and no nonce, and has a packed manifest', async () => {
    const shop = await openShop()
    const page = await (await shop.visit().get('/')).text()
    const preloads = page.match(/<link rel="modulepreload"[^>]*>/g) ?? []
    expect(preloads.length).toBeGreaterThan(3)
    for (const preload of preloads) expect(preload).toMatch(/ fetchpriority="low" href="[^"]+"\/>$/)
    expect(/window\.__reactRouterManifest = (.*);$/m.exec(page)?.[1]).toContain('"routes/content/home"')
  })

  test.each([
    '/',
    '/products',
    '/products?q=ibuprofen',
    '/cart',
    '/login',
    '/faq',
    '/FAQ/',
    '/%66aq',
    '/faq.data',
    '/_root.data',
    '/no-such-page',
    '/no/such.data',
    '/orders',
  ])('the page %s is the same without React Router internals', async (path) => {
    const [fast, plain] = await both(async (visitor) => {
      const response = await visitor.get(path)
      return { status: response.status, elements: elementsOf(await response.text()) }
    })
    expect(plain).toEqual(fast)
  })

  test('a public page revalidates to 304 with and without the fast paths', async () => {
    const statuses = await both(async (visitor) => {
      const etag = (await visitor.get('/faq')).headers.get('etag') ?? ''
      visitor.cookies.clear()
      return [etag !== '', (await visitor.get('/faq', { 'if-none-match': etag })).status]
    })
    expect(statuses).toEqual([
      [true, 304],
      [true, 304],
    ])
  })

  test.each([
    ['GET', '/api/products?limit=2'],
    ['GET', '/api/products/none'],
    ['GET', '/api/profile'],
    ['DELETE', '/api/products'],
    ['GET', '/api/unknown'],
    ['GET', '/healthz'],
    ['GET', '/robots.txt'],
    ['POST', '/webhooks/stripe'],
  ])('%s %s gets the same response from Hono and from React Router', async (method, path) => {
    const [fast, plain] = await both(async (visitor) => {
      const response = await visitor.request(path, {
        method,
        headers: { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
      })
      const type = response.headers.get('content-type')
      return { status: response.status, type, text: await response.text() }
    })
    expect(plain).toEqual(fast)
  })
})
