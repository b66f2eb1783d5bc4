import { copyUnpooled } from './copy-unpooled.server.ts'
import { deflatePart, joinGzip } from './gzip-template.server.ts'

/** A page with gaps, whose pieces share the memory of the page. */
export type CutPage = {
  pieces: readonly Buffer[]
  /** What fills the gap after each piece but the last: the index of a part, or `nonceGap`. */
  gaps: readonly number[]
  /** The pieces compressed, for the first client that accepts it. */
  deflated: readonly Buffer[] | null
}

const nonceGap = -1

/**
 * Cuts parts out of a page, which must be in its order. Null when one is missing, or repeated, so
 * that it is unknown which to replace.
 * @param between the page between its nonces
 * @param parts the texts of the parts
 */
export function cutPage(between: readonly Buffer[], parts: readonly string[]): CutPage | null {
  const pieces: Buffer[] = []
  const gaps: number[] = []
  let next = 0
  for (const [i, bytes] of between.entries()) {
    if (i > 0) gaps.push(nonceGap)
    let start = 0
    for (let part = parts[next]; part !== undefined; part = parts[next]) {
      const at = bytes.indexOf(part, start)
      if (at < 0) break
      pieces.push(bytes.subarray(start, at))
      gaps.push(next)
      start = at + Buffer.byteLength(part)
      next += 1
    }
    pieces.push(bytes.subarray(start))
  }
  const isRepeated = (part: string): boolean => pieces.some((piece) => piece.includes(part))
  return next < parts.length || parts.some(isRepeated) ? null : { pieces, gaps, deflated: null }
}

/** The page with these parts and this nonce in its gaps. */
export function fillPage(
  page: CutPage,
  parts: readonly string[],
  options: { nonce: string; gzip: boolean },
): Buffer<ArrayBuffer> {
  const { pieces, gaps } = page
  const filled = gaps.map((gap) => Buffer.from(gap === nonceGap ? options.nonce : (parts[gap] ?? '')))
  if (!options.gzip) return Buffer.concat(interleave(pieces, filled))
  const deflated = (page.deflated ??= pieces.map((piece) => copyUnpooled(deflatePart(piece))))
  return joinGzip({
    plain: interleave(pieces, filled),
    deflated: interleave(deflated, filled.map(deflatePart)),
  })
}

/** Each piece with what fills the gap after it. */
const interleave = (pieces: readonly Buffer[], filled: readonly Buffer[]): Buffer[] =>
  pieces.flatMap((piece, i) => [piece, filled[i] ?? []].flat())
