import { getEngine, type Db } from '#db/engine/client.ts'
import { dropEndedVersions, readPageVersions } from '#db/catalog/page-versions.ts'
import { findAvailableVariants, type AvailableVariant } from '#tests/support/demo-catalog.ts'
import { listCachedPages, readNonce, unusedCookie, withoutNonce } from '#tests/support/cached-pages.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { Database } from '#db/engine/better-sqlite3.ts'
import { sql } from 'kysely'
import { gunzipSync } from 'node:zlib'
import { beforeAll, expect, test, vi } from 'vitest'

/** What the pages of this test read. */
const readTables = [
  'care_brands',
  'care_classes',
  'manufacturers',
  'need_reviews',
  'pharmacies',
  'product_documents',
  'product_ingredients',
  'product_names',
  'product_variants',
  'products',
  'search_words',
  'variant_identifiers',
]
/** Read for variants with an FDA application, which the demo catalog has none of. */
const ratingTables = ['care_equivalents', 'care_lists']

eachShop((openShop, engine) => {
  let shop: Shop
  let now = new Date('2026-11-20T12:00:00Z')
  let sold: AvailableVariant
  let paths: string[]
  /** The SQL of the pages on SQLite. */
  const statements: string[] = []

  beforeAll(async () => {
    const spy = vi.spyOn(Database.prototype, 'prepare')
    shop = await openShop({ now: () => now })
    ;[sold] = await findAvailableVariants(shop.db)
    paths = [
      ...listCachedPages(sold),
      `/search/suggestions?q=${encodeURIComponent(sold.name.slice(0, 4))}`,
      '/api/products?limit=24&include=variants',
      `/api/products/search?q=${encodeURIComponent(sold.name)}&include=variants`,
      `/api/products/${sold.productId}`,
      `/api/products/${sold.productId}?include=variants`,
    ]
    spy.mockClear()
    await readAll(shop, paths)
    statements.push(...spy.mock.calls.map(([text]) => text))
    spy.mockRestore()
  })

  /** The pages of a visitor as they come, and rendered for the request. */
  async function readAll(shop: Shop, paths: string[]): Promise<{ cached: string[]; fresh: string[] }> {
    const read = async (path: string, headers: Record<string, string>): Promise<string> => {
      const response = await shop.visit().get(path, headers)
      expect(response.status, path).toBe(200)
      return withoutNonce(await response.text())
    }
    const cached: string[] = []
    const fresh: string[] = []
    for (const path of paths) {
      cached.push(await read(path, {}))
      fresh.push(await read(path, { cookie: unusedCookie }))
    }
    return { cached, fresh }
  }

  test('concurrent first requests and later ones get the same reply, with gzip and without', async () => {
    const path = '/api/products?limit=3'
    const read = async (encoding: string): Promise<string> => {
      const response = await shop.visit().get(path, { 'accept-encoding': encoding })
      expect(response.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null)
      const bytes = Buffer.from(await response.arrayBuffer())
      return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
    }
    const first = await Promise.all([read('gzip'), read('gzip'), read('identity')])
    const later = [await read('gzip'), await read('identity')]
    expect(new Set([...first, ...later]).size).toBe(1)
    expect(JSON.parse(later[0] ?? '')).toHaveLength(3)
  })

  test('a campaign’s link shows the same page as the link without its parameters', async () => {
    const product = `/products/${sold.productId}?variant=${sold.variantId}`
    for (const path of ['/', '/products?q=ibuprofen', product]) {
      const campaign = `${path}${path.includes('?') ? '&' : '?'}utm_source=news&gclid=abc`
      for (const cookie of ['', unusedCookie]) {
        const read = async (url: string) =>
          withoutNonce(await (await shop.visit().get(url, { cookie })).text())
        expect(await read(campaign)).toBe(await read(path))
      }
    }
  })

  test('a cached page has a new nonce for each visitor, in its policy too', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map(async () => {
        const response = await shop.visit().get('/products')
        const html = await response.text()
        expect(response.headers.get('content-security-policy')).toContain(`'nonce-${readNonce(html)}'`)
        return html
      }),
    )
    expect(new Set(pages.map(readNonce)).size).toBe(3)
    expect(new Set(pages.map(withoutNonce)).size).toBe(1)
  })

  test('a cached page has the headers of a page that is rendered, and answers 304', async () => {
    await shop.visit().get('/')
    const cached = await shop.visit().get('/')
    const without = await openShop({ env: { PAGE_CACHE_MB: '0' } })
    const rendered = await without.visit().get('/')
    const names = (response: Response): string[] => [...response.headers.keys()].toSorted()
    expect(names(cached)).toEqual(names(rendered))
    expect(cached.headers.get('vary')).toBe(rendered.headers.get('vary'))
    const etag = cached.headers.get('etag') ?? ''
    const again = await shop.visit().get('/', { 'if-none-match': etag })
    expect([again.status, again.headers.get('content-security-policy')]).toEqual([304, null])
    const head = await shop.visit().request('/', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('a cached page is compressed for a browser, with a new nonce', async () => {
    const plain = await (await shop.visit().get('/products')).text()
    const responses = await Promise.all(
      ['gzip, deflate, br', 'br;q=1, gzip;q=0.5', 'gzip;q=0, br'].map((accepted) =>
        shop.visit().get('/products', { 'accept-encoding': accepted }),
      ),
    )
    expect(responses.map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', 'gzip', null])
    const [first, second] = await Promise.all(
      responses.slice(0, 2).map(async (response) => {
        const html = gunzipSync(Buffer.from(await response.arrayBuffer())).toString()
        expect(response.headers.get('content-security-policy')).toContain(`'nonce-${readNonce(html)}'`)
        return html
      }),
    )
    expect([first, second].map((html) => html && withoutNonce(html))).toEqual(
      Array.from({ length: 2 }, () => withoutNonce(plain)),
    )
    expect(first).not.toBe(second)
  })

  test('a cached API reply equals the uncached one, also compressed and as a 304', async () => {
    const path = '/api/products?limit=24&include=variants'
    const get = (headers: Record<string, string> = {}): Promise<Response> => shop.visit().get(path, headers)
    const first = await get()
    const cached = await get()
    const text = await cached.text()
    expect(text).toBe(await (await get({ cookie: unusedCookie })).text())
    const names = ['content-type', 'cache-control', 'etag', 'link']
    expect(names.map((name) => cached.headers.get(name))).toEqual(
      names.map((name) => first.headers.get(name)),
    )
    expect(cached.headers.get('vary')).toBe('Cookie, Accept-Encoding')
    expect(cached.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'))
    const compressed = await get({ 'accept-encoding': 'gzip' })
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(Buffer.from(await compressed.arrayBuffer())).toString()).toBe(text)
    expect((await get({ 'if-none-match': cached.headers.get('etag') ?? '' })).status).toBe(304)
    const head = await shop.visit().request(path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('an API error is never cached', async () => {
    const replies = await Promise.all(
      [1, 2].map(async () => {
        const response = await shop.visit().get('/api/products?limit=0')
        return [response.status, await response.text()]
      }),
    )
    const reply = [422, expect.stringContaining('limit must be a whole number')]
    expect(replies).toEqual([reply, reply])
  })

  const changes: Record<string, (db: Db) => Promise<unknown>> = {
    'a product’s name': (db) =>
      db.updateTable('products').set({ name: 'Renamed' }).where('id', '=', sold.productId).execute(),
    'a variant’s price': (db) =>
      db.updateTable('productVariants').set({ priceCents: 4321 }).where('id', '=', sold.variantId).execute(),
    'a variant’s stock': (db) =>
      db.updateTable('productVariants').set({ stockQuantity: 3 }).where('id', '=', sold.variantId).execute(),
    'out of stock': (db) =>
      db.updateTable('productVariants').set({ inStock: false }).where('id', '=', sold.variantId).execute(),
    'a manufacturer’s name': (db) => db.updateTable('manufacturers').set({ name: 'Renamed Labs' }).execute(),
    'closed pharmacies': (db) => db.updateTable('pharmacies').set({ active: false }).execute(),
    'units sold': (db) =>
      db.updateTable('products').set({ unitsSold: 1_000_000 }).where('id', '=', sold.productId).execute(),
    'a deleted variant': (db) =>
      db.updateTable('productVariants').set({ deletedAt: now }).where('id', '=', sold.variantId).execute(),
    'words of the search': (db) => db.deleteFrom('productDocuments').execute(),
    'a deleted product': (db) =>
      db
        .updateTable('products')
        .set({ deletedAt: now })
        .where('id', '!=', sold.productId)
        .where('category', '=', 'OTC')
        .execute(),
  }

  test('each change by another process is on the next page', async () => {
    let before = (await readAll(shop, paths)).cached
    for (const [name, change] of Object.entries(changes)) {
      await change(shop.db)
      const { cached, fresh } = await readAll(shop, paths)
      expect(cached, name).toEqual(fresh)
      expect(cached, name).not.toEqual(before)
      before = cached
    }
  })

  test('a page for visitors does not depend on the time', async () => {
    const { cached } = await readAll(shop, paths)
    now = new Date('2036-01-01T00:00:00Z')
    expect((await readAll(shop, paths)).fresh).toEqual(cached)
  })

  test('a change that no page shows sets no version, and stock only that of products', async () => {
    const before = await readPageVersions(shop.db)
    await sql`update product_variants set reserved_quantity = 1, version = version + 1`.execute(shop.db)
    expect(await readPageVersions(shop.db)).toEqual(before)
    await sql`update product_variants set stock_quantity = stock_quantity + 1`.execute(shop.db)
    const after = await readPageVersions(shop.db)
    expect([after.catalog === before.catalog, after.stock === before.stock]).toEqual([true, false])
  })

  test('a rolled back change keeps the version', async () => {
    const before = await readPageVersions(shop.db)
    const changing = shop.db.transaction().execute(async (tx) => {
      await tx.updateTable('products').set({ name: 'Never' }).execute()
      throw new Error('rolled back')
    })
    await expect(changing).rejects.toThrow('rolled back')
    expect(await readPageVersions(shop.db)).toEqual(before)
  })

  test('the versions watch every column of a variant but the ones no page shows', async () => {
    const unseen = 'acquisition_cost_cents catalog_digest catalog_key catalog_names created_at has_lots'
      .concat(' reserved_quantity stock_quantity updated_at version')
      .split(' ')
    const isPostgres = getEngine(shop.db) === 'postgres'
    const { rows } = await sql<{ name: string; watch: string }>`${
      isPostgres
        ? sql`select c.column_name as name, p.prosrc as watch from information_schema.columns c, pg_proc p
            where c.table_name = 'product_variants' and p.proname = 'note_variant_changes'`
        : sql`select c.name, m.sql as watch from pragma_table_info('product_variants') c, sqlite_master m
            where m.name = 'product_variants_shown_update'`
    }`.execute(shop.db)
    const unwatched = rows.filter(({ name, watch }) => !watch.includes(`"${name}"`)).map(({ name }) => name)
    expect(unwatched.toSorted()).toEqual(unseen)
  })

  test('every table that these pages read sets a version when it changes', async () => {
    const { rows: watched } = await sql<{ table: string }>`${
      engine === 'postgres'
        ? sql`select distinct event_object_table as "table" from information_schema.triggers
            where trigger_name like '%\_shown%'`
        : sql`select distinct tbl_name as "table" from sqlite_master where name like '%_shown_%'`
    }`.execute(shop.db)
    const tables = watched.map(({ table }) => table)
    expect(tables).toEqual(expect.arrayContaining([...readTables, ...ratingTables]))
    // SQLite's planner says which tables a statement opens. Postgres runs the same queries.
    if (engine === 'postgres') return
    const { rows: pages } = await sql<{ table: string; page: number }>`
      select tbl_name as "table", rootpage as page from sqlite_master where rootpage > 0`.execute(shop.db)
    const read = new Set<string>()
    for (const statement of statements.filter((text) => /^\s*(select|with)\b/i.test(text))) {
      const explain = sql.raw(`explain ${statement.replaceAll('?', 'null')}`)
      const { rows } = await sql<{ opcode: string; p2: number }>`${explain}`.execute(shop.db)
      for (const { opcode, p2 } of rows.filter((row) => row.opcode === 'OpenRead')) {
        read.add(pages.find(({ page }) => page === p2)?.table ?? opcode)
      }
    }
    read.delete('page_versions')
    expect([...read].toSorted()).toEqual(readTables)
  })

  test('on Postgres, the versions of ended connections are dropped, which sets a new one', async () => {
    const before = await readPageVersions(shop.db)
    for (let slot = 1; slot <= 101; slot++) {
      await sql`insert into page_versions (scope, slot, version) values ('catalog', ${-slot}, 'ended')`.execute(
        shop.db,
      )
    }
    await dropEndedVersions(shop.db)
    const { catalog } = await readPageVersions(shop.db)
    expect(catalog.includes('ended')).toBe(engine === 'sqlite')
    expect(catalog).not.toBe(before.catalog)
  })
})
