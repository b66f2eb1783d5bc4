import { serverPaths } from '#domain/server-paths.ts'
import {
  getEngine,
  getPoolState,
  openDatabase,
  restrictDatabaseFiles,
  type Db,
  type StatementObserver,
} from '#db/engine/client.ts'
import { isMigrated, migrate } from '#db/engine/migrate.ts'
import { openReplica } from '#db/engine/replica.ts'
import {
  jobLimits,
  requestLimits as statementLimits,
  type StatementLimits,
} from '#db/engine/statement-limits.ts'
import { demoEmails, demoPassword, createDemoAccounts } from '#server/demo/demo-accounts.ts'
import { createDemoHistory } from '#server/demo/history/create-history.ts'
import { openHeadStore, prepareHeadStore } from '#server/audit/open-head-store.ts'
import { startContext } from '#server/context.ts'
import { setFastPaths } from '#domain/fast-paths.ts'
import { toListenError, tryPlace, tryVariable } from '#server/env-error.ts'
import { readEnv, type Env, type Mode } from '#server/env.ts'
import { openMailer } from '#server/integrations/mail/open-mailer.ts'
import { openScanner } from '#server/integrations/malware/open-scanner.ts'
import { openPayments } from '#server/integrations/payments/open-payments.ts'
import { httpsFiles } from '#server/integrations/web/https-files.ts'
import { openWebhookSender } from '#server/integrations/web/webhook-sender.ts'
import { openStorage, prepareStorage } from '#server/integrations/storage/open-storage.ts'
import { completeEarlierData } from '#server/jobs/complete-earlier-data.ts'
import { sealEarlierData } from '#server/jobs/seal-earlier-data.ts'
import { startJobs } from '#server/jobs/run-jobs.ts'
import { storeClientAssets } from '#server/releases/store-client-assets.ts'
import { createLog } from '#server/log.ts'
import { openTracer } from '#server/integrations/tracing/open-tracer.ts'
import { trace, traceCalls } from '#server/tracing.ts'
import { announceStop } from '#server/readiness.ts'
import { getShopFacts } from '#server/shop-facts.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { serve } from '@hono/node-server'
import closeWithGrace from 'close-with-grace'
import cluster from 'node:cluster'
import { Server, type ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { clientFiles, createApp } from './app.ts'
import { createMetrics } from './create-metrics.server.ts'
import { closeServer } from './http/close-server.ts'
import { enforceLimits, requestLimits, serverLimits } from './http/request-limits.ts'
import { watchAccepts, type AcceptWatch } from './http/watch-accepts.ts'
import { admitAll, maxWaiting, watchLoad, type Admission } from './http/watch-load.ts'
import { saveMemory } from './save-memory.ts'
import { drainLimitMs, drainMessage, startWorkers } from './start-workers.server.ts'

export { setFastPaths } from '#domain/fast-paths.ts'
export { openDatabase } from '#db/engine/client.ts'
export { openPayments } from '#server/integrations/payments/open-payments.ts'
export { createApp } from './app.ts'

/** Enough for the jobs that are at work at once; most of the time none is. */
const jobConnections = 5
/** What pages request from `/assets/`. */
const clientAssets = join(clientFiles, 'assets')
/** The committed lists, from the built server's folder. */
const careFolder = resolve(import.meta.dirname, '../../db/seed/care')
/** A terminal and systemd send these to the workers, too. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/**
 * How long an idle connection stays open. Longer than the proxies in front keep theirs (60 s for
 * nginx and Amazon's load balancers): if the server closed first, the next request could hit a
 * closed connection and the proxy would answer 502.
 */
const keepAliveMs = 75_000

/**
 * Starts the shop: migrates under the engine's lock and listens. On the first signal, it drains and
 * exits.
 */
async function start(mode: Mode): Promise<void> {
  saveMemory()
  const env = readEnv(mode, process.env)
  setFastPaths(env.fastPaths)
  const log = createLog(env.logLevel)

  if (cluster.isPrimary) {
    const db = await tryVariable('DATABASE_URL', async () => {
      for (const { file, error } of restrictDatabaseFiles(env.databaseUrl)) {
        if (error) log.error({ err: error, file }, 'other users can read the database')
        else log.warn({ file }, 'other users could read the database')
      }
      const opened = openDatabase(env.databaseUrl, (error) =>
        log.warn({ err: error }, 'idle connection lost'),
      )
      await isMigrated(opened)
      return opened
    })
    await tryPlace('STORAGE', () => prepareStorage(env.storage))
    await tryPlace('AUDIT_HEADS', () => prepareHeadStore(env.auditHeads))
    await migrate(db, () => log.warn('migration waits for a locked table or another migration'))
    if (env.demoCatalog) {
      const { seedDemo } = await import('#db/seed/demo.ts')
      await seedDemo(db)
      // Loaded here, and not by production: `npm run care:import` does it there.
      const { loadCommittedLists } = await import('#server/screening/load-committed-lists.ts')
      await loadCommittedLists(db, careFolder, new Date())
    }
    // Created here, before any worker starts, so that no two processes create them.
    const keys = await openShopKeys(db, env)
    await sealEarlierData({ db, keys })
    await completeEarlierData({ db, keys, log })
    try {
      // Before any page refers to them, because the previous release may get those requests.
      await storeClientAssets({ db, now: () => new Date() }, clientAssets)
    } catch (error) {
      // The disk may be full. The job tries again.
      log.warn({ err: error }, 'assets not stored for other releases')
    }
    const storage = await openStorage(env.storage)
    if (mode === 'demo') {
      const payments = await openPayments(env.payments, db)
      const ctx = startContext({ db, log, keys, storage, payments, shop: getShopFacts(env) })
      await createDemoAccounts(ctx)
      if (env.demoHistory) await createDemoHistory(ctx)
    }
    await db.destroy()
    if (env.webConcurrency > 1) {
      startWorkers(env.webConcurrency)
      return
    }
  }

  const tracing = await openTracer(env, __BUILD_ID__)
  const onIdleError = (error: Error): void => log.warn({ err: error }, 'idle connection lost')
  const observe = env.tracing ? traceStatement : undefined
  const db = openDatabase(env.databaseUrl, onIdleError, { observe, limits: statementLimits })
  // SQLite has one writer.
  const openPool = (limits: StatementLimits, maxConnections: number): Db =>
    getEngine(db) === 'sqlite'
      ? db
      : openDatabase(env.databaseUrl, onIdleError, { observe, limits, maxConnections })
  // A long statement of a job takes no connection of a request, and a probe waits for no request.
  const jobsDb = openPool(jobLimits, jobConnections)
  const probeDb = openPool(statementLimits, 1)
  const replica = env.databaseReplicaUrl
    ? openReplica(env.databaseReplicaUrl, db, {
        onIdleError: (error) => log.warn({ err: error }, 'idle connection of the replica lost'),
        onChange: (state) => {
          if (state.problem === null) log.info(state, 'reads use the replica')
          else log.warn(state, 'reads use the primary')
        },
      })
    : null
  const keys = await openShopKeys(db, env)
  const storage = traceCalls('storage', await openStorage(env.storage))
  const scanner = openScanner(env)
  const publicFiles = httpsFiles()
  const openedMailer = await openMailer(env.mail)
  const mailer = openedMailer && traceCalls('mail', openedMailer)
  const payments = traceCalls('payments', await openPayments(env.payments, db))
  let accepts: AcceptWatch | null = null
  const admission = openAdmission(env, db, () => accepts?.readDelayMs() ?? 0)
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
  // Started once the server listens, so that a start that fails interrupts no job.
  let stopJobs: (() => Promise<void>) | undefined
  let isClosing = false
  let draining = false
  // The handlers are installed before the server listens, because a signal in between would cut the
  // first requests.
  //
  // A second signal ends a process at once, and its requests. A worker that the primary's message
  // reached first would take its group's only signal for the second. Workers end with the primary.
  const skip = cluster.isWorker ? [...stopSignals] : []
  const closing = closeWithGrace({ delay: drainLimitMs, skip }, async ({ err }) => {
    if (err) log.fatal({ err }, 'unexpected failure')
    isClosing = true
    accepts?.stop()
    const jobsStopped = stopJobs?.()
    announceStop()
    await sleep(env.drainMs)
    await closeServer(server, () => {
      draining = true
    })
    await jobsStopped
    await replica?.close()
    await Promise.all([db, jobsDb, probeDb].map((pool) => pool.destroy()))
    await tracing.close()
  })
  const closeOnce = (): void => {
    if (!isClosing) closing.close()
  }
  for (const signal of skip) process.on(signal, closeOnce)
  process.on('message', (message) => {
    if (message === drainMessage) closeOnce()
  })
  const limits = { ...requestLimits, connections: env.maxConnections }
  const listening = {
    fetch: app.fetch,
    port: env.port,
    hostname: env.host,
    serverOptions: { keepAliveTimeout: keepAliveMs, ...serverLimits(limits) },
  }
  const server = serve(listening, ({ port }) => {
    server.off('error', onListenError)
    if (!isClosing) stopJobs = startJobs(jobContext, jobParts)
    log.info({ port, origin: env.publicOrigin, mode }, 'ready')
    if (mode === 'demo') {
      process.stdout.write(
        [
          '',
          `  Meridian demo: ${env.publicOrigin}`,
          `  Accounts: ${demoEmails.join(', ')}; password ${demoPassword}`,
          `  Mail: ${env.publicOrigin}${serverPaths.demoOutbox}`,
          `  Data: ${env.databaseUrl}, files in ${env.storage.kind === 'local' ? env.storage.path : env.storage.kind}`,
          '',
          '',
        ].join('\n'),
      )
    }
  })
  server.once('error', onListenError)
  if (server instanceof Server) {
    enforceLimits(server, limits, (refused) => log.warn({ refused }, 'too many connections'))
    // The primary process accepts for its workers, and does nothing else.
    if (env.overloadDelayMs > 0 && cluster.isPrimary) accepts = watchAccepts(server)
  }
  // Clients reuse kept-alive connections. Once the server no longer listens, each response closes
  // its connection.
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    if (draining) response.setHeader('Connection', 'close')
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

/** Ends a failed start. Idle database connections would keep the process for another minute. */
function endStart(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

function onListenError(error: Error): void {
  endStart(toListenError(error))
}

const isMain = process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href
if (isMain) {
  start(process.argv.includes('--demo') ? 'demo' : 'production').catch(endStart)
}
