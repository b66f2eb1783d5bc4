import { serverPaths } from '#domain/server-paths.ts'
import { setFastPaths } from '#domain/fast-paths.ts'
import { demoEmails, demoPassword } from '#server/demo/demo-accounts.ts'
import { toListenError } from '#server/env-error.ts'
import { readEnv, type Env, type Mode } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { announceStop } from '#server/readiness.ts'
import { serve } from '@hono/node-server'
import closeWithGrace from 'close-with-grace'
import cluster from 'node:cluster'
import { Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { closeServer } from './http/close-server.ts'
import { enforceLimits, requestLimits, serverLimits } from './http/request-limits.ts'
import { watchAccepts, type AcceptWatch } from './http/watch-accepts.ts'
import { openShop } from './open-shop.server.ts'
import { prepareShop } from './prepare-shop.server.ts'
import { saveMemory } from './save-memory.ts'
import { drainLimitMs, drainMessage, startWorkers } from './start-workers.server.ts'

export { setFastPaths } from '#domain/fast-paths.ts'
export { openDatabase } from '#db/engine/client.ts'
export { openPayments } from '#server/integrations/payments/open-payments.ts'
export { createApp } from './app.ts'

/** A terminal and systemd send these to the workers, too. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/**
 * How long an idle connection stays open. Longer than the proxies in front keep theirs (60 s for
 * nginx and Amazon's load balancers): if the server closed first, the next request could hit a
 * closed connection and the proxy would answer 502.
 */
const keepAliveMs = 75_000

/** Starts the shop: prepares its database and listens. On the first signal, it drains and exits. */
async function start(mode: Mode): Promise<void> {
  saveMemory()
  const env = readEnv(mode, process.env)
  setFastPaths(env.fastPaths)
  const log = createLog(env.logLevel)

  if (cluster.isPrimary) {
    await prepareShop(env, mode, log)
    if (env.webConcurrency > 1) {
      startWorkers(env.webConcurrency)
      return
    }
  }

  let accepts: AcceptWatch | null = null
  const shop = await openShop(env, mode, log, () => accepts?.readDelayMs() ?? 0)
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
    await shop.close()
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
    fetch: shop.fetch,
    port: env.port,
    hostname: env.host,
    serverOptions: { keepAliveTimeout: keepAliveMs, ...serverLimits(limits) },
  }
  const server = serve(listening, ({ port }) => {
    server.off('error', onListenError)
    if (!isClosing) stopJobs = shop.startJobs()
    log.info({ port, origin: env.publicOrigin, mode }, 'ready')
    if (mode === 'demo') printDemo(env)
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

function printDemo({ publicOrigin, databaseUrl, storage }: Env): void {
  const lines = [
    '',
    `  Meridian demo: ${publicOrigin}`,
    `  Accounts: ${demoEmails.join(', ')}; password ${demoPassword}`,
    `  Mail: ${publicOrigin}${serverPaths.demoOutbox}`,
    `  Data: ${databaseUrl}, files in ${storage.kind === 'local' ? storage.path : storage.kind}`,
    '',
    '',
  ]
  process.stdout.write(lines.join('\n'))
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
