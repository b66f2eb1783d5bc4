import type { Db } from '#db/engine/client.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import type { Context } from '#server/context.ts'
import { demoPayments } from '#server/integrations/payments/demo-payments.ts'
import type { Storage } from '#server/integrations/storage/storage.ts'
import { parseKeyRing, type ShopKeys } from '#server/crypto/key-ring.ts'
import { createLog } from '#server/log.ts'
import { rateLimitsOf, type LimitedAct, type RateLimits } from '#server/rate-limits.ts'
import { testDay } from './catalog.ts'
import { memoryStorage } from './memory-storage.ts'
import { productionEnv } from './production-env.ts'

/** The keys of every shop in a test's own process; the ones of indexes and hashes are fixed, as no test's database has any. */
export const testKeys: ShopKeys = {
  ...parseKeyRing(productionEnv.ENCRYPTION_KEYS),
  hashKey: Buffer.alloc(32, 1),
  indexKey: Buffer.alloc(32, 2),
}

const storages = new WeakMap<Db, Storage>()

/** One storage a database, so that what one use case keeps another finds. */
export function storageOf(db: Db): Storage {
  const storage = storages.get(db) ?? memoryStorage()
  storages.set(db, storage)
  return storage
}

/** A use case's context on this database, at noon of the test day, nobody signed in, logging to nowhere. */
export const testContext = (db: Db, said: Partial<Context> = {}): Context => ({
  db,
  now: testDay,
  requestId: 'test-request',
  log: createLog('silent'),
  user: null,
  keys: testKeys,
  storage: storageOf(db),
  payments: demoPayments(db),
  shop: {
    publicOrigin: 'https://shop.example',
    supportEmail: 'support@shop.example',
    holdSeconds: 900,
    reconcileSeconds: 30,
  },
  clientAddress: '192.0.2.1',
  rateLimits: null,
  ...said,
})

/** The limits of production, one of them as said. */
export function limitedTo(act: LimitedAct, limit: RateLimits[LimitedAct]): RateLimits {
  const limits = rateLimitsOf({ mode: 'production', rateLimits: true })
  if (!limits) throw new Error('Production has limits.')
  return { ...limits, [act]: limit }
}

/** Somebody as a use case sees them; says what differs from a customer without a second factor. */
export const signedIn = (id: string, said: Partial<SessionUser> = {}): SessionUser => ({
  id,
  sessionId: '019a7c1e-0000-7000-8000-0000000000aa',
  email: 'somebody@customer.example',
  firstName: null,
  lastName: null,
  isAdmin: false,
  mayAdminister: said.isAdmin ?? false,
  hasSecondFactor: false,
  ...said,
})

/** What jobs get besides their database. */
export const jobParts = (db: Db) => {
  const { storage, payments, shop } = testContext(db)
  return { storage, payments, shop }
}
