import { isMigrated } from '#db/engine/migrate.ts'
import type { Context } from './context.ts'

/** Whether the database is available and has this build's schema. */
export async function isReady(ctx: Context): Promise<boolean> {
  try {
    return await isMigrated(ctx.db)
  } catch (error) {
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'not ready')
    return false
  }
}
