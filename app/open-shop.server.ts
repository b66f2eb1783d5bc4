import { getEngine, getPoolState, openDatabase, type Db, type StatementObserver } from '#db/engine/client.ts'
import { openReplica, type Replica } from '#db/engine/replica.ts'
import {
  jobLimits,
  requestLimits as statementLimits,
  type StatementLimits,
} from '#db/engine/statement-limits.ts'
import { openHeadStore } from '#server/audit/open-head-store.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import type { Env, Mode } from '#server/env.ts'
import { openMailer } from '#server/integrations/mail/open-mailer.ts'
import { openScanner } from '#server/integrations/malware/open-scanner.ts'
import { openPayments } from '#server/integrations/payments/open-payments.ts'
import { openStorage } from '#server/integrations/storage/open-storage.ts'
import { openTracer } from '#server/integrations/tracing/open-tracer.ts'
import { httpsFiles } from '#server/integrations/web/https-files.ts'
import { openWebhookSender } from '#server/integrations/web/webhook-sender.ts'
import { startJobs } from '#server/jobs/run-jobs.ts'
import type { Logger } from '#server/log.ts'
import { getShopFacts } from '#server/shop-facts.ts'
import { trace, traceCalls } from '#server/tracing.ts'
import { createApp } from './app.ts'
import { createMetrics } from './create-metrics.server.ts'
import { admitAll, maxWaiting, watchLoad, type Admission } from './http/watch-load.ts'
import { clientAssets } from './prepare-shop.server.ts'

/** Enough for the jobs that are at work at once; most of the time none is. */
const jobConnections = 5

export type OpenShop = {
  fetch: ReturnType<typeof createApp>['fetch']
  /** Starts the jobs. The returned function ends them. */
  startJobs: () => () => Promise<void>
  /** Closes the databases, and sends the last spans. Nothing may use the shop any more. */
  close: () => Promise<void>
}

/**
 * Opens what one process of the shop needs to serve requests and run jobs.
 * @param readAcceptDelayMs how long a new connection waits before it is accepted, in ms
 */
export async function openShop(
  env: Env,
  mode: Mode,
  log: Logger,
  readAcceptDelayMs: () => number,
): Promise<OpenShop> {
  const tracing = await openTracer(env, __BUILD_ID__)
  const { db, jobsDb, probeDb } = openPools(env, log)
  const replica = env.databaseReplicaUrl ? watchReplica(env.databaseReplicaUrl, db, log) : null
  const keys = await openShopKeys(db, env)
  const storage = traceCalls('storage', await openStorage(env.storage))
  const scanner = openScanner(env)
  const publicFiles = httpsFiles()
  const openedMailer = await openMailer(env.mail)
  const mailer = openedMailer && traceCalls('mail', openedMailer)
  const payments = traceCalls('payments', await openPayments(env.payments, db))
  const admission = openAdmission(env, db, readAcceptDelayMs)
  const metrics = createMetrics(db, { process: true, admission, jobsDb })
  const app = createApp({
    env,
    db,
    log,
    keys,
    storage,
    scanner,
    publicFiles,
    payments,
    metrics,
    admission,
    probeDb,
    replica,
  })
  const jobContext = { db: jobsDb, log, keys, now: () => new Date(), metrics }
  const jobParts = {
    headStore: openHeadStore(env),
    webhooks: openWebhookSender({ allowsLoopback: mode !== 'production' }),
    mailer,
    storage,
    scanner,
    publicFiles,
    payments,
    shop: getShopFacts(env),
    keepSentMail: mode !== 'production',
    clientAssets,
  }
  return {
    fetch: app.fetch,
    startJobs: () => startJobs(jobContext, jobParts),
    close: async () => {
      await replica?.close()
      await Promise.all([db, jobsDb, probeDb].map((pool) => pool.destroy()))
      await tracing.close()
    },
  }
}

/**
 * A long statement of a job takes no connection of a request, and a probe waits for no request.
 * SQLite has one writer, so all three are the same there.
 */
function openPools(env: Env, log: Logger): { db: Db; jobsDb: Db; probeDb: Db } {
  const onIdleError = (error: Error): void => log.warn({ err: error }, 'idle connection lost')
  const observe = env.tracing ? traceStatement : undefined
  const db = openDatabase(env.databaseUrl, onIdleError, { observe, limits: statementLimits })
  const openPool = (limits: StatementLimits, maxConnections: number): Db =>
    getEngine(db) === 'sqlite'
      ? db
      : openDatabase(env.databaseUrl, onIdleError, { observe, limits, maxConnections })
  return { db, jobsDb: openPool(jobLimits, jobConnections), probeDb: openPool(statementLimits, 1) }
}

function watchReplica(url: string, primary: Db, log: Logger): Replica {
  return openReplica(url, primary, {
    onIdleError: (error) => log.warn({ err: error }, 'idle connection of the replica lost'),
    onChange: (state) => {
      if (state.problem === null) log.info(state, 'reads use the replica')
      else log.warn(state, 'reads use the primary')
    },
  })
}

const traceStatement: StatementObserver = ({ operation, table, text }, run) =>
  trace(
    {
      name: table === null ? operation : `${operation} ${table}`,
      kind: 'client',
      attributes: { 'db.query.text': text },
    },
    run,
  )

function openAdmission(
  { overloadDelayMs: delayMs }: Env,
  db: Db,
  readAcceptDelayMs: () => number,
): Admission {
  if (delayMs === 0) return admitAll
  const readWaiting = (): number => getPoolState(db)?.waiting ?? 0
  return watchLoad({ limits: { delayMs, waiting: maxWaiting }, readWaiting, readAcceptDelayMs })
}
