import { openDatabase } from '#db/engine/client.ts'
import { migrate } from '#db/engine/migrate.ts'
import { resetDatabase } from '#db/engine/reset.ts'
import { seedDemo } from '#db/seed/demo.ts'
import { startContext } from '#server/context.ts'
import { findRemoteHost, readEnv } from '#server/env.ts'
import { openPayments } from '#server/integrations/payments/open-payments.ts'
import { openStorage } from '#server/integrations/storage/open-storage.ts'
import { createLog } from '#server/log.ts'
import { seedOrders } from '#server/demo/seed-orders.ts'
import { getShopFacts } from '#server/shop-facts.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { loadCommittedLists } from '#server/screening/load-committed-lists.ts'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm run db:migrate`, `db:seed` and `db:reset`: change the database of DATABASE_URL, or the
 * development database without it. `db:seed -- --orders N` also creates N orders with their
 * customers and stock.
 */
const verb = process.argv[2]
const env = readEnv('dev', process.env)
const { databaseUrl } = env
const { orders } = parseArgs({ options: { orders: { type: 'string' } }, strict: false }).values
if (verb === 'reset') {
  const host = findRemoteHost(databaseUrl)
  if (host !== null && !process.argv.includes('--force')) {
    throw new Error(`${host} is another machine. Add "-- --force" to empty its database anyway.`)
  }
  await resetDatabase(databaseUrl)
}
const db = openDatabase(databaseUrl, (error) => console.error(error.message))
try {
  const applied = await migrate(db)
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
  if (verb === 'seed' || verb === 'reset') {
    console.log(await seedDemo(db))
    console.log(await loadCommittedLists(db, join(import.meta.dirname, '../db/seed/care'), new Date()))
  }
  if (typeof orders === 'string') console.log(await createOrders(Number(orders)))
} finally {
  await db.destroy()
}

async function createOrders(count: number): Promise<string> {
  if (!Number.isInteger(count) || count < 1)
    throw new Error('--orders needs a whole number, such as --orders 1000.')
  const [keys, storage, payments] = [
    await openShopKeys(db, env),
    await openStorage(env.storage),
    await openPayments(env.payments, db),
  ]
  const log = createLog('warn')
  return seedOrders(startContext({ db, log, keys, storage, payments, shop: getShopFacts(env) }), count)
}
