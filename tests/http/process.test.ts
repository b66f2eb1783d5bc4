import { wantsFastPaths } from '#tests/support/fast-paths.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { listProcessTree } from '#tests/support/process-facts.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { sql } from 'kysely'
import { chmodSync, statSync } from 'node:fs'
import { expect, test, vi } from 'vitest'

eachEngine((engine, _openDb, openWithUrl) => {
  test('the demo starts on an empty database, is ready, and keeps its data the next time', async () => {
    const { db, url } = await openWithUrl()
    const first = await startShop(url)
    try {
      for (const path of ['/', '/products', '/healthz', '/readyz']) {
        expect((await fetch(first.origin + path)).status, path).toBe(200)
      }
    } finally {
      await first.stop()
    }
    await db.updateTable('products').set({ name: 'Kept', sortName: 'kept' }).execute()
    const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null
    if (file) for (const suffix of ['', '-wal', '-shm']) chmodSync(file + suffix, 0o664)
    let log = ''
    const second = await startShop(url, { env: { LOG_LEVEL: 'warn' }, onLog: (text) => (log += text) })
    try {
      if (file) {
        expect(log.match(/other users could read the database/g)).toHaveLength(3)
        expect(permissions(file)).toEqual(['600', '600', '600'])
      }
      const response = await fetch(`${second.origin}/api/products?limit=1`)
      expect(await response.json()).toEqual([expect.objectContaining({ name: 'Kept' })])
    } finally {
      await second.stop()
    }
  })

  test('two processes that start at once on a database without tables are both ready', async () => {
    const { db, url } = await openWithUrl()
    let empty = url
    if (engine === 'postgres') {
      await sql`drop schema public cascade`.execute(db)
      await sql`create schema public`.execute(db)
    } else empty = url.replace(/\.sqlite$/, '-started.sqlite')
    const shops = await Promise.all([0, 1].map(() => startShop(empty, { demoCatalog: false })))
    try {
      for (const { origin } of shops) expect((await fetch(`${origin}/products`)).status).toBe(200)
      if (engine === 'sqlite')
        expect(permissions(empty.slice('sqlite:'.length))).toEqual(['600', '600', '600'])
    } finally {
      await Promise.all(shops.map((shop) => shop.stop()))
    }
  })

  test('several processes of one shop share one port', async () => {
    const { url } = await openWithUrl()
    const shop = await startShop(url, { demoCatalog: false, env: { WEB_CONCURRENCY: '2' } })
    try {
      for (let i = 0; i < 20; i++) {
        const response = await fetch(`${shop.origin}/products`)
        expect(response.status).toBe(200)
        // Longer than the keep-alive of a proxy in front.
        expect(response.headers.get('keep-alive')).toBe('timeout=75')
      }
      // Whichever process answers, it answers for all.
      const metrics = await (await fetch(`${shop.origin}/metrics`)).text()
      expect(metrics).toContain(
        'http_request_duration_seconds_count{route="/products",method="GET",status="2xx"} 20\n',
      )
      expect(metrics).toContain('nodejs_eventloop_lag_seconds ')
    } finally {
      expect(await shop.stop()).toBe(0)
    }
  })

  test('a scrape on this machine without the token reads what is missing', async () => {
    const { url } = await openWithUrl()
    const METRICS_TOKEN = 'a-token-of-more-than-thirty-two-characters'
    const shop = await startShop(url, { demoCatalog: false, env: { METRICS_TOKEN } })
    try {
      const refused = await fetch(`${shop.origin}/metrics`)
      expect({ status: refused.status, text: await refused.text() }).toEqual({
        status: 404,
        text: 'The metrics need the header "Authorization: Bearer METRICS_TOKEN".',
      })
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
      expect((await fetch(`${shop.origin}/metrics`, { headers })).status).toBe(200)
    } finally {
      await shop.stop()
    }
  })

  test('SIGTERM finishes accepted requests, takes no new ones and exits with 0', async () => {
    const { url } = await openWithUrl()
    let log = ''
    const shop = await startShop(url, {
      demoCatalog: false,
      env: { LOG_LEVEL: 'info' },
      onLog: (text) => (log += text),
    })
    const failures: string[] = []
    let answered = 0
    const visit = async (): Promise<void> => {
      for (;;) {
        try {
          const response = await fetch(`${shop.origin}/products`)
          await response.text()
          if (response.status !== 200) failures.push(String(response.status))
          answered++
        } catch (error) {
          const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
          const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
          if (code === 'ECONNREFUSED') return
          // The kernel may accept a connection that the shop has not. It is reset when the shop
          // stops listening.
          // Node's own `close`, used without the fast paths, also cuts a connection between two
          // requests, and with it one that is on its way.
          const isCut = code === 'UND_ERR_SOCKET' && !wantsFastPaths
          if (code !== 'ECONNRESET' && !isCut) failures.push(code)
        }
      }
    }
    const visitors = Array.from({ length: 10 }, visit)
    await vi.waitFor(() => expect(answered).toBeGreaterThan(20), { timeout: 30_000 })
    // A shop that has not drained within its limit of 10 s exits with 1.
    expect(await shop.stop()).toBe(0)
    await Promise.all(visitors)
    expect(failures).toEqual([])
    // The shop answered every request that it logged.
    expect(log.match(/"path":"\/products","status":200/g)).toHaveLength(answered)
  })

  test('a shop that ends by itself is reported with its exit code, its signal and the end of its log', async () => {
    const { url } = await openWithUrl()
    const report = vi.spyOn(console, 'error').mockImplementation(() => {})
    const shop = await startShop(url, { demoCatalog: false, env: { LOG_LEVEL: 'info' } })
    try {
      process.kill(shop.pid, 'SIGTERM')
      await vi.waitFor(() => expect(report.mock.calls).toHaveLength(1), { timeout: 30_000 })
      const reported = `The shop of ${shop.origin} ended by itself: exit code 0, signal null.`
      expect(report.mock.calls.flat()).toEqual([expect.stringContaining(reported)])
      expect(report.mock.calls.flat()).toEqual([expect.stringContaining('"msg":"ready"')])
    } finally {
      await shop.stop()
    }
  })

  test('a worker that gets both the primary’s message and its group’s signal drains once', async () => {
    const { url } = await openWithUrl()
    const env = { WEB_CONCURRENCY: '2', DRAIN_MS: '3000' }
    const shop = await startShop(url, { demoCatalog: false, env })
    const [, ...workers] = listProcessTree(shop.pid)
    const signaled = performance.now()
    const stopped = shop.stop()
    const statusOf = async (path: string): Promise<number> =>
      (await fetch(shop.origin + path, { headers: { connection: 'close' } })).status
    // A 503 shows that one worker has the message. The drain lasts three seconds, which is too
    // short on a busy machine to wait for both.
    await vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(503), { timeout: 30_000 })
    for (const pid of workers) process.kill(pid, 'SIGTERM')
    // At once, so that a busy machine still sends all of them before the workers stop accepting.
    const statuses = await Promise.all(Array.from({ length: 10 }, () => statusOf('/products')))
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200))
    expect(await stopped).toBe(0)
    // A second signal would have ended the workers at once.
    expect(performance.now() - signaled).toBeGreaterThan(3000)
  })

  test('SIGTERM with DRAIN_MS refuses readiness first, and goes on answering new connections', async () => {
    const { url } = await openWithUrl()
    const shop = await startShop(url, { demoCatalog: false, env: { DRAIN_MS: '3000' } })
    const stopped = shop.stop()
    const statusOf = async (path: string): Promise<number> =>
      (await fetch(shop.origin + path, { headers: { connection: 'close' } })).status
    // The proxy learns it from the next probe, and sends requests until then.
    await vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(503), { timeout: 30_000 })
    expect(await statusOf('/products')).toBe(200)
    expect(await stopped).toBe(0)
    await expect(statusOf('/products')).rejects.toThrow('fetch failed')
  })
})

/** The permissions of a SQLite database's files. */
const permissions = (file: string): string[] =>
  ['', '-wal', '-shm'].map((suffix) => (statSync(file + suffix).mode & 0o777).toString(8))
