import type { Db } from '#db/engine/client.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { closedPayments } from './integrations/payments/closed-payments.ts'
import type { Payments } from './integrations/payments/payments.ts'
import { closedStorage, type Storage } from './integrations/storage/storage.ts'
import type { ShopKeys } from './crypto/key-ring.ts'
import type { Logger } from './log.ts'
import type { RateLimits } from './rate-limits.ts'

/** What the environment says of the shop that use cases need. */
export type ShopFacts = {
  /** The origin that browsers see: links in mails begin with it. */
  publicOrigin: string
  supportEmail: string
  /** How long a checkout holds its stock, in seconds. */
  holdSeconds: number
  /** How often the reconciler looks for payments that nobody told of, in seconds. */
  reconcileSeconds: number
}

/** What a use case gets besides its input. Built once a request. */
export type Context = {
  db: Db
  /** The request's clock; tests set it. */
  now: Date
  requestId: string
  log: Logger
  /** Who is signed in; null when nobody is. */
  user: SessionUser | null
  /** The shop's own keys, for what is sealed in a row. */
  keys: ShopKeys
  /** Where sealed files lie. */
  storage: Storage
  /** Who takes the money. */
  payments: Payments
  shop: ShopFacts
  /** Where the request came from, as far as it can be believed (app/http/middleware/client-address.ts). */
  clientAddress: string
  /** Null when they are off. */
  rateLimits: RateLimits | null
  /** Nobody is told by mail of what is done: it is made up, for the demo. */
  isQuiet?: boolean
}

/** A context for what the shop itself does at its start or from the command line: nobody is signed in, nothing limited. */
export const startContext = (
  parts: Pick<Context, 'db' | 'log' | 'keys'> & Partial<Pick<Context, 'storage' | 'payments' | 'shop'>>,
): Context => ({
  storage: closedStorage,
  payments: closedPayments,
  shop: { publicOrigin: 'http://localhost', supportEmail: '', holdSeconds: 900, reconcileSeconds: 30 },
  ...parts,
  now: new Date(),
  requestId: 'start',
  user: null,
  clientAddress: 'local',
  rateLimits: null,
})

/**
 * Runs `work` in one transaction, the caller's where there is one; the context it gets is the only way to the database inside. What it throws
 * takes all of the transaction back.
 */
export const inTransaction = <T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> =>
  ctx.db.isTransaction ? work(ctx) : ctx.db.transaction().execute((db) => work({ ...ctx, db }))
