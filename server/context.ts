import type { Db } from '#db/client.ts'
import type { Logger } from './log.ts'

/** What a use case gets besides its input. Built once a request. */
export type Context = {
  db: Db
  /** The request's clock; tests set it. */
  now: Date
  requestId: string
  log: Logger
}

/** Runs `work` in one transaction; the context it gets is the only way to the database inside. */
export const inTransaction = <T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> =>
  ctx.db.transaction().execute((db) => work({ ...ctx, db }))
