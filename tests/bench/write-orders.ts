import { openDatabase } from '#db/engine/client.ts'
import { migrate } from '#db/engine/migrate.ts'
import { startContext, type Context } from '#server/context.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { readEnv } from '#server/env.ts'
import { openPayments } from '#server/integrations/payments/open-payments.ts'
import { openStorage } from '#server/integrations/storage/open-storage.ts'
import { createLog } from '#server/log.ts'
import { getShopFacts } from '#server/shop-facts.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { generateOrders } from './generate-orders.ts'

/** Writes generated orders into an imported catalog. */
export const writeOrders = (
  databaseUrl: string,
  count: number,
  onProgress: (done: number) => void = () => {},
): Promise<void> => withContext(databaseUrl, (ctx) => generateOrders(ctx, count, onProgress))

/** Runs work in a shop's database under the keys that `startShop` uses. */
export async function withContext(
  databaseUrl: string,
  work: (ctx: Context) => Promise<unknown>,
): Promise<void> {
  const { ENCRYPTION_KEYS, SESSION_SECRET } = productionEnv
  const env = readEnv('dev', { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS, SESSION_SECRET })
  const db = openDatabase(databaseUrl, (error) => console.error(error.message))
  try {
    await migrate(db)
    const [keys, storage, payments] = [
      await openShopKeys(db, env),
      await openStorage(env.storage),
      await openPayments(env.payments, db),
    ]
    const log = createLog('warn')
    await work(startContext({ db, log, keys, storage, payments, shop: getShopFacts(env) }))
  } finally {
    await db.destroy()
  }
}
