import { foldOrderSums } from '#db/orders/order-sums.ts'
import { deleteExpiredDevices } from '#db/accounts/known-devices.ts'
import { dropEndedVersions } from '#db/catalog/page-versions.ts'
import { truncateLog } from '#db/crypto/erasures.ts'
import { deleteExpiredTokens } from '#db/accounts/one-time-tokens.ts'
import { getEngine } from '#db/engine/client.ts'
import { deleteExpiredLimits } from '#db/limits/rate-limits.ts'
import { deleteExpiredSessions } from '#db/accounts/sessions.ts'
import { deleteOtherJobs } from '#db/monitoring/runs.ts'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { toAppError } from '../errors.ts'
import { trace } from '../tracing.ts'
import { createRunRecorder, type RunRecorder } from '../monitoring/record-runs.ts'
import { sweepFiles, sweepLeftovers } from '../files/sweep-files.ts'
import type { Mailer } from '../integrations/mail/mailer.ts'
import { countUnitsSold } from '../inventory/count-units-sold.ts'
import { expireLots } from '../inventory/expire-lots.ts'
import { indexOrderCustomers } from '../orders/index-customers.ts'
import { holdAllRecalledStock } from '../recalls/hold-recalled-stock.ts'
import { settleRecalls } from '../recalls/apply-recalls.ts'
import { sweepClientAssets } from '../releases/store-client-assets.ts'
import { sendReminders } from '../reminders/send-reminders.ts'
import { deleteOldDrafts } from '../reviews/case-drafts.ts'
import { reopenExpiredLines } from '../reviews/reopen-expired-lines.ts'
import { deleteExpiredRecords } from '../records/delete-expired-records.ts'
import { advanceImports, deleteOldImports } from './advance-imports.ts'
import type { HeadStore } from '../audit/saved-heads.ts'
import { chainAudit } from './chain-audit.ts'
import { checkAudit } from './check-audit.ts'
import { createHeadJob } from './save-head.ts'
import { indexAllUsers } from '../accounts/find-customers.ts'
import { fetchPictures } from './fetch-pictures.ts'
import { createJobContext, type JobContext, type UseCaseParts } from '../job-context.ts'
import { deleteAllOldRows } from './delete-old-rows.ts'
import { deleteOldCarts } from './delete-old-carts.ts'
import { deleteExpiredCheckouts } from './delete-expired-checkouts.ts'
import { eraseDeleted } from './erase-deleted.ts'
import { processHolds } from '../checkout/process-holds.ts'
import { processRefunds } from '../checkout/process-refunds.ts'
import { handlePendingEvents } from './handle-pending-events.ts'
import { createLedgerJob } from './keep-ledger.ts'
import { reconcileCheckouts } from './reconcile-checkouts.ts'
import { sendDueMails } from '../mail/send-mails.ts'
import { deliverWebhooks } from '../webhooks/deliver-webhooks.ts'
import type { WebhookSender } from '../integrations/web/webhook-sender.ts'

type Job = { name: string; everyMs: number; run: (signal: AbortSignal) => Promise<void> }

/** How long jobs may keep running after the stop signal. */
const stopTimeoutMs = 5000
/** The minimum pause after a failure, so that an unreachable database does not flood the log. */
const failurePauseMs = 10_000

type JobParts = UseCaseParts & {
  /** Sends mail; without one, mail stays in the outbox. */
  mailer: Mailer | null
  keepSentMail: boolean
  /** Where heads of the audit chain are saved, if anywhere. */
  headStore: HeadStore | null
  /** Posts to the receivers of webhooks. */
  webhooks: WebhookSender
  /** The folder of this release's assets; null in development. */
  clientAssets: string | null
}

/**
 * The jobs of a process, without the one that stores their runs. The alert JobSilent requires a
 * success of each within three hours, so a job with less to do looks every hour whether it is due.
 */
