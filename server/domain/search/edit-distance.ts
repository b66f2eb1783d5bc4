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
