/** How often an action happened in a time window. */
export type RateLimitsTable = {
  /** A keyed hash of the action and its actor, so that no address is stored in plaintext. */
  keyHash: string
  hits: number
  endsAt: Date
}
