import type { Context } from '#server/context.ts'
import { createMemoryLimit } from './memory-limit.ts'

/**
 * Counts the requests of each API key, in the memory of this process: a row for each read would
 * cost more than the read. Throws TOO_MANY.
 */
export function createKeyLimit(): (ctx: Pick<Context, 'user' | 'now' | 'rateLimits'>) => void {
  const count = createMemoryLimit()
  return ({ user, now, rateLimits }) => {
    const allowed = rateLimits?.['api-key']
    if (allowed && user?.apiKeyId !== undefined) count(user.apiKeyId, allowed, now)
  }
}
