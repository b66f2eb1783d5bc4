/**
 * Whether two words are at most one edit apart: one letter inserted, deleted or replaced, or two
 * neighbors swapped. These are Damerau's four edits, which cover most typos.
 */
export function withinOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  let end = 0
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++
  const left = short.length - start - end
  if (left === 0) return true
  if (short.length < long.length) return false
  return left === 1 || (left === 2 && short[start] === long[start + 1] && short[start + 1] === long[start])
}

/**
 * The number of edits between two words, counted up to two: a longer distance is three. Letters are
 * inserted, deleted, replaced or swapped with a neighbor (optimal string alignment).
 */
export function editsUpToTwo(a: string, b: string): number {
  const tooFar = 3
  if (Math.abs(a.length - b.length) > 2) return tooFar
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? tooFar) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let edits = Math.min(replaced, (row[j] ?? tooFar) + 1, (next[j - 1] ?? tooFar) + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, (before[j - 2] ?? tooFar) + 1)
      next.push(edits)
      least = Math.min(least, edits)
    }
    if (least >= tooFar) return tooFar
    before = row
    row = next
  }
  return Math.min(row[b.length] ?? tooFar, tooFar)
}

const maxSyllable = 4

/** Whether two neighboring syllables changed places: "metoloprol" for metoprolol. */
export function hasSwappedSyllables(typed: string, known: string): boolean {
  if (typed.length !== known.length) return false
  let start = 0
  while (start < typed.length && typed[start] === known[start]) start++
  let end = 0
  while (end < typed.length - start && typed.at(-1 - end) === known.at(-1 - end)) end++
  const differing = typed.length - start - end
  if (differing < 3 || differing > 2 * maxSyllable) return false
  // The syllables may begin or end alike, so that less than both differs: "mocro" for "cromo".
  for (let from = start; from >= Math.max(0, start - 2); from--) {
    for (let to = typed.length - end; to <= Math.min(typed.length, typed.length - end + 2); to++) {
      const one = typed.slice(from, to)
      if (one.length <= 2 * maxSyllable && (one + one).includes(known.slice(from, to))) return true
    }
  }
  return false
}

/** Whether a syllable was typed twice, or one of two was left out: "gabapentintin". */
export function hasDoubledSyllable(typed: string, known: string): boolean {
  const [short, long] = typed.length < known.length ? [typed, known] : [known, typed]
  const extra = long.length - short.length
  if (extra < 2 || extra > maxSyllable) return false
  for (let at = 0; at + 2 * extra <= long.length; at++) {
    const syllable = long.slice(at, at + extra)
    if (long.startsWith(syllable, at + extra) && long.slice(0, at) + long.slice(at + extra) === short)
      return true
  }
  return false
}
