import { findAvailableVariants } from '#tests/support/demo-catalog.ts'
import { routePaths } from '#tests/support/route-paths.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { beforeAll, expect, test } from 'vitest'

const home = { status: 302, location: '/' } as const
const prompt = 'Authentication Required'

type Expected = { status: number; heading: string } | typeof home

/**
 * Section 2 of the specification, row by row: the response to a visitor who is not signed in.
 */
const table: Record<string, Expected> = {
  '/': { status: 200, heading: 'Your Global Pharmacy Marketplace' },
  '/admin': home,
  '/admin/products': home,
  '/admin/variants': home,
  '/admin/inventory': home,
  '/admin/manufacturers': home,
  '/admin/orders': home,
  '/admin/orders/:id': home,
  '/admin/users/:id': home,
  '/admin/settings': home,
  '/checkout': home,
  '/products': { status: 200, heading: 'Medications' },
  '/products/:id': { status: 200, heading: '' },
  '/orders': { status: 200, heading: 'My Orders' },
  '/prescriptions': { status: 200, heading: prompt },
  '/prescriptions/upload': { status: 200, heading: prompt },
  '/brands': { status: 200, heading: 'Shop by Brand' },
  '/contact': { status: 200, heading: 'Contact Us' },
  '/faq': { status: 200, heading: 'FAQ' },
  '/shipping': { status: 200, heading: 'Shipping Information' },
  '/privacy': { status: 200, heading: 'Privacy Policy' },
  '/terms': { status: 200, heading: 'Terms of Service' },
  '/hipaa': { status: 200, heading: 'HIPAA Compliance' },
  '/about': { status: 200, heading: 'About' },
  '/careers': { status: 200, heading: 'Join Our Team' },
  '/blog': { status: 200, heading: 'Blog' },
  '/profile': home,
  '/order-history': home,
}

const id = '019a7c1e-0000-7000-8000-000000000000'

