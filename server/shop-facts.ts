import type { ShopFacts } from './context.ts'
import type { Env } from './env.ts'

/** The parts of the environment that use cases need. */
export const getShopFacts = (
  env: Pick<Env, 'publicOrigin' | 'support' | 'holdSeconds' | 'reconcileSeconds' | 'recordRetentionYears'>,
): ShopFacts => ({
  publicOrigin: env.publicOrigin,
  supportEmail: env.support.email,
  supportPhone: env.support.phone,
  holdSeconds: env.holdSeconds,
  reconcileSeconds: env.reconcileSeconds,
  recordRetentionYears: env.recordRetentionYears,
})
