import type { Env } from '../env.ts'

/** How long a session lasts, in seconds, and what it allows (contract, "Sessions and limits"). */
export type SessionRules = { idleSeconds: number; staffIdleSeconds: number; requireAdminMfa: boolean }

const hour = 3600

/** The lifetime of a session, however active it is. */
export const absoluteSeconds = 12 * hour

export const getSessionRules = (env: Pick<Env, 'mode' | 'requireAdminMfa'>): SessionRules => ({
  idleSeconds: env.mode === 'production' ? hour / 2 : absoluteSeconds,
  staffIdleSeconds: env.mode === 'production' ? hour / 4 : absoluteSeconds,
  requireAdminMfa: env.requireAdminMfa,
})
