import { expect, test } from '#tests/support/browser.ts'
import type { Page } from '@playwright/test'
import { fontFiles, scriptsOf, styleFiles } from '#tests/support/page-files.ts'

const nameOf = (path: string): string => path.split('/').at(-1) ?? ''

/** Collects every script, style and font that the page fetches, until the network is idle. */
async function fetchedBy(page: Page, path: string): Promise<string[]> {
  const fetched: string[] = []
  page.on('response', (response) => {
    if (/\.(js|css|woff2)$/.test(new URL(response.url()).pathname)) fetched.push(response.url())
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  return fetched
}

const product = 'routes/catalog/product'
for (const [name, route] of [
  ['/', 'routes/content/home'],
  ['/products', 'routes/catalog/products'],
  ['/products/{id}', product],
  ['/cart', 'routes/cart/cart'],
] as const) {
  test(`${name} fetches only scripts, styles and fonts that its budget counts`, async ({ page, shop }) => {
    const [first] = await (await page.request.get('/api/products?limit=1')).json()
    const fetched = await fetchedBy(page, route === product ? `/products/${first.id}` : name)
    expect(fetched.length).toBeGreaterThan(3)
    expect(fetched.filter((url) => !url.startsWith(shop.origin))).toEqual([])
    const counted = [...scriptsOf('routes/shop-pages', route), ...styleFiles(), ...fontFiles()].map(nameOf)
    expect(fetched.map(nameOf).filter((file) => !counted.includes(file))).toEqual([])
  })
}
