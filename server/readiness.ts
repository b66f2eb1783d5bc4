import { isMigrated } from '#db/engine/migrate.ts'
import type { Context } from './context.ts'

/** Whether the database answers and holds the schema that this build needs. */
export async function isReady(ctx: Context): Promise<boolean> {
  try {
    return await isMigrated(ctx.db)
  } catch (error) {
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'not ready')
    return false
  }
}
