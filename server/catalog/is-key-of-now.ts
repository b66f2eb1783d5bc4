import { timeOfId } from '#domain/ids.ts'

const maxClockDifferenceMs = 5 * 60_000

/**
 * Whether a UUIDv7 that a caller chose can become the id of a new row. Programs read variants in
 * the order of their ids (docs/api.md), so its time must be near the server's.
 */
export const isKeyOfNow = (id: string, now: Date): boolean =>
  Math.abs(timeOfId(id) - now.getTime()) <= maxClockDifferenceMs
