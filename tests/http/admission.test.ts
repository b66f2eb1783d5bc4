import { burstPressure, refusedShare, stepPressure, strainOf } from '#app/http/admission.ts'
import { classOf as classOfRequest } from '#app/http/request-class.ts'
import { admitAll, createAdmission, type Admission } from '#app/http/watch-load.ts'
import { routePaths } from '#tests/support/route-paths.ts'
import { eachShop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const limits = { delayMs: 250, waiting: 40 }

test.each([
  // What is refused, at which pressure: browsing, everything else, sign-in and checkout, health.
  [0, [0, 0, 0, 0]],
  [0.25, [0.25, 0, 0, 0]],
  [1, [1, 0, 0, 0]],
  [1.5, [1, 0.5, 0, 0]],
  [2, [1, 1, 0, 0]],
  [2.75, [1, 1, 0.75, 0]],
  [3, [1, 1, 1, 0]],
])('pressure %d refuses browsing first, checkout last and health never', (pressure, shares) => {
  const classes = ['browsing', 'ordinary', 'checkout', 'always'] as const
  expect(classes.map((requestClass) => refusedShare(requestClass, pressure))).toEqual(shares)
})

test.each([
  [{ delayMs: 0, waiting: 0 }, 0, 0],
  [{ delayMs: 100, waiting: 0 }, 1, 0.98],
  // Between half the limit and the limit, nothing changes, so that pressure does not flap.
  [{ delayMs: 125, waiting: 0 }, 1, 1],
  [{ delayMs: 250, waiting: 40 }, 1, 1],
  [{ delayMs: 500, waiting: 0 }, 0, 0.2],
  [{ delayMs: 0, waiting: 80 }, 0, 0.2],
  [{ delayMs: 60_000, waiting: 0 }, 0, 0.4],
  [{ delayMs: 60_000, waiting: 0 }, 2.9, 3],
])('under load %j, pressure %d becomes %d', (load, pressure, expected) => {
  expect(stepPressure(pressure, strainOf(load, limits))).toBeCloseTo(expected, 10)
})

test('a burst within one turn refuses one class more at twice, four and eight times the limit', () => {
  expect([0.5, 1, 2, 4, 8, 100].map(burstPressure)).toEqual([0, 0, 1, 2, 3, 3])
})

/** An admission whose clock and steps the test drives. */
function openAdmission() {
  let [now, waiting] = [0, 0]
  const { admission, step } = createAdmission({
    limits,
    readWaiting: () => waiting,
    clock: () => now,
  })
  return {
    admission,
    wait: (callers: number) => void (waiting = callers),
    /** Runs the next step this late. */
    stepLate: (ms: number) => {
      now += 50 + ms
      step()
    },
    pass: (ms: number) => void (now += ms),
  }
}

const admitted = (
  { admits }: Admission,
  requestClass: Parameters<Admission['admits']>[0],
  of = 100,
): number => Array.from({ length: of }, () => admits(requestClass)).filter(Boolean).length

test('one slow piece of work refuses nothing; a queue does, and ten seconds later it is over', () => {
  const { admission, stepLate } = openAdmission()
  stepLate(3000)
  stepLate(0)
  expect(admission.pressure()).toBe(0)
  for (let i = 0; i < 4; i++) stepLate(400)
  const { pressure } = admission
  expect(pressure()).toBeGreaterThan(0.3)
  // Exactly the share, without chance.
  expect(admitted(admission, 'browsing')).toBe(100 - Math.floor(100 * pressure()))
  expect(admitted(admission, 'checkout')).toBe(100)
  for (let i = 0; i < 40; i++) stepLate(2000)
  expect(admitted(admission, 'checkout')).toBe(0)
  expect(admitted(admission, 'always')).toBe(100)
  for (let seconds = 0; seconds < 10; seconds++) for (let i = 0; i < 20; i++) stepLate(0)
  expect(pressure()).toBe(0)
})

test('callers that wait for a database connection refuse browsing while the event loop is idle', () => {
  const { admission, wait, stepLate } = openAdmission()
  wait(400)
  for (let i = 0; i < 3; i++) stepLate(0)
  expect(admitted(admission, 'browsing')).toBe(0)
})

test('a burst is refused within its own turn, one late request is not', () => {
  const { admission, stepLate, pass } = openAdmission()
  stepLate(0)
  pass(2000)
  expect(admitted(admission, 'browsing', 16)).toBe(16)
  expect(admitted(admission, 'browsing', 100)).toBe(0)
  expect(admitted(admission, 'always', 100)).toBe(100)
})

test('health is never refused, paying and signing in last, pages and lists first', () => {
  const classOf = (route: string, method: string) => classOfRequest({ path: route, route, method })
  const browsing = routePaths.filter((route) => classOf(route, 'GET') === 'browsing')
  for (const route of ['/', '/products/:id', '/api/products/search', '/admin/orders', '/trpc/*', '/*'])
    expect(classOf(route, 'GET'), route).toBe('browsing')
  expect(
    browsing.filter((route) => /^\/(api\/)?(orders|prescriptions|profile|checkout|cart)/.test(route)),
  ).toEqual([])
  for (const route of ['/healthz', '/readyz', 'static']) expect(classOf(route, 'GET')).toBe('always')
  for (const method of ['OPTIONS', 'POST', 'DELETE']) expect(classOf('static', method)).toBe('ordinary')
  for (const route of [
    '/login',
    '/checkout',
    '/cart',
    '/webhooks/stripe',
    '/api/orders',
    '/api/create-payment-intent',
  ])
    expect(classOf(route, 'POST'), route).toBe('checkout')
  expect(classOf('/api/orders', 'GET')).toBe('ordinary')
  expect(classOf('/trpc/*', 'POST')).toBe('ordinary')
})

eachShop((openShop) => {
  test('a refused request gets 503 with Retry-After: a page, a sentence, or an error of a call', async () => {
    const admission: Admission = { admits: (requestClass) => requestClass === 'always', pressure: () => 3 }
    const metricsToken = 'a-token-of-more-than-thirty-two-characters'
    const shop = await openShop({ admission, env: { METRICS_TOKEN: metricsToken } })
    const { get, post, request } = shop.visit()
    const page = await get('/products?q=warfarin', { accept: 'text/html' })
    const sentence = await get('/api/products', { accept: 'application/json' })
    const call = await post('/trpc/orders.list?batch=1', {})
    const form = await post('/cart', { intent: 'add' })
    for (const reply of [page, sentence, call, form]) {
      expect(reply.status).toBe(503)
      expect(reply.headers.get('retry-after')).toBe('5')
      expect(reply.headers.get('cache-control')).toBe('no-store')
      expect(reply.headers.get('x-request-id')).not.toBeNull()
    }
    const html = await page.text()
    expect(html).toMatch(/<h1[^>]*>The shop is very busy<\/h1>/)
    expect(html).not.toContain('warfarin')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await sentence.text()).toBe(
      'The shop is very busy. Nothing was changed. Try again in a few seconds.',
    )
    expect(await call.json()).toMatchObject({ error: { data: { code: 'UNAVAILABLE', retryAfter: 5 } } })
    expect((await get('/healthz')).status).toBe(200)
    // Other spellings are pages, and so are other methods at the address of a file.
    for (const path of ['/.//healthz', '/healthz.data', '/readyz/', '/.//login'])
      expect((await get(path)).status, path).toBe(503)
    expect((await request('/favicon.svg', { method: 'OPTIONS' })).status).toBe(503)
    // The alerts are needed now. Without the token, it is a page like others.
    expect((await get('/metrics', { authorization: `Bearer ${metricsToken}` })).status).toBe(200)
    expect((await get('/metrics')).status).toBe(503)
    const open = await openShop({ admission: admitAll })
    expect((await open.visit().get('/products')).status).toBe(200)
  })
})
