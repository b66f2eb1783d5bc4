/** Picks from what it is given, in the same order for the same seed. */
export type Random = {
  /** A whole number from 0 to `below` − 1. */
  below: (below: number) => number
  chance: (probability: number) => boolean
  pick: <Value>(values: readonly [Value, ...Value[]]) => Value
}

/** Mulberry32, seeded with the text's hash (FNV-1a). */
export function seededRandom(seed: string): Random {
  let state = 0x811c9dc5
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 0x01000193)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (values) => values[below(values.length)] ?? values[0],
  }
}
