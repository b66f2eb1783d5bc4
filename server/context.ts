import type { Db } from '#db/client.ts'
import type { KeyRing } from './key-ring.ts'
import type { Logger } from './log.ts'
import type { RateLimits } from './rate-limits.ts'

/** What a use case gets besides its input. Built once a request. */
export type Context = {
  db: Db
  /** The request's clock; tests set it. */
  now: Date
  requestId: string
  log: Logger
  /** The shop's own keys, for what is sealed in a row. */
  keys: KeyRing
  /** Where the request came from, as far as it can be believed (app/middleware/client-address.ts). */
  clientAddress: string
  /** Null when they are off. */
  rateLimits: RateLimits | null
}

/** Runs `work` in one transaction; the context it gets is the only way to the database inside. */
export const inTransaction = <T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> =>
  ctx.db.transaction().execute((db) => work({ ...ctx, db }))
