import { paths } from '#domain/paths.ts'
import type { Context } from '#server/context.ts'
import { tooManyError } from '#server/limit-rate.ts'
import { isSafeMethod } from './same-origin.ts'

/** About 10 MB. A flood from more addresses needs a firewall. */
const maxKeys = 50_000

type Writer = Pick<Context, 'user' | 'clientAddress' | 'now' | 'rateLimits'>

/**
 * Counts the writes of each account, or of each visitor's address, before anything reads their
 * bodies. The limits of single actions come after parsing, so invalid forms would not meet them.
 * Counted in memory: a body costs the processor time of this process, and a row for each write
 * would cost more than the body. Throws TOO_MANY.
 */
export function createWriteLimit(maxEntries = maxKeys): (request: Request, writer: Writer) => void {
  const windows = new Map<string, { count: number; endsAt: Date }>()
  return (request, { user, clientAddress, now, rateLimits }) => {
    const allowed = rateLimits?.[user ? 'write-account' : 'write-address']
    // The provider sends events from few addresses; their signature is checked instead.
    if (!allowed || isSafeMethod(request.method) || new URL(request.url).pathname === paths.stripeWebhook)
      return
    const key = user?.id ?? clientAddress
    const current = windows.get(key)
    if (current && current.endsAt > now) {
      current.count++
      if (current.count > allowed.limit) throw tooManyError(now, current.endsAt)
      return
    }
    // Deleted first, so that the keys stay in the order of their windows.
    windows.delete(key)
    windows.set(key, { count: 1, endsAt: new Date(now.getTime() + allowed.windowSeconds * 1000) })
    const [oldest] = windows.keys()
    if (oldest !== undefined && windows.size > maxEntries) windows.delete(oldest)
  }
}
