import type { Db } from '#db/engine/client.ts'
import type { Mailer } from '#server/integrations/mail/mailer.ts'
import { prometheusMetrics } from '#server/integrations/metrics/prometheus.ts'
import type { JobContext } from '#server/job-context.ts'
import { createJobs, startJobs } from '#server/jobs/run-jobs.ts'
import { createLog } from '#server/log.ts'
import { queueMail } from '#server/mail/queue-mail.ts'
import { testDay } from '#tests/support/catalog.ts'
import { offlineJobParts, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

/** For a busy machine. */
const patience = { timeout: 60_000 }

const mail = { to: { address: 'support@shop.example' }, subject: 'A mail', text: 'Hello.' }

/** Starts the jobs with one queued email and this mailer, and captures the log. */
async function startWith(db: Db, send: Mailer['send']) {
  await queueMail(testContext(db), mail)
  const log: Record<string, unknown>[] = []
  const metrics = prometheusMetrics({
    readShop: async () => {
      throw new Error('These tests read what the process counts.')
    },
    poolStates: () => ({}),
    pressure: () => 0,
  })
  const ctx: JobContext = {
    db,
    keys: testKeys,
    now: () => testDay,
    metrics,
    log: createLog('info', { write: (line) => void log.push(JSON.parse(line) as Record<string, unknown>) }),
  }
  const close = vi.fn<() => void>()
  return {
    log,
    metrics,
    close,
    stop: startJobs(ctx, {
      ...offlineJobParts(db),
      mailer: { send, close },
    }),
  }
}

const ruleFile = z.object({
  groups: z.array(
    z.object({
      rules: z.array(z.object({ alert: z.string(), expr: z.string(), for: z.string().optional() })),
    }),
  ),
})

/** The rule of deploy/monitoring/alerts.yml with this name. */
function findRule(name: string): { expr: string; for?: string | undefined } {
  const { groups } = ruleFile.parse(parse(readFileSync('deploy/monitoring/alerts.yml', 'utf8')))
  const rule = groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === name)
  return rule ?? expect.unreachable(`There is no alert ${name}.`)
}

eachEngine((_engine, openDb) => {
  test('every job runs so often that one failed run opens no ticket', async () => {
    const db = await openDb()
    const { shop, ...parts } = offlineJobParts(db)
    const jobs = createJobs(
      { db, keys: testKeys, now: () => testDay, log: createLog('silent') },
      {
        ...parts,
        // The longest that RECONCILE_SECONDS may be.
        shop: { ...shop, reconcileSeconds: 600 },
        mailer: { send: async () => ({ outcome: 'sent' }), close: () => {} },
        headStore: { save: async () => {}, read: null },
        clientAssets: 'build/client/assets',
      },
    )
    const silentMs = Number(/> (\d+)$/.exec(findRule('JobSilent').expr)?.[1]) * 1000
    const failingMs = Number(/^(\d+)m$/.exec(findRule('JobFailingInOneProcess').for ?? '')?.[1]) * 60_000
    // The pauses are up to a tenth longer.
    const slow = jobs.filter(
      ({ everyMs }) => !(everyMs * 1.1 < failingMs && 2 * everyMs * 1.1 < silentMs * 0.9),
    )
    expect(jobs.length).toBeGreaterThan(35)
    expect(slow.map(({ name }) => name)).toEqual([])
  })

  test('a failed run is logged once, then pauses; stopping in the pause is immediate', async () => {
    const db = await openDb()
    const send = vi.fn<Mailer['send']>(async () => {
      throw new Error('not foreseen')
    })
    const { log, close, stop } = await startWith(db, send)
    await vi.waitFor(
      () => expect(log).toMatchObject([{ level: 'error', msg: 'job failed', job: 'outbox' }]),
      patience,
    )
    // Longer than the pause between two successful runs.
    await sleep(1500)
    expect(send).toHaveBeenCalledTimes(1)
    expect(log).toHaveLength(1)
    // The stop timeout. The next run would start even later.
    const givenUp = sleep(5000, 'given up', { ref: false })
    expect(await Promise.race([givenUp, stop().then(() => 'stopped')])).toBe('stopped')
    expect(close).toHaveBeenCalledTimes(1)
  })

  test('the metrics show which jobs fail in this process, also before their next run', async () => {
    const db = await openDb()
    const { metrics, stop } = await startWith(db, async () => {
      throw new Error('not foreseen')
    })
    onTestFinished(stop)
    const readLines = async () => (await metrics.read()).split('\n')
    await expect
      .poll(readLines, patience)
      .toEqual(
        expect.arrayContaining([
          'meridian_job_failing{run="outbox"} 1',
          'meridian_job_failures_total{run="outbox"} 1',
          'meridian_job_failing{run="leftovers"} 0',
          'meridian_job_failures_total{run="leftovers"} 0',
        ]),
      )
  })

  test('stopping aborts a send and records its result before it ends', async () => {
    const db = await openDb()
    const send = vi.fn<Mailer['send']>(
      (_mail, signal) =>
        new Promise((answer) => {
          signal.addEventListener('abort', () => answer({ outcome: 'failed', code: 'ABORTED' }))
        }),
    )
    const { close, stop } = await startWith(db, send)
    await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(1), patience)
    await stop()
    expect(close).toHaveBeenCalledTimes(1)
    expect(await db.selectFrom('outbox').select(['attempts', 'dueAt', 'sentAt']).execute()).toEqual([
      { attempts: 1, dueAt: testDay, sentAt: null },
    ])
  })
})
