import { createPageCache, findPageKey, type FoundPage, type PageKey } from '#app/http/page-cache.server.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const versions = { catalog: 'a', stock: 'b' }
const id = '01a2070b-1fec-7585-af49-ffb088f5bfd5'
const get = (path: string, headers: Record<string, string> = {}): Request =>
  new Request(`http://localhost${path}`, { headers })
const keyOf = (path: string, headers?: Record<string, string>) =>
  findPageKey(get(path, headers), new URL(path, 'http://localhost').pathname, { api: true })
/** The key of a page that the cache may have. */
function cachedKey(path: string): PageKey {
  const key = keyOf(path)
  if (!key) throw new Error(`${path} has no key.`)
  return key
}
const publicPage = (headers: Record<string, string> = {}, status = 200): Response =>
  new Response(null, { status, headers: { 'cache-control': 'no-cache', etag: 'W/"x"', ...headers } })
/** Whether a page is found after it was cached with this response. */
function isCached(response: Response, cache = createPageCache(100_000), path = '/'): boolean {
  const [request, key] = [get(path), cachedKey(path)]
  cache.store({ request, key, versions }, { response, text: `<script nonce="n0">`, nonce: 'n0' })
  return cache.find({ request, key, versions }) !== null
}

test.each([
  ['/', true],
  ['/?utm_source=x', true],
  ['/?utm_source=x&ref=y', false],
  ['/api/products?limit=24&utm_source=x', false],
  ['/products?q=ibuprofen&page=2', true],
  ['/products?q=ibuprofen&made-up=1', false],
  [`/products/${id}?strength=5+mg`, true],
  [`/products/${id}?q=x`, false],
  ['/search/suggestions?q=ibu', true],
  ['/api/products/search?q=ibuprofen&limit=5', true],
  [`/api/products/${id}?include=variants`, true],
  ['/api/products?limit=24&include=variants', true],
  // Whole lists are streamed.
  ['/api/products', false],
  ['/api/manufacturers', false],
  ['/api/orders?limit=24', false],
  ['/products/not-an-id', false],
  ['/cart', false],
])('keeps %s: %s', (path, isKeyed) => {
  expect(keyOf(path) !== null).toBe(isKeyed)
})

test('a campaign’s link has the key of the page without its parameters', () => {
  for (const [path, url] of [
    ['/?utm_source=x&utm_medium=email&gclid=y', '/'],
    ['/products?fbclid=x&q=a%20b+c&msclkid=y&page=2', '/products?q=a%20b+c&page=2'],
    [`/products?q=gclid&gclid=${'x'.repeat(400)}`, '/products?q=gclid'],
  ] as const) {
    expect(cachedKey(path).url).toBe(url)
  }
})

test('it keeps no page of a long URL', () => {
  expect(keyOf(`/products?q=${'x'.repeat(400)}`)).toBeNull()
})

test.each([
  ['theme=dark', true],
  ['theme=dark; __Host-cart=x; device=x', true],
  ['device=x', false],
  ['theme=dark; session=x', null],
  ['cart=x; flash=x', null],
  ['cart =x; session =x', null],
  ['sidebar_state=true', null],
  // A proxy or another program on the host sets them, and the shop reads none of them.
  ['cart=x; __cf_bm=x', true],
  ['AWSALB=x; my-cart=x', false],
  ['', false],
])('whether a request with the cookies %s is a guest’s: %s', (cookie, isGuest) => {
  expect(keyOf('/', { cookie })?.isGuest ?? null).toBe(isGuest)
})

test('a guest gets the same API reply as every visitor', () => {
  expect(keyOf('/api/products?limit=24', { cookie: 'theme=dark; cart=x' })?.isGuest).toBe(false)
})

test('it keeps no page for a request with a session or a key, and none that sets a cookie', () => {
  expect(keyOf('/', { cookie: 'session=x' })).toBeNull()
  expect(keyOf('/api/products?limit=24', { cookie: 'cart=x; session=x' })).toBeNull()
  expect(keyOf('/api/products?limit=24', { authorization: 'Bearer x' })).toBeNull()
  expect(isCached(publicPage())).toBe(true)
  expect(isCached(publicPage({ 'set-cookie': 'flash=x' }))).toBe(false)
  expect(isCached(publicPage({ 'cache-control': 'private, no-store' }))).toBe(false)
  expect(isCached(publicPage({}, 404))).toBe(false)
})

