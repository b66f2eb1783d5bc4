import type { ShopFacts } from './context.ts'
import type { Env } from './env.ts'

/** What use cases know of the environment. */
export const shopFactsOf = (
  env: Pick<Env, 'publicOrigin' | 'support' | 'holdSeconds' | 'reconcileSeconds'>,
): ShopFacts => ({
  publicOrigin: env.publicOrigin,
  supportEmail: env.support.email,
  holdSeconds: env.holdSeconds,
  reconcileSeconds: env.reconcileSeconds,
})
