import { isMigrated } from '#db/engine/migrate.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from './context.ts'

/** Proxy probes wait about this long. A database that hangs counts as unavailable. */
const answerLimitMs = 2000

let isStopping = false

/** From now on, this process is not ready: proxies send their requests elsewhere. */
export const announceStop = (): void => void (isStopping = true)

/** Whether the database is available and has this build's schema. */
export async function isReady(ctx: Context): Promise<boolean> {
  if (isStopping) return false
  const answering = new AbortController()
  try {
    return await Promise.race([isMigrated(ctx.db), failLate(answering.signal)])
  } catch (error) {
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'not ready')
    return false
  } finally {
    answering.abort()
  }
}

async function failLate(signal: AbortSignal): Promise<never> {
  await sleep(answerLimitMs, undefined, { signal })
  throw new Error('The database does not answer.')
}
