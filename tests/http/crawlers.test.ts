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

  const read = async (path: string, own = shop): Promise<string> => {
    const response = await own.visit().get(path)
    expect(response.status, path).toBe(200)
    return response.text()
  }

  test('robots may read the shop and not what is about one person, and learn where the sitemap is', async () => {
    const response = await shop.visit().get('/robots.txt')
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const lines = (await response.text()).split('\n')
    expect(lines[0]).toBe('User-agent: *')
    expect(lines).toContain(`Sitemap: ${shop.origin}/sitemap.xml`)
    const closed = lines.flatMap((line) => line.match(/^Disallow: (\S+)$/)?.[1] ?? [])
    expect(closed).toEqual(privatePaths)
    for (const path of [...publicPages, `/products/${product.id}`, '/img/v/x.svg', '/assets/x.js'])
      expect(
        closed.filter((start) => path.startsWith(start)),
        path,
      ).toEqual([])
  })

  test('the sitemaps name each public page and each live product once, with when it changed', async () => {
    const own = await openShop()
    const gone = await addProduct(own.db, { deletedAt: new Date() })
    const changed = await addProduct(own.db, { updatedAt: new Date('2026-03-04T05:06:07.890Z') })
    const live = await own.db.selectFrom('products').select('id').where('deletedAt', 'is', null).execute()

    const index = await read('/sitemap.xml', own)
    expect(index).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<sitemapindex xmlns=/)
    expect(locations(index)).toEqual([
      `${own.origin}/sitemaps/pages.xml`,
      `${own.origin}/sitemaps/products-1.xml`,
    ])
    const named: string[] = []
    for (const url of locations(index)) named.push(...locations(await read(new URL(url).pathname, own)))
    const wanted = [...publicPages, ...live.map(({ id }) => `/products/${id}`)]
    expect(named.toSorted()).toEqual(wanted.map((path) => own.origin + path).toSorted())
    expect(named.join()).not.toContain(gone)
    expect(await read('/sitemaps/products-1.xml', own)).toContain(
      `<url><loc>${own.origin}/products/${changed}</loc><lastmod>2026-03-04T05:06:07.890Z</lastmod></url>`,
    )
  })

  test('a sitemap has an ETag that changes when a product does', async () => {
    const own = await openShop()
    const ask = (etag = '') => own.visit().get('/sitemaps/products-1.xml', { 'if-none-match': etag })
    const first = await ask()
    expect(first.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    const etag = first.headers.get('etag') ?? ''
    expect((await ask(etag)).status).toBe(304)
    const [some] = await own.db.selectFrom('products').select('id').limit(1).execute()
    await own.db
      .updateTable('products')
      .set({ deletedAt: new Date() })
      .where('id', '=', some?.id ?? '')
      .execute()
    const after = await ask(etag)
    expect(after.status).toBe(200)
    expect(await after.text()).not.toContain(some?.id)
  })

  test('a shop without products has a sitemap of its pages; a sitemap that is none is not found', async () => {
    const own = await openShop({ catalogue: 'empty' })
    expect(locations(await read('/sitemap.xml', own))).toEqual([`${own.origin}/sitemaps/pages.xml`])
    for (const file of ['products-1.xml', 'products-0.xml', 'products-2', 'x.xml', 'products-99999999.xml'])
      expect((await own.visit().get(`/sitemaps/${file}`)).status, file).toBe(404)
    expect((await own.visit().request('/sitemap.xml', { method: 'POST' })).status).toBe(405)
  })

  test('every public page says in its head what it is, for search engines and for who shares it', async () => {
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

  test('one content has one address, and results, carts and errors are not listed', async () => {
    for (const [asked, canonical] of [
      ['/products?page=1', '/products'],
      ['/products?page=2&utm_source=x', '/products?page=2'],
      ['/products?category=Rx&page=2', '/products?category=Rx&page=2'],
      ['/brands?letter=a', '/brands?letter=A'],
      ['/brands?letter=', '/brands'],
      ['/FAQ/', '/faq'],
      ['/Blog//', '/blog'],
      [`/products/${product.id}?form=tablet`, `/products/${product.id}`],
    ] as const)
      expect(readCanonicals(await read(asked)), asked).toEqual([shop.origin + canonical])
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

  test('home says who the shop is and how it is searched', async () => {
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

  test('lists and medicines say where they stand', async () => {
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

  test('a medicine of several prices is a product with the lowest and the highest', async () => {
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

  test('a medicine of one variant carries its codes, and names cannot break out of what machines read', async () => {
    const own = await openShop({ catalogue: 'empty' })
    const name = `</script><script>alert("1")</script> & <!-- \u2028 'it'`
    const id = await addProduct(own.db, { name, category: 'Rx', ingredients: name })
    const variant = { productId: id, brandName: 'Brand', sku: 'SKU-1', upc: '036000291452', priceCents: 1234 }
    await addVariant(own.db, { ...variant, inStock: false, stockQuantity: 0 })
    await refreshProductSummaries(own.db, [id])
    const html = await read(`/products/${id}`, own)
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
  ])('a medicine that %s is a drug and no product, and offers nothing', async (_, variant, said) => {
    const own = await openShop({ catalogue: 'empty' })
    const id = await addProduct(own.db, said)
    await addVariant(own.db, { productId: id, ...variant })
    await refreshProductSummaries(own.db, [id])
    const [medicine] = readStructured(await read(`/products/${id}`, own))
    expect(medicine).toMatchObject({ '@type': 'Drug', name: 'Ibuprofen' })
    expect(medicine).not.toHaveProperty('offers')
  })

  test('what is fetched ahead is kept for the click only where no cookie went along', async () => {
    const ahead = { 'sec-purpose': 'prefetch' }
    const anybody = await shop.visit().get('/brands.data?letter=B', ahead)
    expect(anybody.status).toBe(200)
    expect(anybody.headers.get('cache-control')).toBe('private, max-age=5')
    expect(anybody.headers.get('vary')).toContain('Cookie')
    const plain = await shop.visit().get('/brands.data?letter=B')
    expect(plain.headers.get('cache-control')).toBe('no-cache')

    const known = await shop.visit().get('/brands.data?letter=B', { ...ahead, cookie: 'theme=dark' })
    expect(known.status).toBe(204)
    expect(known.headers.get('cache-control')).toBe('private, no-store')
    const clicked = await shop.visit().get('/brands.data?letter=B', { cookie: 'theme=dark' })
    expect(clicked.status).toBe(200)
    expect(clicked.headers.get('cache-control')).toBe('private, no-store')
  })
})
