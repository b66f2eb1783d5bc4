import type { RateLimit } from '#server/rate-limits.ts'
import { tooManyError } from '#server/limit-rate.ts'

/** About 10 MB. A flood from more addresses needs a firewall. */
const maxKeys = 50_000

/**
 * A limit that counts in the memory of this process, for what costs its processor time. Throws
 * TOO_MANY.
 */
export function createMemoryLimit(): (key: string, allowed: RateLimit, now: Date) => void {
  const windows = new Map<string, { count: number; endsAt: Date }>()
  return (key, { limit, windowSeconds }, now) => {
    const current = windows.get(key)
    if (current && current.endsAt > now) {
      current.count++
      if (current.count > limit) throw tooManyError(now, current.endsAt)
      return
    }
    // Deleted first, so that the keys stay in the order of their windows.
    windows.delete(key)
    windows.set(key, { count: 1, endsAt: new Date(now.getTime() + windowSeconds * 1000) })
    const [oldest] = windows.keys()
    if (oldest !== undefined && windows.size > maxKeys) windows.delete(oldest)
  }
}
