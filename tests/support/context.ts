import { noWebhooks } from '#server/integrations/web/webhook-sender.ts'
import { permissionsOf } from '#domain/accounts/permissions.ts'
import type { Db } from '#db/engine/client.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import type { Context } from '#server/context.ts'
import { demoPayments } from '#server/integrations/payments/demo-payments.ts'
import { noPublicFiles } from '#server/integrations/web/public-files.ts'
import type { Storage } from '#server/integrations/storage/storage.ts'
import { parseKeyRing, type ShopKeys } from '#server/crypto/key-ring.ts'
import { createLog } from '#server/log.ts'
import { getRateLimits, type LimitedAction, type RateLimits } from '#server/rate-limits.ts'
import { createSecretKey } from 'node:crypto'
import { testDay } from './catalog.ts'
import { memoryStorage } from './memory-storage.ts'
import { productionEnv } from './production-env.ts'

/**
 * The keys of every shop that runs in a test's process. The index and hash keys are fixed, because
 * test databases store none.
 */
export const testKeys: ShopKeys = {
  ...parseKeyRing(productionEnv.ENCRYPTION_KEYS),
  hashKey: createSecretKey(Buffer.alloc(32, 1)),
  indexKey: createSecretKey(Buffer.alloc(32, 2)),
}

const storages = new WeakMap<Db, Storage>()

/** The storage of a database. Every context of the database shares it. */
export function storageOf(db: Db): Storage {
  const storage = storages.get(db) ?? memoryStorage()
  storages.set(db, storage)
  return storage
}

/** A use case's context: at noon of the test day, not signed in, with a silent log. */
export const testContext = (db: Db, overrides: Partial<Context> = {}): Context => ({
  db,
  reads: overrides.db ?? db,
  now: testDay,
  requestId: 'test-request',
  log: createLog('silent'),
  user: null,
  keys: testKeys,
  storage: storageOf(db),
  scanner: null,
  publicFiles: noPublicFiles,
  payments: demoPayments(db),
  shop: {
    publicOrigin: 'https://shop.example',
    supportEmail: 'support@shop.example',
    supportPhone: '+1 555 0100',
    holdSeconds: 900,
    reconcileSeconds: 30,
    recordRetentionYears: 10,
  },
  clientAddress: '192.0.2.1',
  rateLimits: null,
  ...overrides,
})

/** The rate limits of production, except for one action. */
export function limitedTo(action: LimitedAction, limit: RateLimits[LimitedAction]): RateLimits {
  const limits = getRateLimits({ mode: 'production', rateLimits: true })
  if (!limits) throw new Error('Production has limits.')
  return { ...limits, [action]: limit }
}

/** The signed-in user of a context, by default a customer without a second factor. */
export const signedIn = (
  id: string,
  {
    isAdmin = false,
    roles = isAdmin ? ['admin'] : [],
    ...overrides
  }: Partial<SessionUser> & { isAdmin?: boolean } = {},
): SessionUser => ({
  id,
  sessionId: '019a7c1e-0000-7000-8000-0000000000aa',
  email: 'somebody@customer.example',
  firstName: null,
  lastName: null,
  roles,
  permissions: new Set(permissionsOf(roles)),
  hasSecondFactor: false,
  factorVerifiedAt: null,
  ...overrides,
})

/** The parts of a job context other than its database. */
export const jobParts = (db: Db) => {
  const { storage, scanner, publicFiles, payments, shop } = testContext(db)
  return { storage, scanner, publicFiles, payments, shop }
}

/** All parts of the jobs of a process that sends nothing and stores nothing elsewhere. */
export const offlineJobParts = (db: Db) => ({
  ...jobParts(db),
  mailer: null,
  webhooks: noWebhooks,
  headStore: null,
  clientAssets: null,
  keepSentMail: false,
})
