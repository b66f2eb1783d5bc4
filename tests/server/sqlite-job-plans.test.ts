import { Database } from '#db/engine/better-sqlite3.ts'
import { prometheusMetrics } from '#server/integrations/metrics/prometheus.ts'
import { completeEarlierData } from '#server/jobs/complete-earlier-data.ts'
import { startJobs } from '#server/jobs/run-jobs.ts'
import { sealEarlierData } from '#server/jobs/seal-earlier-data.ts'
import { createLog } from '#server/log.ts'
import { testDay } from '#tests/support/catalog.ts'
import { offlineJobParts, testKeys } from '#tests/support/context.ts'
import { onEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'

/** The largest tables, and the aliases of two of them. */
const largeTables = 'checkouts|orders|users|product_variants|variant_identifiers|audit_log|i|v'
/** Reads all rows of a large table, or builds an index for one statement. */
const isSlowStep = (step: string): boolean => new RegExp(`AUTOMATIC|^SCAN (${largeTables})$`).test(step)

/** All of them, without the outbox and the saved audit heads. */
const jobCount = 35

onEngine('sqlite', (openDb) => {
  test('no statement of the start or of a job reads all of a large table, which would block the shop', async () => {
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
    const stop = startJobs(ctx, offlineJobParts(db))
    const countJobs = (): number => new Set(noteRun.mock.calls.map(([name]) => name)).size
    await expect.poll(countJobs, { timeout: 60_000 }).toBe(jobCount)
    await stop()
    const statements = [...new Set(spy.mock.calls.map(([text]) => text))]
    spy.mockRestore()
    const slow: string[] = []
    for (const statement of statements.filter((text) =>
      /^\s*(select|with|update|delete|insert)\b/i.test(text),
    )) {
      const plan = sql.raw<{ detail: string }>(`explain query plan ${statement.replaceAll('?', 'null')}`)
      const { rows } = await plan.execute(db)
      if (rows.some(({ detail }) => isSlowStep(detail))) slow.push(statement)
    }
    expect(statements.length).toBeGreaterThan(50)
    expect(slow).toEqual([])
  })
})
