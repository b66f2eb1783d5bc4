import { gunzipSync } from 'node:zlib'
import { deflatePart, joinGzip, type DeflatedPart } from './gzip-template.server.ts'

/** A page with gaps, compressed. */
export type CutPage = {
  pieces: readonly DeflatedPart[]
  /** What fills the gap after each piece but the last: the index of a part, or `nonceGap`. */
  gaps: readonly number[]
}

const nonceGap = -1
/** Overhead of a piece in memory: its objects and its CRC matrix. */
const pieceBytes = 500

/**
 * Cuts parts out of a page, which must be in its order. Null when one is missing, or repeated, so
 * that it is unknown which to replace.
 * @param betweenNonces the page between its nonces
 * @param parts the texts of the parts
 */
export function cutPage(betweenNonces: readonly Buffer[], parts: readonly string[]): CutPage | null {
  const pieces: Buffer[] = []
  const gaps: number[] = []
  let next = 0
  for (const [i, bytes] of betweenNonces.entries()) {
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
  if (next < parts.length || parts.some(isRepeated)) return null
  return { pieces: pieces.map(deflatePart), gaps }
}

/** Memory used by a cut page, in bytes. */
export const sizeOfCut = ({ pieces }: CutPage): number =>
  pieces.reduce((sum, { bytes }) => sum + bytes.length + pieceBytes, 0)

/** The page with these parts and this nonce in its gaps. */
export function fillPage(
  { pieces, gaps }: CutPage,
  parts: readonly string[],
  options: { nonce: string; gzip: boolean },
): Buffer<ArrayBuffer> {
  const fills = gaps.map((gap) => Buffer.from(gap === nonceGap ? options.nonce : (parts[gap] ?? '')))
  const compressed = joinGzip(pieces, fills)
  return options.gzip ? compressed : gunzipSync(compressed)
}
