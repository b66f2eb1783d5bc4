import { migrate } from '#db/engine/migrate.ts'
import { seedDemo } from '#db/seed/demo.ts'
import { demoEmails, demoPassword, createDemoAccounts } from '#server/demo/demo-accounts.ts'
import { createDemoHistory } from '#server/demo/history/create-history.ts'
import { openHeadStore, prepareHeadStore } from '#server/audit/open-head-store.ts'
import { startContext } from '#server/context.ts'
import { toListenError, tryPlace } from '#server/env-error.ts'
import { readEnv } from '#server/env.ts'
import { openMailer } from '#server/integrations/mail/open-mailer.ts'
import { openScanner } from '#server/integrations/malware/open-scanner.ts'
import { openPayments } from '#server/integrations/payments/open-payments.ts'
import { httpsFiles } from '#server/integrations/web/https-files.ts'
import { openWebhookSender } from '#server/integrations/web/webhook-sender.ts'
import { openStorage, prepareStorage } from '#server/integrations/storage/open-storage.ts'
import { completeEarlierData } from '#server/jobs/complete-earlier-data.ts'
import { sealEarlierData } from '#server/jobs/seal-earlier-data.ts'
import { loadCommittedLists } from '#server/screening/load-committed-lists.ts'
import { startJobs } from '#server/jobs/run-jobs.ts'
import { createLog } from '#server/log.ts'
import { getShopFacts } from '#server/shop-facts.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { getRequestListener } from '@hono/node-server'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createServer as createVite } from 'vite'
import { runCommand } from './run-command.ts'
import { openAnyDatabase } from './shop-database.ts'

/**
 * `npm run dev`: Vite with hot reload in front of the app, with the same embedded services as the
 * demo.
 */
async function main(): Promise<number> {
  const env = readEnv('dev', process.env)
  const log = createLog(env.logLevel)
  const db = await openAnyDatabase(env.databaseUrl)
  await tryPlace('STORAGE', () => prepareStorage(env.storage))
  await tryPlace('AUDIT_HEADS', () => prepareHeadStore(env.auditHeads))
  await migrate(db)
  if (env.demoCatalog) {
    await seedDemo(db)
    await loadCommittedLists(db, join(import.meta.dirname, '../db/seed/care'), new Date())
  }

  const keys = await openShopKeys(db, env)
  await sealEarlierData({ db, keys })
  await completeEarlierData({ db, keys, log })
  const storage = await openStorage(env.storage)
  const scanner = openScanner(env)
  const publicFiles = httpsFiles()
  const payments = await openPayments(env.payments, db)
  const startingContext = startContext({ db, log, keys, storage, payments, shop: getShopFacts(env) })
  await createDemoAccounts(startingContext)
  if (env.demoHistory) await createDemoHistory(startingContext)

  const server = createServer()
  const vite = await createVite({ server: { middlewareMode: true, hmr: { server } }, appType: 'custom' })
  server.on('request', (request, response) => {
    vite.middlewares(request, response, async () => {
      try {
        const { createApp } = (await vite.ssrLoadModule('./app/app.ts')) as typeof import('#app/app.ts')
        await getRequestListener(
          createApp({ env, db, log, keys, storage, scanner, publicFiles, payments }).fetch,
        )(request, response)
      } catch (error) {
        log.error({ err: error }, 'development server failed')
        response.writeHead(500).end('The development server failed. See its log.')
      }
    })
  })
  server.listen(env.port, env.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw error instanceof Error ? toListenError(error) : error
  }
  // Only now, so that a start that fails interrupts no job.
  startJobs(
    { db, log, keys, now: () => new Date() },
    {
      headStore: openHeadStore(env),
      webhooks: openWebhookSender({ allowsLoopback: true }),
      mailer: await openMailer(env.mail),
      storage,
      scanner,
      publicFiles,
      payments,
      shop: getShopFacts(env),
      keepSentMail: true,
      clientAssets: null,
    },
  )
  log.info({ origin: env.publicOrigin, accounts: demoEmails, password: demoPassword }, 'ready')
  return 0
}

await runCommand(main)
