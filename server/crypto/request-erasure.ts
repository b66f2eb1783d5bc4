import { insertErasure, type Erased } from '#db/crypto/erasures.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'

/**
 * Requests that what this transaction deletes or replaces disappears from the files of the
 * database. Without that, deleted rows stay in SQLite's write-ahead log and in Postgres' tables. A
 * job does it soon after the commit, and again until it succeeds.
 * @param erased a key, or a value under a key that remains
 */
export const requestErasure = (ctx: Pick<Context, 'db' | 'now'>, erased: Erased): Promise<void> =>
  insertErasure(ctx.db, { id: newId(ctx.now.getTime()), createdAt: ctx.now, erased })
