import type { Env } from '../env.ts'

/** How long a session lasts and what it opens (contract, "Sessions and limits"). Seconds. */
export type SessionRules = { idleSeconds: number; adminIdleSeconds: number; requireAdminMfa: boolean }

const hour = 3600

/** The end of a session that no use puts off. */
export const absoluteSeconds = 12 * hour

export const sessionRulesOf = (env: Pick<Env, 'mode' | 'requireAdminMfa'>): SessionRules => ({
  idleSeconds: env.mode === 'production' ? hour / 2 : absoluteSeconds,
  adminIdleSeconds: env.mode === 'production' ? hour / 4 : absoluteSeconds,
  requireAdminMfa: env.requireAdminMfa,
})
