import { expect, test as base } from '#tests/support/browser.ts'
import { publicPages } from '#app/routes/resources/public-pages.ts'
import { startBrowser } from '#tests/support/lighthouse.ts'
import { isNightly } from '#tests/support/nightly.ts'
import { paths } from '#domain/paths.ts'

const product = '/products/{id}'

type Auditor = Awaited<ReturnType<typeof startBrowser>>

const test = base.extend<object, { auditor: Auditor }>({
  auditor: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads dependencies from it.
    async ({}, provide) => {
      const auditor = await startBrowser()
      await provide(auditor)
      await auditor.stop()
    },
    { scope: 'worker' },
  ],
})

/** One page of each template: the others differ only in their text. The nightly run has all. */
const templates = [paths.home, paths.products, product, paths.brands, paths.contact, paths.terms]

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
