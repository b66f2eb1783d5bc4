import { sweepClientAssets, storeClientAssets } from '#server/releases/store-client-assets.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { makeTestFolder } from '#tests/support/test-folder.ts'
import { sql } from 'kysely'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'

const builtFolder = 'build/client/assets'
const immutable = 'public, max-age=31536000, immutable'
const day = (days: number): Date => new Date(Date.UTC(2026, 10, 1 + days))
const script = `console.log("another release")\n`.repeat(50)
const font = Buffer.from([0, 1, 2, 250, 251, 252])

/** The assets of another release. */
let folder: string
beforeEach(() => {
  folder = makeTestFolder('assets')
  writeFileSync(join(folder, 'root-Earlier1.js'), script)
  writeFileSync(join(folder, 'root-Earlier1.js.gz'), gzipSync(script))
  writeFileSync(join(folder, 'root-Earlier1.js.br'), 'brotli')
  writeFileSync(join(folder, 'text-Earlier1.woff2'), font)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const store = ({ db }: Shop, at = day(0), from = folder) => storeClientAssets({ db, now: () => at }, from)

const listNames = async ({ db }: Shop): Promise<string[]> =>
  (await db.selectFrom('clientAssets').select('name').orderBy('name').execute()).map(({ name }) => name)

eachEngine((_engine, _openDb, openWithUrl) => {
  test('a shop that cannot store its assets starts and serves them', async () => {
    const { db, url } = await openWithUrl('demo')
    await sql`alter table client_assets rename to other_assets`.execute(db)
    const lines: string[] = []
    const shop = await startShop(url, {
      demoCatalog: false,
      env: { LOG_LEVEL: 'warn' },
      onLog: (text) => lines.push(text),
    })
    try {
      const page = await (await fetch(`${shop.origin}/faq`)).text()
      const [script = ''] = page.match(/\/assets\/[\w.-]+\.js/) ?? []
      expect((await fetch(shop.origin + script)).status).toBe(200)
      expect(lines.join('')).toContain('assets not stored for other releases')
    } finally {
      await shop.stop()
    }
  })
})

eachShop((openShop) => {
  test('assets of another release are served like those of this one', async () => {
    const shop = await openShop({ catalog: 'empty' })
    await store(shop)

    const plain = await shop.visit().request('/assets/root-Earlier1.js', {})
    expect(plain.status).toBe(200)
    expect(plain.headers.get('content-type')).toMatch(/^text\/javascript/)
    expect(plain.headers.get('cache-control')).toBe(immutable)
    expect(plain.headers.get('vary')).toBe('Accept-Encoding')
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await plain.text()).toBe(script)

    const compressed = await shop.visit().get('/assets/root-Earlier1.js', { 'accept-encoding': 'gzip, br' })
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(Buffer.from(await compressed.arrayBuffer())).toString()).toBe(script)

    const bytes = await shop.visit().request('/assets/text-Earlier1.woff2', {})
    expect(bytes.headers.get('content-type')).toBe('font/woff2')
    expect(Buffer.from(await bytes.arrayBuffer())).toEqual(font)
  })

  test('an asset that no release has returns 404', async () => {
    const shop = await openShop({ catalog: 'empty' })
    await store(shop)
    for (const path of [
      '/assets/root-Unknown1.js',
      '/assets/root-Earlier1.js.gz',
      '/assets/root-Earlier1.js.br',
      '/assets/..%2Froot-Earlier1.js',
      `/assets/${'a'.repeat(1000)}`,
      '/assets/',
    ]) {
      const response = await shop.visit().get(path)
      expect(response.status, path).toBe(404)
      expect(response.headers.get('cache-control'), path).not.toContain('immutable')
    }
    // No request for one file is shed, so no page is made for it, either.
    const unknown = await shop.visit().get('/assets/root-Unknown1.js')
    expect(unknown.headers.get('content-type')).toMatch(/^text\/plain/)
  })

  test('two processes of a release store every asset once', async () => {
    const shop = await openShop({ catalog: 'empty' })
    await Promise.all([store(shop, day(0), builtFolder), store(shop, day(0), builtFolder)])
    const names = readdirSync(builtFolder).filter((name) => !/\.(br|gz)$/.test(name))
    expect(await listNames(shop)).toEqual(names.toSorted())
    const rows = await shop.db.selectFrom('clientAssets').selectAll().execute()
    for (const { name, gzipped } of rows)
      expect(gunzipSync(gzipped).equals(readFileSync(join(builtFolder, name))), name).toBe(true)
  })

  test('assets stay for 30 days after the last day of a release that has them', async () => {
    const shop = await openShop({ catalog: 'empty' })
    await store(shop, day(0))
    await store(shop, day(0), builtFolder)
    const all = await listNames(shop)
    const keep = (at: Date, of: string) => sweepClientAssets({ db: shop.db, now: () => at }, of)
    // The earlier release runs for 20 more days.
    await keep(day(20), folder)
    await keep(day(49), builtFolder)
    expect(await listNames(shop)).toEqual(all)
    await keep(day(51), builtFolder)
    expect(await listNames(shop)).toEqual(all.filter((name) => !name.includes('Earlier')))
    // It returns.
    await keep(day(52), folder)
    expect(await listNames(shop)).toEqual(all)
  })
})
