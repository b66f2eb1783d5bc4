import { expect, test } from '#tests/support/browser.ts'
import { fontFiles, scriptsOf, styleFiles } from '#tests/support/page-files.ts'

const nameOf = (path: string): string => path.split('/').at(-1) ?? ''

for (const [path, route] of [
  ['/', 'routes/content/home'],
  ['/products', 'routes/shop/products'],
  ['/cart', 'routes/shop/cart'],
] as const) {
  test(`${path} fetches no script, style or font that its budget does not count`, async ({ page, shop }) => {
    const fetched: string[] = []
    page.on('response', (response) => {
      if (/\.(js|css|woff2)$/.test(new URL(response.url()).pathname)) fetched.push(response.url())
    })
    await page.goto(path, { waitUntil: 'networkidle' })
    expect(fetched.length).toBeGreaterThan(3)
    expect(fetched.filter((url) => !url.startsWith(shop.origin))).toEqual([])
    const counted = [...scriptsOf(route), ...styleFiles(), ...fontFiles()].map(nameOf)
    expect(fetched.map(nameOf).filter((name) => !counted.includes(name))).toEqual([])
  })
}
