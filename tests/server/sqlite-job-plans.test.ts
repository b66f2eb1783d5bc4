import { Database } from '#db/engine/better-sqlite3.ts'
import { prometheusMetrics } from '#server/integrations/metrics/prometheus.ts'
import { noWebhooks } from '#server/integrations/web/webhook-sender.ts'
import { completeEarlierData } from '#server/jobs/complete-earlier-data.ts'
import { startJobs } from '#server/jobs/run-jobs.ts'
import { sealEarlierData } from '#server/jobs/seal-earlier-data.ts'
import { createLog } from '#server/log.ts'
import { testDay } from '#tests/support/catalog.ts'
import { jobParts, testKeys } from '#tests/support/context.ts'
import { onEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'

/** Reads all rows of a table that grows with the shop, or builds an index for one statement. */
const isSlowStep = (step: string): boolean =>
  /AUTOMATIC|^SCAN (checkouts|orders|users|product_variants|variant_identifiers|audit_log|i|v)$/.test(step)

onEngine('sqlite', (openDb) => {
  test('neither the start nor a job reads a whole large table, during which the shop would stand still', async () => {
    const spy = vi.spyOn(Database.prototype, 'prepare')
    const db = await openDb('demo')
    spy.mockClear()
    const metrics = prometheusMetrics({
      readShop: () => Promise.reject(new Error('This test reads no metrics.')),
      poolStates: () => ({}),
      pressure: () => 0,
    })
    const noteRun = vi.spyOn(metrics, 'noteJobRun')
    const ctx = { db, keys: testKeys, now: () => testDay, log: createLog('silent'), metrics }
    await sealEarlierData(ctx)
    await completeEarlierData(ctx)
    const stop = startJobs(ctx, {
      mailer: null,
      ...jobParts(db),
      webhooks: noWebhooks,
      headStore: null,
      keepSentMail: false,
    })
    const countJobs = (): number => new Set(noteRun.mock.calls.map(([name]) => name)).size
    await expect.poll(countJobs, { timeout: 60_000 }).toBeGreaterThan(30)
    await stop()
    const statements = [...new Set(spy.mock.calls.map(([text]) => text))]
    spy.mockRestore()
    const slow: string[] = []
    for (const statement of statements.filter((text) =>
      /^\s*(select|with|update|delete|insert)\b/i.test(text),
    )) {
      // SQLite knows the value when it runs the statement, and takes the index of that status.
      const bound = statement.replace(/^(delete from "checkouts" where "status" =) \?/, "$1 'cancelled'")
      const plan = sql.raw<{ detail: string }>(`explain query plan ${bound.replaceAll('?', 'null')}`)
      const { rows } = await plan.execute(db)
      if (rows.some(({ detail }) => isSlowStep(detail))) slow.push(statement)
    }
    expect(statements.length).toBeGreaterThan(50)
    expect(slow).toEqual([])
  })
})
