import type { DeliveryState, DisabledReason } from './webhook-events.ts'

/** The pauses add up to about a day. */
export const maxAttempts = 10
const firstPauseMs = 35_000
const factor = 2.5
const failingLimitMs = 5 * 24 * 3600_000

/**
 * The pause after the n-th failed attempt: 35 seconds, then 2.5 times as long each time, with 10 %
 * of jitter in both directions.
 */
export const pauseAfter = (attempts: number, random: () => number = Math.random): number =>
  Math.round(firstPauseMs * factor ** (attempts - 1) * (0.9 + random() / 5))

type Attempt = {
  /** The status of the reply; null without one. */
  status: number | null
  /** How many attempts were made, with this one. */
  attempts: number
  /** Since when every attempt at the endpoint has failed; null when the last one did not. */
  failingSince: Date | null
  now: Date
}

type Outcome = {
  state: DeliveryState
  nextAt: Date | null
  failingSince: Date | null
  /** Why the endpoint is disabled now; null when it is not. */
  disables: Exclude<DisabledReason, 'staff'> | null
}

/** What an attempt means for the delivery and for its endpoint. */
export function decideAttempt(
  { status, attempts, failingSince, now }: Attempt,
  random: () => number = Math.random,
): Outcome {
  if (status !== null && status >= 200 && status < 300)
    return { state: 'delivered', nextAt: null, failingSince: null, disables: null }
  const since = failingSince ?? now
  if (status === 410) return { state: 'failed', nextAt: null, failingSince: since, disables: 'removed' }
  const disables = now.getTime() - since.getTime() >= failingLimitMs ? ('failing' as const) : null
  if (attempts >= maxAttempts) return { state: 'failed', nextAt: null, failingSince: since, disables }
  const nextAt = new Date(now.getTime() + pauseAfter(attempts, random))
  return { state: 'pending', nextAt, failingSince: since, disables }
}