const headingOf = (html: string): string =>
  (/<h1\b[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? '').replace(/<[^>]+>/g, ' ').trim()

test('every row of the table is a route', () => {
  expect(Object.keys(table).filter((path) => !routePaths.includes(path))).toEqual([])
})

eachShop((openShop) => {
  let shop: Shop
  let productId: string
  beforeAll(async () => {
    shop = await openShop()
    productId = (await findAvailableVariants(shop.db))[0].productId
  })

  test.each(Object.entries(table))(
    'a visitor at %s gets the response in the table',
    async (path, expected) => {
      const url = path === '/products/:id' ? `/products/${productId}` : path.replace(':id', id)
      const response = await shop.visit().get(url)
      expect(response.status).toBe(expected.status)
      if ('location' in expected) {
        expect(response.headers.get('location')).toBe(expected.location)
        return
      }
      const html = await response.text()
      expect(headingOf(html)).toContain(expected.heading)
      expect(html.match(/<h1\b/g)).toHaveLength(1)
      for (const landmark of ['<header', '<main', '<footer']) expect(html).toContain(landmark)
    },
  )

  test('a page that redirects home also does so on client-side navigation', async () => {
    for (const path of Object.keys(table).filter((path) => table[path] === home)) {
      const response = await shop.visit().get(`${path.replace(':id', id)}.data`)
      expect(response.status, path).toBe(202)
      expect(await response.text(), path).toMatch(/"redirect","\/"/)
    }
  })

  test.each([
    '/otc',
    '/prescription',
    '/admin/nowhere',
    '/admin/orders/1/2',
    '/admin/users',
    '/prescriptions/nowhere',
    '/orders/1/2',
    '/order-confirmation',
    '/profile/nowhere',
    '/theme',
  ])('%s is the 404 page', async (path) => {
    const response = await shop.visit().get(path)
    expect(response.status).toBe(404)
    expect(headingOf(await response.text())).toBe('404 Page Not Found')
  })

  test.each([
    ['/prescriptions', '/prescriptions', '/'],
    ['/prescriptions/upload', '/prescriptions/upload', '/prescriptions'],
    ['/prescriptions/upload?from=checkout', '/prescriptions/upload?from=checkout', '/checkout'],
    ['/prescriptions/upload?from=//evil.example', '/prescriptions/upload', '/prescriptions'],
  ])('%s asks the visitor to sign in, with a link back', async (path, returnTo, back) => {
    const response = await shop.visit().get(path)
    expect(response.status).toBe(200)
    const html = await response.text()
    expect(html).toContain('Please sign in to upload prescriptions')
    expect(html).toContain(`href="/api/login?returnTo=${encodeURIComponent(returnTo)}"`)
    const link = new RegExp(`<a\\b[^>]*href="${back}"[^>]*>Back</a>`)
    expect(html).toMatch(link)
    expect(html).toMatch(/<meta name="robots" content="noindex"/)
  })

  test('/orders asks the visitor to sign in, and an order is not found whatever its id', async () => {
    const list = await (await shop.visit().get('/orders')).text()
    expect(list).toContain(`href="/api/login?returnTo=${encodeURIComponent('/orders')}"`)
    for (const order of [id, 'x', '%20', 'a".<b>']) {
      const response = await shop.visit().get(`/orders/${order}`)
      expect(response.status, order).toBe(404)
      expect(headingOf(await response.text()), order).toBe('Order not found')
    }
  })

  test.each([
    ['', '/login'],
    ['?returnTo=%2Forders', '/login?returnTo=%2Forders'],
    ['?returnTo=%2Fproducts%3Fq%3Dzinc', '/login?returnTo=%2Fproducts%3Fq%3Dzinc'],
    ['?returnTo=%2F%2Fevil.example', '/login'],
    ['?returnTo=%2Fapi%2Flogout', '/login'],
    ['?returnTo=&returnTo=x', '/login'],
  ])(
    'Sign In redirects to the sign-in page, which returns only to a page of the shop (%s)',
    async (query, target) => {
      const response = await shop.visit().get(`/api/login${query}`)
      expect(response.status).toBe(302)
      expect(response.headers.get('location')).toBe(target)
      expect(response.headers.get('cache-control')).toBe('private, no-store')
    },
  )

  test('a message for the next page shows once, and survives a page that fails', async () => {
    const visitor = shop.visit()
    await visitor.get('/checkout')
    const html = await (await visitor.get('/nowhere')).text()
    expect(html.replace(/<script\b[\s\S]*?<\/script>/g, '').match(/Login Required/g)).toHaveLength(1)
    expect(html).toMatch(/role="alert"[^>]*>\s*<p[^>]*>Login Required/)
    expect(await (await visitor.get('/')).text()).not.toContain('Login Required')
  })

  test('a plain form switches the theme and returns to the page', async () => {
    const visitor = shop.visit()
    const before = await (await visitor.get('/products?q=ibuprofen')).text()
    expect(before).toContain('data-theme="pharma-light"')
    expect(before).toMatch(/name="theme-color" content="#f9fdfc"/)
    expect(before).toMatch(/name="returnTo"[^>]*value="\/products\?q=ibuprofen"/)
    const switched = await visitor.post('/theme', { theme: 'dark', returnTo: '/products?q=ibuprofen' })
    expect(switched.status).toBe(303)
    expect(switched.headers.get('location')).toBe('/products?q=ibuprofen')
    expect(switched.headers.get('set-cookie')).toMatch(/^theme=dark; Path=\/; Max-Age=\d{8}; SameSite=Lax$/)
    const after = await (await visitor.get('/products?q=ibuprofen')).text()
    expect(after).toContain('data-theme="pharma-dark"')
    expect(after).toMatch(/name="theme-color" content="#101d21"/)
    await visitor.post('/theme', { theme: 'light' })
    expect(await (await visitor.get('/')).text()).toContain('data-theme="pharma-light"')
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    '/\t/evil.example',
    '/.//evil.example',
    '',
  ])('switching the theme redirects to no other site: %j', async (returnTo) => {
    const response = await shop.visit().post('/theme', { theme: 'dark', returnTo })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/')
  })

  test('an unknown theme is refused in a form and ignored in a cookie', async () => {
    const refused = await shop.visit().post('/theme', { theme: 'sepia', returnTo: '/' })
    expect(refused.status).toBe(422)
    expect(refused.headers.get('set-cookie')).toBeNull()
    for (const value of ['sepia', 'DARK', '', '"dark"', 'pharma-dark']) {
      const html = await (await shop.visit().get('/', { cookie: `theme=${value}` })).text()
      expect(html, value).toContain('data-theme="pharma-light"')
    }
  })
})
