/** How often something was done within a span of time. */
export type RateLimitsTable = {
  /** A keyed hash of what was done and by whom; no address stands here in the clear. */
  keyHash: string
  hits: number
  endsAt: Date
}
