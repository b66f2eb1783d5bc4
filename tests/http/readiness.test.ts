import { onEngine } from '#tests/support/engines.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'

const requestConnections = 10
/** More than they take at once: up to eight reads that start together share a connection. */
const requestCount = 10 * requestConnections

onEngine('postgres', (_openDb, openWithUrl) => {
  test('a shop whose requests use all of their connections is ready', async () => {
    const { db, url } = await openWithUrl('demo')
    const shop = await startShop(url, { demoCatalog: false, env: { RATE_LIMITS: 'off' } })
    try {
      const pages = await db.transaction().execute(async (tx) => {
        await sql`lock table products in access exclusive mode`.execute(tx)
        const requests = Array.from({ length: requestCount }, (_, i) =>
          fetch(`${shop.origin}/api/products?q=${i}`),
        )
        await vi.waitFor(
          async () => {
            // By query, because a job on its own connection may wait as well. Outside of the
            // transaction, in which the view would never change.
            const { rows } = await sql<{ waiting: string }>`select count(*)::text as waiting
              from pg_locks join pg_stat_activity using (pid)
              where not granted and relation = 'products'::regclass
              group by query order by count(*) desc limit 1`.execute(db)
            expect(rows).toEqual([{ waiting: String(requestConnections) }])
          },
          { timeout: 60_000 },
        )
        const ready = await fetch(`${shop.origin}/readyz`)
        expect([ready.status, await ready.text()]).toEqual([200, 'ready\n'])
        return requests
      })
      await Promise.allSettled(pages)
    } finally {
      await shop.stop()
    }
  })
})
