import { isMigrated } from '#db/engine/migrate.ts'
import type { Context } from './context.ts'
import { withTimeout } from './with-timeout.ts'

/** Proxy probes wait about this long. A database that hangs counts as unavailable. */
const answerLimitMs = 2000

let isStopping = false

/** From now on, this process is not ready: proxies send their requests elsewhere. */
export const announceStop = (): void => void (isStopping = true)

/** Whether the database is available and has this build's schema. */
export async function isReady(ctx: Context): Promise<boolean> {
  if (isStopping) return false
  try {
    return await withTimeout(
      answerLimitMs,
      isMigrated(ctx.db),
      () => new Error('The database does not answer.'),
    )
  } catch (error) {
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'not ready')
    return false
  }
}
