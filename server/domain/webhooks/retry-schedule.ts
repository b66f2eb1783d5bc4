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
  now: Date
}

/** What an attempt means for the delivery. */
export function decideAttempt(
  { status, attempts, now }: Attempt,
  random: () => number = Math.random,
): { state: DeliveryState; nextAt: Date | null } {
  if (isDelivered(status)) return { state: 'delivered', nextAt: null }
  if (status === 410 || attempts >= maxAttempts) return { state: 'failed', nextAt: null }
  return { state: 'pending', nextAt: new Date(now.getTime() + pauseAfter(attempts, random)) }
}

export const isDelivered = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300

/**
 * Why an endpoint is disabled after an attempt; null when it is not.
 * @param failingSince since when every attempt has failed, with this one
 */
export function decideDisabling({
  status,
  failingSince,
  now,
}: {
  status: number | null
  failingSince: Date | null
  now: Date
}): Exclude<DisabledReason, 'staff'> | null {
  if (status === 410) return 'removed'
  return failingSince !== null && now.getTime() - failingSince.getTime() >= failingLimitMs ? 'failing' : null
}
