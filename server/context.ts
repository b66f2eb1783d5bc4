import type { Db } from '#db/engine/client.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { closedPayments } from './integrations/payments/closed-payments.ts'
import type { Payments } from './integrations/payments/payments.ts'
import type { MalwareScanner } from './integrations/malware/malware-scanner.ts'
import { noPublicFiles, type PublicFiles } from './integrations/web/public-files.ts'
import { closedStorage, type Storage } from './integrations/storage/storage.ts'
import type { ShopKeys } from './crypto/key-ring.ts'
import type { Logger } from './log.ts'
import { countAfterCommit, type Metrics } from './metrics.ts'
import type { RateLimits } from './rate-limits.ts'
import { trace } from './tracing.ts'

/** The parts of the environment that use cases need. */
export type ShopFacts = {
  /** The origin that browsers see. Links in emails start with it. */
  publicOrigin: string
  supportEmail: string
  /** Printed on labels: patients reach a pharmacist there. */
  supportPhone: string
  /** How long a checkout holds its stock, in seconds. */
  holdSeconds: number
  /** How often the reconciler looks for payments without a webhook, in seconds. */
  reconcileSeconds: number
  /** How long dispensing records outlive their account, in years. */
  recordRetentionYears: number
}

/** What a use case gets besides its input. Built once per request. */
export type Context = {
  db: Db
  /**
   * For lists, searches, product pages, exports and the dashboard: what they show may be some
   * seconds old (docs/decisions/0042-replica.md). No decision reads it.
   */
  reads: Db
  /** The request's clock; tests set it. */
  now: Date
  requestId: string
  log: Logger
  /** The signed-in user; null for a visitor. */
  user: SessionUser | null
  /** The shop's keys. */
  keys: ShopKeys
  /** Where sealed files are stored. */
  storage: Storage
  /** The malware scanner; null without one. */
  scanner: MalwareScanner | null
  /** Files of other sites. */
  publicFiles: PublicFiles
  /** The payment provider. */
  payments: Payments
  shop: ShopFacts
  /** The client's address, as far as it can be trusted (app/http/middleware/client-address.ts). */
  clientAddress: string
  /** The browser's User-Agent. */
  userAgent?: string | null
  /**
   * What this request was refused: an object's id, or null for a permission. The server writes it
   * to the audit log when the request ends.
   */
  refusals?: Set<string | null>
  /** A call that changes data sets it, so that this browser's next reads come from the primary. */
  writes?: { happened: boolean }
  /** Null when they are off. */
  rateLimits: RateLimits | null
  /** Where events are counted; absent in commands. */
  metrics?: Metrics | undefined
  /** Sends no email: for generated demo data. */
  suppressesMail?: boolean
}

/** A context for startup and command-line work: no user and no rate limits. */
export const startContext = (
  parts: Pick<Context, 'db' | 'log' | 'keys'> &
    Partial<Pick<Context, 'storage' | 'scanner' | 'publicFiles' | 'payments' | 'shop' | 'metrics'>>,
): Context => ({
  storage: closedStorage,
  scanner: null,
  publicFiles: noPublicFiles,
  payments: closedPayments,
  shop: {
    publicOrigin: 'http://localhost',
    supportEmail: '',
    supportPhone: '',
    holdSeconds: 900,
    reconcileSeconds: 30,
    recordRetentionYears: 10,
  },
  ...parts,
  reads: parts.db,
  now: new Date(),
  requestId: 'start',
  user: null,
  clientAddress: 'local',
  rateLimits: null,
})

/**
 * Runs `work` in one transaction, the caller's if there is one. Inside, use only the context that
 * `work` receives. An error rolls the whole transaction back, and nothing is counted.
 */
export async function inTransaction<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  const counted = ctx.metrics && countAfterCommit(ctx.metrics)
  const result = await trace({ name: 'transaction' }, () =>
    ctx.db.transaction().execute((db) => work({ ...ctx, db, reads: db, metrics: counted?.metrics })),
  )
  counted?.commit()
  return result
}
