import type { Mode } from './env.ts'

type RateLimit = { limit: number; windowSeconds: number }
export type RateLimits = Readonly<Record<LimitedAct, RateLimit>>

/** What is limited; who does it is the key: an address here. */
export type LimitedAct = 'contact'

const hour = 3600

/** How often in production, and in development and the demo, where somebody tries things out (contract, "Sessions and limits"). */
const strict: RateLimits = { contact: { limit: 5, windowSeconds: hour } }
const generous: RateLimits = { contact: { limit: 300, windowSeconds: 60 } }

/** The limits of a shop, or null when its environment turns them off. */
export const rateLimitsOf = (env: { mode: Mode; rateLimits: boolean }): RateLimits | null => {
  if (!env.rateLimits) return null
  return env.mode === 'production' ? strict : generous
}
