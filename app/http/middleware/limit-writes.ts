import { serverPaths } from '#domain/server-paths.ts'
import type { Context } from '#server/context.ts'
import { createMemoryLimit } from './memory-limit.ts'
import { isSafeMethod } from './same-origin.ts'

type Writer = Pick<Context, 'user' | 'clientAddress' | 'now' | 'rateLimits'>

/**
 * Counts the writes of each account, or of each visitor's address, before anything reads their
 * bodies. The limits of single actions come after parsing, so invalid forms would never reach them.
 * Counted in memory: a body costs the processor time of this process, and a row for each write
 * would cost more than the body. Throws TOO_MANY.
 */
export function createWriteLimit(): (request: Request, writer: Writer) => void {
  const count = createMemoryLimit()
  return (request, { user, clientAddress, now, rateLimits }) => {
    // Keys have a limit of their own (limit-keys.ts), apart from their creator's.
    if (user?.apiKeyId !== undefined) return
    const allowed = rateLimits?.[user ? 'write-account' : 'write-address']
    // The provider sends events from few addresses; their signature is checked instead.
    if (
      !allowed ||
      isSafeMethod(request.method) ||
      new URL(request.url).pathname === serverPaths.stripeWebhook
    )
      return
    count(user?.id ?? clientAddress, allowed, now)
  }
}
