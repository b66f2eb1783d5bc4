import { openDatabase } from '#db/client.ts'
import { migrate } from '#db/migrate.ts'
import { readEnv, type Mode } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { serve } from '@hono/node-server'
import closeWithGrace from 'close-with-grace'
import cluster from 'node:cluster'
import { pathToFileURL } from 'node:url'
import { createApp } from './app.ts'

export { openDatabase } from '#db/client.ts'
export { createApp } from './app.ts'

/** Starts the shop: migrates under the engine's lock, listens, and on the first signal drains and leaves. */
async function start(mode: Mode): Promise<void> {
  const env = readEnv(mode, process.env)
  const log = createLog(env.logLevel)

  if (cluster.isPrimary) {
    const db = openDatabase(env.databaseUrl, (error) => log.warn({ err: error }, 'idle connection lost'))
    await migrate(db)
    if (env.demoCatalog) {
      const { seedDemo } = await import('#db/seed/demo.ts')
      await seedDemo(db)
    }
    await db.destroy()
    if (env.webConcurrency > 1) {
      for (let i = 0; i < env.webConcurrency; i++) cluster.fork()
      cluster.on('exit', (worker) => {
        if (!worker.exitedAfterDisconnect) cluster.fork()
      })
      closeWithGrace({ delay: 9500 }, () => new Promise((resolve) => cluster.disconnect(resolve)))
      return
    }
  }

  const db = openDatabase(env.databaseUrl, (error) => log.warn({ err: error }, 'idle connection lost'))
  const app = createApp({ env, db, log })
  const server = serve({ fetch: app.fetch, port: env.port, hostname: env.host }, ({ port }) => {
    log.info({ port, origin: env.publicOrigin, mode }, 'ready')
    if (mode === 'demo') {
      process.stdout.write(`\n  Meridian demo: ${env.publicOrigin}\n  Data: ${env.databaseUrl}\n\n`)
    }
  })
  // Accepted requests are answered before the process leaves; idle keep-alive connections are closed at once.
  closeWithGrace({ delay: 9500 }, async ({ err }) => {
    if (err) log.fatal({ err }, 'unexpected failure')
    await new Promise((resolve) => {
      server.close(resolve)
      if ('closeIdleConnections' in server) server.closeIdleConnections()
    })
    await db.destroy()
  })
}

const isMain = process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href
if (isMain) {
  start(process.argv.includes('--demo') ? 'demo' : 'production').catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
}
