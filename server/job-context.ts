import type { Db } from '#db/engine/client.ts'
import { randomUUID } from 'node:crypto'
import { startContext, type Context, type ShopFacts } from './context.ts'
import type { Payments } from './integrations/payments/payments.ts'
import type { MalwareScanner } from './integrations/malware/malware-scanner.ts'
import type { PublicFiles } from './integrations/web/public-files.ts'
import type { Storage } from './integrations/storage/storage.ts'
import type { ShopKeys } from './crypto/key-ring.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'

/** A job's context. It has no request and no user, and its clock advances while it runs. */
export type JobContext = {
  db: Db
  log: Logger
  keys: ShopKeys
  now: () => Date
  metrics?: Metrics | undefined
}

/** What jobs that call use cases also need. */
export type UseCaseParts = {
  payments: Payments
  storage: Storage
  scanner: MalwareScanner | null
  publicFiles: PublicFiles
  shop: ShopFacts
}

/** A use-case context for this moment of a job, without a user. */
export const createJobContext = (
  { db, log, keys, now, metrics }: JobContext,
  parts: UseCaseParts,
): Context => ({
  ...startContext({ db, log, keys, ...parts, ...(metrics && { metrics }) }),
  now: now(),
  requestId: randomUUID(),
})
