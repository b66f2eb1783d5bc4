/** Random numbers from 0 to below 1 that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Shuffled by these numbers, the first so many. */
export function sample<T>(values: readonly T[], count: number, random: () => number): T[] {
  const rest = [...values]
  const picked: T[] = []
  while (picked.length < count && rest.length > 0) {
    const at = Math.floor(random() * rest.length)
    const last = rest.pop()
    if (at < rest.length) {
      picked.push(...rest.slice(at, at + 1))
      if (last !== undefined) rest[at] = last
    } else if (last !== undefined) picked.push(last)
  }
  return picked
}
