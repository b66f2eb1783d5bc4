import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { newId } from '#domain/ids.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { readCanonicals, readMeta, readStructured, readTitle } from '#tests/support/page-head.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { beforeAll, expect, test } from 'vitest'
import { privatePaths, publicPages } from '../../app/routes/resources/public-pages.ts'

const locations = (xml: string): string[] =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url)

eachShop((openShop) => {
  let shop: Shop
  let product: { id: string; name: string }
  beforeAll(async () => {
    shop = await openShop()
    product = await shop.db
      .selectFrom('products')
      .select(['id', 'name'])
      .where('controlledSchedule', 'is', null)
      .where('priceMinCents', '>', 0)
      .where('variantCount', '>', 3)
      .orderBy('salesOrder')
      .executeTakeFirstOrThrow()
  })

  const read = async (path: string, target = shop): Promise<string> => {
    const response = await target.visit().get(path)
    expect(response.status, path).toBe(200)
    return response.text()
  }

  test('robots.txt allows the public pages, excludes private ones and names the sitemap', async () => {
    const response = await shop.visit().get('/robots.txt')
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const lines = (await response.text()).split('\n')
    expect(lines[0]).toBe('User-agent: *')
    expect(lines).toContain(`Sitemap: ${shop.origin}/sitemap.xml`)
    const disallowed = lines.flatMap((line) => line.match(/^Disallow: (\S+)$/)?.[1] ?? [])
    expect(disallowed).toEqual(privatePaths)
    for (const path of [...publicPages, `/products/${product.id}`, '/img/v/x.svg', '/assets/x.js'])
      expect(
        disallowed.filter((start) => path.startsWith(start)),
        path,
      ).toEqual([])
  })

  test('the sitemaps list each public page and each live product once, with its last change', async () => {
    const separateShop = await openShop()
    const deleted = await addProduct(separateShop.db, { deletedAt: new Date() })
    const changed = await addProduct(separateShop.db, { updatedAt: new Date('2026-03-04T05:06:07.890Z') })
    const live = await separateShop.db
      .selectFrom('products')
      .select('id')
      .where('deletedAt', 'is', null)
      .execute()

    const index = await read('/sitemap.xml', separateShop)
    expect(index).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<sitemapindex xmlns=/)
    expect(locations(index)).toEqual([
      `${separateShop.origin}/sitemaps/pages.xml`,
      `${separateShop.origin}/sitemaps/products-1.xml`,
    ])
    const listed: string[] = []
    for (const url of locations(index))
      listed.push(...locations(await read(new URL(url).pathname, separateShop)))
    const expected = [...publicPages, ...live.map(({ id }) => `/products/${id}`)]
    expect(listed.toSorted()).toEqual(expected.map((path) => separateShop.origin + path).toSorted())
    expect(listed.join()).not.toContain(deleted)
    expect(await read('/sitemaps/products-1.xml', separateShop)).toContain(
      `<url><loc>${separateShop.origin}/products/${changed}</loc><lastmod>2026-03-04T05:06:07.890Z</lastmod></url>`,
    )
  })

  test('a sitemap has an ETag that changes when a product does', async () => {
    const separateShop = await openShop()
    const getSitemap = (etag = '') =>
      separateShop.visit().get('/sitemaps/products-1.xml', { 'if-none-match': etag })
    const first = await getSitemap()
    expect(first.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    const etag = first.headers.get('etag') ?? ''
    expect((await getSitemap(etag)).status).toBe(304)
    const [product] = await separateShop.db.selectFrom('products').select('id').limit(1).execute()
    await separateShop.db
      .updateTable('products')
      .set({ deletedAt: new Date() })
      .where('id', '=', product?.id ?? '')
      .execute()
    const after = await getSitemap(etag)
    expect(after.status).toBe(200)
    expect(await after.text()).not.toContain(product?.id)
  })

  test('a shop without products has a sitemap of its pages; an unknown sitemap is 404', async () => {
    const separateShop = await openShop({ catalog: 'empty' })
    expect(locations(await read('/sitemap.xml', separateShop))).toEqual([
      `${separateShop.origin}/sitemaps/pages.xml`,
    ])
    for (const file of ['products-1.xml', 'products-0.xml', 'products-2', 'x.xml', 'products-99999999.xml'])
      expect((await separateShop.visit().get(`/sitemaps/${file}`)).status, file).toBe(404)
    expect((await separateShop.visit().request('/sitemap.xml', { method: 'POST' })).status).toBe(405)
  })

  test('every public page has its metadata for search engines and shared links', async () => {
    const titles = new Set<string>()
    const descriptions = new Set<string>()
    for (const path of [...publicPages, `/products/${product.id}`, '/brands?letter=A&page=2']) {
      const html = await read(path)
      const title = readTitle(html)
      const description = readMeta(html, 'description') ?? ''
      titles.add(title)
      descriptions.add(description)
      expect(title, path).toMatch(/Meridian/)
      expect(description.length, `${path}: ${description}`).toBeGreaterThan(40)
      expect(description.length, `${path}: ${description}`).toBeLessThanOrEqual(165)
      expect(readMeta(html, 'robots'), path).toBeNull()
      expect(readCanonicals(html), path).toEqual([shop.origin + path])
      expect(readMeta(html, 'og:url'), path).toBe(shop.origin + path)
      expect(readMeta(html, 'og:description'), path).toBe(description)
      expect(title, path).toContain(readMeta(html, 'og:title'))
      expect(readMeta(html, 'og:image'), path).toMatch(/^https?:\/\/.+\.png$/)
      expect(html.match(/<h1\b/g), path).toHaveLength(1)
      for (const object of readStructured(html)) {
        expect(object['@context'], path).toBe('https://schema.org')
        expect(object['@type'], path).toBeTruthy()
      }
    }
    expect(titles.size).toBe(publicPages.length + 2)
    expect(descriptions.size).toBe(publicPages.length + 2)
  })

  test('each page has one canonical URL, and results, carts and errors are noindex', async () => {
    for (const [path, canonical] of [
      ['/products?page=1', '/products'],
      ['/products?page=2&utm_source=x', '/products?page=2'],
      ['/products?category=Rx&page=2', '/products?category=Rx&page=2'],
      ['/brands?letter=a', '/brands?letter=A'],
      ['/brands?letter=', '/brands'],
      ['/FAQ/', '/faq'],
      ['/Blog//', '/blog'],
      [`/products/${product.id}?form=tablet`, `/products/${product.id}`],
    ] as const)
      expect(readCanonicals(await read(path)), path).toEqual([shop.origin + canonical])
    for (const path of ['/products?q=ibuprofen', '/products?ndc=0228-2899-96', '/brands?q=apo', '/cart']) {
      const html = await read(path)
      expect(readMeta(html, 'robots'), path).toBe('noindex')
      expect(readCanonicals(html), path).toEqual([])
    }
    for (const path of ['/nowhere', `/products/${newId()}`]) {
      const response = await shop.visit().get(path)
      expect(response.status).toBe(404)
      expect(readMeta(await response.text(), 'robots'), path).toBe('noindex')
    }
  })

  test('the home page describes the shop and its search', async () => {
    const objects = readStructured(await read('/'))
    expect(objects).toContainEqual(expect.objectContaining({ '@type': 'Organization', name: 'Meridian' }))
    const site = objects.find((object) => object['@type'] === 'WebSite')
    expect(site).toMatchObject({
      url: `${shop.origin}/`,
      potentialAction: {
        '@type': 'SearchAction',
        target: { urlTemplate: `${shop.origin}/products?q={search_term_string}` },
        'query-input': 'required name=search_term_string',
      },
    })
  })

  test('lists and medicines have breadcrumbs', async () => {
    for (const path of [
      '/products',
      '/products?category=OTC',
      '/brands',
      '/brands?letter=B',
      `/products/${product.id}`,
    ]) {
      const trail = readStructured(await read(path)).find((object) => object['@type'] === 'BreadcrumbList')
      const items = trail?.['itemListElement'] as { position: number; name: string; item: string }[]
      expect(items.length, path).toBeGreaterThanOrEqual(2)
      expect(items.map(({ position }) => position)).toEqual(items.map((_, index) => index + 1))
      for (const { name, item } of items) {
        expect(name).not.toBe('')
        expect((await shop.visit().get(new URL(item).href.slice(shop.origin.length))).status, item).toBe(200)
      }
      expect(items.at(-1)?.item, path).toBe(shop.origin + path)
    }
  })

  test('a medicine with several prices is a product with the lowest and the highest price', async () => {
    const html = await read(`/products/${product.id}`)
    const medicine = readStructured(html).find((object) => Array.isArray(object['@type']))
    const prices = (
      await shop.db
        .selectFrom('productVariants')
        .select('priceCents')
        .where('productId', '=', product.id)
        .where('deletedAt', 'is', null)
        .where('priceCents', '>', 0)
        .orderBy('priceCents')
        .execute()
    ).map(({ priceCents }) => ((priceCents ?? 0) / 100).toFixed(2))
    expect(medicine).toMatchObject({
      '@type': ['Product', 'Drug'],
      name: product.name,
      url: `${shop.origin}/products/${product.id}`,
      image: expect.stringMatching(/^http.+\.svg/),
      description: expect.stringMatching(/./),
      offers: {
        '@type': 'AggregateOffer',
        lowPrice: prices.at(0),
        highPrice: prices.at(-1),
        offerCount: prices.length,
        priceCurrency: 'USD',
        availability: expect.stringMatching(/^https:\/\/schema\.org\/(InStock|OutOfStock)$/),
      },
    })
  })

  test('a medicine with one variant has its identifiers, and a name cannot break out of the structured data', async () => {
    const separateShop = await openShop({ catalog: 'empty' })
    const name = `</script><script>alert("1")</script> & <!-- \u2028 'it'`
    const id = await addProduct(separateShop.db, { name, category: 'Rx', ingredients: name })
    const variant = { productId: id, brandName: 'Brand', sku: 'SKU-1', upc: '036000291452', priceCents: 1234 }
    await addVariant(separateShop.db, { ...variant, inStock: false, stockQuantity: 0 })
    await refreshProductSummaries(separateShop.db, [id])
    const html = await read(`/products/${id}`, separateShop)
    expect(html).not.toContain('<script>alert')
    const [medicine] = readStructured(html)
    expect(medicine).toMatchObject({
      '@type': ['Product', 'Drug'],
      name,
      activeIngredient: name,
      dosageForm: 'tablet',
      prescriptionStatus: 'https://schema.org/PrescriptionOnly',
      brand: { '@type': 'Brand', name: 'Brand' },
      sku: 'SKU-1',
      gtin12: '036000291452',
      offers: {
        '@type': 'Offer',
        price: '12.34',
        priceCurrency: 'USD',
        availability: 'https://schema.org/OutOfStock',
      },
    })
  })

  test.each([
    ['has no price', { priceCents: null }, {}],
    ['has a price of nothing', { priceCents: 0 }, {}],
    ['is controlled', {}, { controlledSchedule: 'CII' }],
  ])('a medicine that %s is a drug without an offer', async (_, variant, fields) => {
    const separateShop = await openShop({ catalog: 'empty' })
    const id = await addProduct(separateShop.db, fields)
    await addVariant(separateShop.db, { productId: id, ...variant })
    await refreshProductSummaries(separateShop.db, [id])
    const [medicine] = readStructured(await read(`/products/${id}`, separateShop))
    expect(medicine).toMatchObject({ '@type': 'Drug', name: 'Ibuprofen' })
    expect(medicine).not.toHaveProperty('offers')
  })

  test('a prefetched page is cached for the click only without cookies', async () => {
    const prefetch = { 'sec-purpose': 'prefetch' }
    const prefetched = await shop.visit().get('/brands.data?letter=B', prefetch)
    expect(prefetched.status).toBe(200)
    expect(prefetched.headers.get('cache-control')).toBe('private, max-age=5')
    expect(prefetched.headers.get('vary')).toContain('Cookie')
    const plain = await shop.visit().get('/brands.data?letter=B')
    expect(plain.headers.get('cache-control')).toBe('no-cache')

    const withCookie = await shop.visit().get('/brands.data?letter=B', { ...prefetch, cookie: 'theme=dark' })
    expect(withCookie.status).toBe(204)
    expect(withCookie.headers.get('cache-control')).toBe('private, no-store')
    const clicked = await shop.visit().get('/brands.data?letter=B', { cookie: 'theme=dark' })
    expect(clicked.status).toBe(200)
    expect(clicked.headers.get('cache-control')).toBe('private, no-store')
  })
})
