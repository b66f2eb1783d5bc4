import type { Mode } from './env.ts'

export type RateLimit = { limit: number; windowSeconds: number }
/** Null when an action is not limited. */
export type RateLimits = Readonly<Record<LimitedAction, RateLimit | null>>

/** The limited actions; the key is an IP address, an account, a known device or a session. */
export type LimitedAction =
  | 'contact'
  | 'sign-in-account'
  | 'sign-in-address'
  | 'sign-in-device'
  | 'owner-proof'
  | 'second-factor'
  | 'registration'
  | 'reset'
  | 'reset-address'
  | 'upload'
  | 'message'
  | 'checkout'
  | 'write-address'
  | 'write-account'
  | 'whole-list'
  | 'new-cart'
  | 'api-key'

const minute = 60
const hour = 60 * minute

/** Production limits (contract, "Sessions and limits"). */
const strict: RateLimits = {
  contact: { limit: 5, windowSeconds: hour },
  'sign-in-account': { limit: 10, windowSeconds: 15 * minute },
  'sign-in-address': { limit: 30, windowSeconds: 15 * minute },
  // Apart from the account's, so that strangers cannot use up what the owner has.
  'sign-in-device': { limit: 10, windowSeconds: 15 * minute },
  'owner-proof': { limit: 10, windowSeconds: 15 * minute },
  'second-factor': { limit: 10, windowSeconds: 15 * minute },
  registration: { limit: 60, windowSeconds: hour },
  // Limits what one mailbox receives; many users can share one IP address.
  reset: { limit: 5, windowSeconds: hour },
  'reset-address': { limit: 30, windowSeconds: hour },
  upload: { limit: 60, windowSeconds: hour },
  // Messages to the pharmacy, which a pharmacist reads one by one.
  message: { limit: 20, windowSeconds: hour },
  // Card testing and stock hoarding hit this limit; customers do not.
  checkout: { limit: 60, windowSeconds: hour },
  // Every request that may have a body. The back office sends its queries as POST.
  'write-address': { limit: 300, windowSeconds: minute },
  'write-account': { limit: 1200, windowSeconds: minute },
  // A partner or a crawler reads each list once an hour or so.
  'whole-list': { limit: 20, windowSeconds: 10 * minute },
  // Visitors' carts are rows that stay for a month. Many visitors can share one IP address.
  'new-cart': { limit: 120, windowSeconds: hour },
  // Every request of a key; ten a second keep a catalog and its stock current.
  'api-key': { limit: 600, windowSeconds: minute },
}

/** Limits in dev and demo: what protects a single account is as strict, the rest is relaxed. */
const frequent: RateLimit = { limit: 300, windowSeconds: minute }
const generous: RateLimits = {
  contact: frequent,
  'sign-in-account': strict['sign-in-account'],
  'sign-in-address': frequent,
  'sign-in-device': strict['sign-in-device'],
  'owner-proof': strict['owner-proof'],
  'second-factor': strict['second-factor'],
  registration: frequent,
  reset: frequent,
  'reset-address': frequent,
  upload: frequent,
  message: frequent,
  checkout: null,
  'write-address': null,
  'write-account': null,
  'whole-list': null,
  'new-cart': null,
  'api-key': strict['api-key'],
}

/** The shop's limits, or null when its environment turns them off. */
export const getRateLimits = (env: { mode: Mode; rateLimits: boolean }): RateLimits | null => {
  if (!env.rateLimits) return null
  return env.mode === 'production' ? strict : generous
}