export function createJobs(
  ctx: JobContext,
  { mailer, keepSentMail, headStore, webhooks, clientAssets, ...parts }: JobParts,
): Job[] {
  const { storage } = parts
  const jobs: Job[] = [
    {
      name: 'checkouts',
      everyMs: parts.shop.reconcileSeconds * 1000,
      run: (signal) => reconcileCheckouts(ctx, parts, signal),
    },
    { name: 'events', everyMs: 15_000, run: (signal) => handlePendingEvents(ctx, parts, signal) },
    { name: 'payment holds', everyMs: 1000, run: (signal) => processHolds(ctx, parts, signal) },
    { name: 'refunds', everyMs: 1000, run: (signal) => processRefunds(ctx, parts, signal) },
    { name: 'expired rate limits', everyMs: 60_000, run: () => deleteExpiredLimits(ctx.db, ctx.now()) },
    { name: 'audit chain', everyMs: 1000, run: (signal) => chainAudit(ctx, signal) },
    { name: 'audit check', everyMs: 600_000, run: () => checkAudit(ctx, parts, headStore) },
    {
      name: 'customer search index',
      everyMs: 3600_000,
      run: (signal) => indexAllUsers(createJobContext(ctx, parts), signal),
    },
    {
      name: 'order search index',
      everyMs: 3600_000,
      run: (signal) => indexOrderCustomers(createJobContext(ctx, parts), signal),
    },
    {
      name: 'expired clearances',
      everyMs: 600_000,
      run: () => reopenExpiredLines({ db: ctx.db, keys: ctx.keys, now: ctx.now() }),
    },
    {
      name: 'old case drafts',
      everyMs: 3600_000,
      run: () => deleteOldDrafts({ db: ctx.db, now: ctx.now() }),
    },
    {
      name: 'expired lots',
      everyMs: 600_000,
      run: async (signal) => void (await expireLots(createJobContext(ctx, parts), signal)),
    },
    {
      name: 'recalls',
      everyMs: 600_000,
      run: (signal) => settleRecalls(createJobContext(ctx, parts), signal),
    },
    {
      // A job of its own, so that a failure of the other one cannot prevent it.
      name: 'recalled stock',
      everyMs: 600_000,
      run: async () => void (await holdAllRecalledStock(createJobContext(ctx, parts))),
    },
    { name: 'ledger', everyMs: 60_000, run: createLedgerJob(ctx) },
    { name: 'units sold', everyMs: 10_000, run: () => countUnitsSold(ctx) },
    { name: 'order sums', everyMs: 10_000, run: (signal) => foldOrderSums(ctx.db, signal) },
    { name: 'files', everyMs: 60_000, run: (signal) => sweepFiles({ ...ctx, storage }, signal) },
    { name: 'leftovers', everyMs: 3600_000, run: () => sweepLeftovers({ ...ctx, storage }) },
    {
      name: 'erasures',
      // On Postgres, sign-ins wait while the keys are rewritten.
      everyMs: getEngine(ctx.db) === 'sqlite' ? 1000 : 30_000,
      run: () => eraseDeleted(ctx),
    },
    { name: 'write-ahead log', everyMs: 3600_000, run: () => truncateLog(ctx.db) },
    {
      name: 'expired records',
      everyMs: 3600_000,
      run: (signal) => deleteExpiredRecords(createJobContext(ctx, parts), signal),
    },
    {
      name: 'refill reminders',
      everyMs: 600_000,
      run: (signal) => sendReminders(createJobContext(ctx, parts), signal),
    },
    { name: 'webhooks', everyMs: 1000, run: (signal) => deliverWebhooks(ctx, webhooks, signal) },
    { name: 'pictures', everyMs: 10_000, run: (signal) => fetchPictures(ctx, parts, signal) },
    { name: 'imports', everyMs: 1000, run: (signal) => advanceImports(ctx, signal) },
    { name: 'old imports', everyMs: 60_000, run: (signal) => deleteOldImports(ctx, signal) },
    { name: 'lapsed checkouts', everyMs: 3600_000, run: () => deleteExpiredCheckouts(ctx) },
    {
      name: 'old rows',
      everyMs: 3600_000,
      run: async (signal) => {
        await deleteAllOldRows(ctx, signal)
        await deleteOtherJobs(
          ctx.db,
          jobs.map(({ name }) => name),
        )
      },
    },
    { name: 'old carts', everyMs: 3600_000, run: (signal) => deleteOldCarts(ctx, signal) },
    { name: 'ended sessions', everyMs: 600_000, run: () => deleteExpiredSessions(ctx.db, ctx.now()) },
    { name: 'lapsed tokens', everyMs: 600_000, run: () => deleteExpiredTokens(ctx.db, ctx.now()) },
    { name: 'page versions', everyMs: 3600_000, run: () => dropEndedVersions(ctx.db) },
    { name: 'old devices', everyMs: 3600_000, run: () => deleteExpiredDevices(ctx.db, ctx.now()) },
  ]
  if (clientAssets !== null)
    jobs.push({
      name: 'client assets',
      everyMs: 3600_000,
      run: () => sweepClientAssets(ctx, clientAssets),
    })
  if (headStore) jobs.push({ name: 'audit head', everyMs: 60_000, run: createHeadJob(ctx, headStore) })
  if (mailer) {
    jobs.push({
      name: 'outbox',
      everyMs: 1000,
      run: (signal) => sendDueMails(ctx, mailer, { keep: keepSentMail, signal }),
    })
  }
  return jobs
}

/**
 * Starts this process's job loops. Other processes run the same loops over the same tables.
 * @returns a function that aborts running jobs; the database is unused when its promise resolves
 */
export function startJobs(ctx: JobContext, parts: JobParts): () => Promise<void> {
  const jobs = createJobs(ctx, parts)
  const recorder = createRunRecorder()
  jobs.push({ name: 'run records', everyMs: 20_000, run: () => recorder.flush(ctx.db) })
  const stopping = new AbortController()
  // Every loop and its job may listen to the signal; Node warns about more than ten listeners.
  setMaxListeners(3 * jobs.length, stopping.signal)
  const loops = jobs.map((job) => repeat(ctx, job, recorder, stopping.signal))
  return async () => {
    stopping.abort()
    await Promise.race([Promise.all(loops), sleep(stopTimeoutMs, undefined, { ref: false })])
    parts.mailer?.close()
  }
}

/** Logs a failed run and tries again in the next one. Only the stop signal ends a loop. */
async function repeat(
  ctx: JobContext,
  { name, everyMs, run }: Job,
  recorder: RunRecorder,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let pauseMs = everyMs
    const started = performance.now()
    const note = (error: unknown): void => {
      recorder.note({ name, at: ctx.now(), durationMs: performance.now() - started, error })
      ctx.metrics?.noteJobRun(name, error === null ? 'succeeded' : 'failed')
    }
    try {
      await trace({ name: `job ${name}` }, () => run(signal))
      note(null)
    } catch (error) {
      note(error ?? new Error())
      pauseMs = Math.max(everyMs, failurePauseMs)
      const level = toAppError(error).code === 'INTERNAL' ? 'error' : 'warn'
      ctx.log[level]({ err: error, job: name }, 'job failed')
    }
    await pause(pauseMs * (0.9 + Math.random() / 5), signal)
  }
}

/** Ends early without an error when the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal, ref: false })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
