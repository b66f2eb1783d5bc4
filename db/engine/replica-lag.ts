/** A position in the write-ahead log as a number, from Postgres' text such as `16/B374D848`. */
export function parseLogPosition(text: string): bigint {
  const [, high, low] = /^([\dA-F]{1,8})\/([\dA-F]{1,8})$/i.exec(text) ?? []
  if (high === undefined || low === undefined) throw new Error('Not a position in the write-ahead log.')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** Ten minutes at one sample a second. Past that, a longer lag is measured in coarser steps. */
const maxSamples = 600

export type LagTracker = {
  /** The primary had written its log up to `position` when this process's clock showed `at`. */
  notePrimary: (at: number, position: bigint) => void
  /** The replica has replayed the log up to `position`. */
  noteReplica: (position: bigint) => void
  /** How far behind the replica can be at `at`, in milliseconds; Infinity before it is known. */
  staleMs: (at: number) => number
}

/**
 * An upper bound of a replica's lag, by this process's clock alone. The replica has everything that
 * the primary had at the newest sample it has replayed. So the bound is right on an idle primary
 * too, needs no heartbeat writes, and grows by itself when measuring stops.
 */
export function trackLag(): LagTracker {
  let samples: { at: number; position: bigint }[] = []
  let currentAt = -Infinity
  return {
    notePrimary: (at, position) => {
      samples.push({ at, position })
      if (samples.length > maxSamples) samples.shift()
    },
    noteReplica: (position) => {
      const proven = samples.findLast((sample) => sample.position <= position)
      if (!proven || proven.at <= currentAt) return
      currentAt = proven.at
      samples = samples.filter(({ at }) => at > currentAt)
    },
    staleMs: (at) => at - currentAt,
  }
}
