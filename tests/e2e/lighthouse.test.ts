import { expect, test } from '#tests/support/browser.ts'
import { publicPages } from '#app/routes/resources/public-pages.ts'
import { isNightly } from '#tests/support/nightly.ts'
import { paths } from '#domain/paths.ts'

const product = '/products/{id}'

/** One page of each template: the others differ only in their text. The nightly run has all. */
const templates = [paths.home, paths.products, product, paths.brands, paths.contact, paths.terms]

// In one worker: each further one would spend three CPU seconds to load Lighthouse.
test.describe.configure({ mode: 'default' })

for (const path of isNightly ? [...publicPages, product] : templates) {
  test(`${path}: Lighthouse scores 100 for accessibility, best practices and search engines`, async ({
    auditor,
    shop,
    request,
  }) => {
    const [first] = await (await request.get('/api/products?limit=1')).json()
    const { scores, shortOf100 } = await auditor.audit(shop.origin + path.replace('{id}', first.id), [
      'accessibility',
      'best-practices',
      'seo',
    ])
    expect(shortOf100).toEqual([])
    expect(scores).toEqual({ accessibility: 100, 'best-practices': 100, seo: 100 })
  })
}
