import type { Db } from '#db/client.ts'
import type { Context } from '#server/context.ts'
import { parseKeyRing } from '#server/key-ring.ts'
import { createLog } from '#server/log.ts'
import { testDay } from './catalog.ts'
import { productionEnv } from './production-env.ts'

export const testKeys = parseKeyRing(productionEnv.ENCRYPTION_KEYS)

/** A use case's context on this database, at noon of the test day, logging to nowhere. */
export const testContext = (db: Db, said: Partial<Context> = {}): Context => ({
  db,
  now: testDay,
  requestId: 'test-request',
  log: createLog('silent'),
  keys: testKeys,
  clientAddress: '192.0.2.1',
  rateLimits: null,
  ...said,
})
