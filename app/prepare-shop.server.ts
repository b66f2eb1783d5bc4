import { openDatabase, restrictDatabaseFiles, type Db } from '#db/engine/client.ts'
import { isMigrated, migrate } from '#db/engine/migrate.ts'
import { prepareHeadStore } from '#server/audit/open-head-store.ts'
import { startContext } from '#server/context.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { createDemoAccounts } from '#server/demo/demo-accounts.ts'
import { createDemoHistory } from '#server/demo/history/create-history.ts'
import { tryPlace, tryVariable } from '#server/env-error.ts'
import type { Env, Mode } from '#server/env.ts'
import { openPayments } from '#server/integrations/payments/open-payments.ts'
import { openStorage, prepareStorage } from '#server/integrations/storage/open-storage.ts'
import { completeEarlierData } from '#server/jobs/complete-earlier-data.ts'
import { sealEarlierData } from '#server/jobs/seal-earlier-data.ts'
import type { Logger } from '#server/log.ts'
import { storeClientAssets } from '#server/releases/store-client-assets.ts'
import { getShopFacts } from '#server/shop-facts.ts'
import { join, resolve } from 'node:path'
import { clientFiles } from './app.ts'

/** What pages request from `/assets/`. */
export const clientAssets = join(clientFiles, 'assets')
/** The committed lists, from the built server's folder. */
const careFolder = resolve(import.meta.dirname, '../../db/seed/care')

/**
 * What a start does once, before any process serves requests: it checks the settings that name
 * places, migrates under the engine's lock, creates missing keys, and fills the demo.
 * @throws {Error} with a message for the operator, which names the variable
 */
export async function prepareShop(env: Env, mode: Mode, log: Logger): Promise<void> {
  const db = await tryVariable('DATABASE_URL', () => openOwnDatabase(env.databaseUrl, log))
  await tryPlace('STORAGE', () => prepareStorage(env.storage))
  await tryPlace('AUDIT_HEADS', () => prepareHeadStore(env.auditHeads))
  await migrate(db, () => log.warn('migration waits for a locked table or another migration'))
  if (env.demoCatalog) await fillDemoCatalog(db)
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
}

/** @throws {Error} when it cannot be reached or opened */
async function openOwnDatabase(url: string, log: Logger): Promise<Db> {
  for (const { file, error } of restrictDatabaseFiles(url)) {
    if (error) log.error({ err: error, file }, 'other users can read the database')
    else log.warn({ file }, 'other users could read the database')
  }
  const db = openDatabase(url, (error) => log.warn({ err: error }, 'idle connection lost'))
  await isMigrated(db)
  return db
}

/** Loaded on use, and never in production: `npm run care:import` loads the lists there. */
async function fillDemoCatalog(db: Db): Promise<void> {
  const { seedDemo } = await import('#db/seed/demo.ts')
  await seedDemo(db)
  const { loadCommittedLists } = await import('#server/screening/load-committed-lists.ts')
  await loadCommittedLists(db, careFolder, new Date())
}