test('it keeps an API reply unchanged, plain and compressed', () => {
  const path = '/api/products?limit=24'
  const [request, key, cache] = [get(path), cachedKey(path), createPageCache(100_000)]
  const text = '[{"name":"Ibuprofène"}]'
  cache.store(
    { request, key, versions },
    { response: publicPage({ 'content-length': '24' }), text, nonce: null },
  )
  const found = (headers: Record<string, string>): FoundPage | null =>
    cache.find({ request: get(path, headers), key, versions })
  expect(found({})?.body?.toString()).toBe(text)
  expect(found({})?.headers.has('content-length')).toBe(false)
  const compressed = found({ 'accept-encoding': 'gzip' })?.body
  expect(compressed && gunzipSync(compressed).toString()).toBe(text)
})

test('pages sent with gzip are stored compressed, and a client without gzip still gets them', () => {
  // Room for eight plain pages, or for all twelve compressed.
  const cache = createPageCache(68_000)
  const text = `<script nonce="n0">${'Ibuprofène '.repeat(500)}</script><script nonce="n0">`
  const pages = Array.from({ length: 12 }, (_, page) => {
    const path = `/products?page=${page + 1}`
    return { path, key: cachedKey(path) }
  })
  const read = (page: (typeof pages)[number], headers: Record<string, string>): string => {
    const found = cache.find({ request: get(page.path, headers), key: page.key, versions })
    const body = found?.body ?? Buffer.alloc(0)
    const isGzip = found?.headers.get('content-encoding') === 'gzip'
    return (isGzip ? gunzipSync(body) : body).toString().replaceAll(found?.nonce ?? '', 'n0')
  }
  const first = { path: '/products?page=1', key: cachedKey('/products?page=1') }
  for (const page of pages) {
    const request = get(page.path)
    cache.store({ request, key: page.key, versions }, { response: publicPage(), text, nonce: 'n0' })
    expect(read(page, { 'accept-encoding': 'gzip' })).toBe(text)
  }
  const gzip = { 'accept-encoding': 'gzip' }
  for (const page of pages) expect(read(page, gzip)).toBe(text)
  for (const headers of [{}, gzip, {}]) expect(read(first, headers)).toBe(text)
})

test.each([
  ['/products', false],
  [`/products/${id}`, true],
  [`/api/products/${id}`, false],
  [`/api/products/${id}?include=variants`, true],
])('the version of %s includes the stock: %s', (path, hasStock) => {
  const key = keyOf(path)
  expect(key?.version({ ...versions, stock: 'changed' }) !== key?.version(versions)).toBe(hasStock)
})

test('beside a replica, it keeps pages and leaves the API to the replica', () => {
  const keyBeside = (path: string) => findPageKey(get(path), path, { api: false })
  expect(keyBeside('/')).not.toBeNull()
  expect(keyBeside(`/api/products/${id}`)).toBeNull()
})

test('it takes no more memory than its pages', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  /** Buffers are freed in a thread, and responses end in later turns. */
  const readBufferBytes = async (): Promise<number> => {
    for (let round = 0; round < 3; round++) {
      collectGarbage()
      await sleep(20)
    }
    return process.memoryUsage().arrayBuffers
  }
  const cache = createPageCache(10_000_000)
  const before = await readBufferBytes()
  for (let page = 1; page <= 1000; page++) {
    expect(isCached(publicPage(), cache, `/products?page=${page}`)).toBe(true)
    // As requests do, from the pool that all short-lived buffers share.
    Buffer.allocUnsafe(Buffer.poolSize / 2 - 1)
  }
  expect((await readBufferBytes()) - before).toBeLessThan(1_000_000)
})

test('it keeps no page that would displace many others', () => {
  expect(isCached(publicPage(), createPageCache(16_300))).toBe(true)
  expect(isCached(publicPage(), createPageCache(16_000))).toBe(false)
})

test('it evicts the least recently used page when its memory is full', () => {
  // For eight pages.
  const cache = createPageCache(17_000)
  expect(isCached(publicPage(), cache, '/products')).toBe(true)
  expect(isCached(publicPage(), cache, '/')).toBe(true)
  const list = keyOf('/products')
  expect(list && cache.find({ request: get('/products'), key: list, versions })).not.toBeNull()
  for (const page of [2, 3, 4, 5, 6, 7, 8]) {
    expect(isCached(publicPage(), cache, `/products?page=${page}`)).toBe(true)
  }
  expect(list && cache.find({ request: get('/products'), key: list, versions })).not.toBeNull()
  const home = keyOf('/')
  expect(home && cache.find({ request: get('/'), key: home, versions })).toBeNull()
})

test('a page for another spelling of its path has no key, because the spelling is on the page', () => {
  expect(findPageKey(get('/products'), '/products', { api: true })).not.toBeNull()
  expect(findPageKey(get('/products?q=a/products'), '/products', { api: true })).not.toBeNull()
  expect(findPageKey(get('/%70roducts'), '/products', { api: true })).toBeNull()
  expect(findPageKey(get('/%70roducts?q=a'), '/products', { api: true })).toBeNull()
})
