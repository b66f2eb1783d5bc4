import type { Mode } from './env.ts'

type RateLimit = { limit: number; windowSeconds: number }
/** Null where an act is not limited. */
export type RateLimits = Readonly<Record<LimitedAct, RateLimit | null>>

/** What is limited; who does it is the key: an address, or an account. */
export type LimitedAct =
  | 'contact'
  | 'sign-in-account'
  | 'sign-in-address'
  | 'second-factor'
  | 'registration'
  | 'reset'
  | 'reset-address'
  | 'upload'
  | 'checkout'

const minute = 60
const hour = 60 * minute

/** How often in production (contract, "Sessions and limits"). */
const strict: RateLimits = {
  contact: { limit: 5, windowSeconds: hour },
  'sign-in-account': { limit: 10, windowSeconds: 15 * minute },
  'sign-in-address': { limit: 30, windowSeconds: 15 * minute },
  'second-factor': { limit: 10, windowSeconds: 15 * minute },
  registration: { limit: 60, windowSeconds: hour },
  // One mailbox gets no more than this; whole offices stand behind one address.
  reset: { limit: 5, windowSeconds: hour },
  'reset-address': { limit: 30, windowSeconds: hour },
  upload: { limit: 60, windowSeconds: hour },
  // An account that tries stolen cards, or holds the whole stock, comes back far more often than a customer.
  checkout: { limit: 60, windowSeconds: hour },
}

/** In development and the demo, where somebody tries things out: what guards one account is as strict, the rest is not. */
const often: RateLimit = { limit: 300, windowSeconds: minute }
const generous: RateLimits = {
  contact: often,
  'sign-in-account': strict['sign-in-account'],
  'sign-in-address': often,
  'second-factor': strict['second-factor'],
  registration: often,
  reset: often,
  'reset-address': often,
  upload: often,
  checkout: null,
}

/** The limits of a shop, or null when its environment turns them off. */
export const rateLimitsOf = (env: { mode: Mode; rateLimits: boolean }): RateLimits | null => {
  if (!env.rateLimits) return null
  return env.mode === 'production' ? strict : generous
}
