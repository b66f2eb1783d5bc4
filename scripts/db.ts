import type { Db } from '#db/engine/client.ts'
import { migrate } from '#db/engine/migrate.ts'
import { resetDatabase } from '#db/engine/reset.ts'
import { seedDemo } from '#db/seed/demo.ts'
import { startContext } from '#server/context.ts'
import { findRemoteHost, type Env } from '#server/env.ts'
import { toOperatorMessage } from '#server/errors.ts'
import { openPayments } from '#server/integrations/payments/open-payments.ts'
import { openStorage } from '#server/integrations/storage/open-storage.ts'
import { createLog } from '#server/log.ts'
import { seedOrders } from '#server/demo/seed-orders.ts'
import { getShopFacts } from '#server/shop-facts.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { loadCommittedLists } from '#server/screening/load-committed-lists.ts'
import { join } from 'node:path'
import { CommandError, readOptions, runCommand } from './run-command.ts'
import { openNamedDatabase, readCommandEnv, requireReachable } from './shop-database.ts'

/** Reads the options before anything changes. */
function readArguments(): { verb: string; orders: number; isForced: boolean } {
  const [, , verb = '', ...args] = process.argv
  if (verb === 'reset') {
    const { force } = readOptions('npm run db:reset -- [--force]', { force: { type: 'boolean' } }, args)
    return { verb, orders: 0, isForced: force === true }
  }
  if (verb === 'migrate') {
    readOptions('npm run db:migrate', {}, args)
    return { verb, orders: 0, isForced: false }
  }
  if (verb !== 'seed')
    throw new CommandError(`Unknown command "db:${verb}". Use db:migrate, db:seed or db:reset.`)
  const { orders } = readOptions('npm run db:seed -- [--orders N]', { orders: { type: 'string' } }, args)
  if (orders !== undefined && !/^[1-9]\d{0,6}$/.test(orders))
    throw new CommandError('--orders needs a whole number, such as --orders 1000.')
  return { verb, orders: Number(orders ?? 0), isForced: false }
}

/**
 * `npm run db:migrate`, `db:seed` and `db:reset`: change the database of DATABASE_URL, or the
 * development database without it. `db:seed -- --orders N` also creates N orders with their
 * customers and stock.
 */
async function main(): Promise<number> {
  const { verb, orders, isForced } = readArguments()
  const env = readCommandEnv()
  const { databaseUrl } = env
  if (verb === 'reset') {
    const host = findRemoteHost(databaseUrl)
    if (host !== null && !isForced) {
      throw new CommandError(`${host} is another machine. Add "-- --force" to empty its database anyway.`)
    }
    await emptyDatabase(databaseUrl)
  }
  const db = await openNamedDatabase(databaseUrl)
  try {
    const applied = await migrate(db)
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
    if (verb === 'seed' || verb === 'reset') {
      console.log(await seedDemo(db))
      console.log(await loadCommittedLists(db, join(import.meta.dirname, '../db/seed/care'), new Date()))
    }
    if (orders > 0) console.log(await createOrders(db, env, orders))
    return 0
  } finally {
    await db.destroy()
  }
}

async function emptyDatabase(url: string): Promise<void> {
  // The file of SQLite is deleted, even one that can't be opened.
  if (!url.startsWith('sqlite:')) await requireReachable(url)
  try {
    await resetDatabase(url)
  } catch (error) {
    throw new CommandError(`The database can’t be emptied: ${toOperatorMessage(error)}`, { cause: error })
  }
}

async function createOrders(db: Db, env: Env, count: number): Promise<string> {
  const [keys, storage, payments] = [
    await openShopKeys(db, env),
    await openStorage(env.storage),
    await openPayments(env.payments, db),
  ]
  const log = createLog('warn')
  return seedOrders(startContext({ db, log, keys, storage, payments, shop: getShopFacts(env) }), count)
}

await runCommand(main)
