import { deflatePart, inflatePart, joinGzip, type DeflatedPart } from './gzip-template.server.ts'

/** A page with gaps, compressed. */
export type CutPage = {
  pieces: readonly DeflatedPart[]
  /** What fills the gap after each piece but the last: the index of a part, or `nonceGap`. */
  gaps: readonly number[]
  /** The pieces as they are, from the first client on that does not accept gzip. */
  plain: readonly Buffer[] | null
}

const nonceGap = -1
/** For the checksums of a piece. */
const pieceBytes = 500

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
  if (next < parts.length || parts.some(isRepeated)) return null
  return { pieces: pieces.map(deflatePart), gaps, plain: null }
}

/** What it takes of memory, in bytes. */
export const sizeOfCut = ({ pieces, plain }: CutPage): number =>
  pieces.reduce((sum, { bytes }) => sum + bytes.length + pieceBytes, 0) +
  (plain ?? []).reduce((sum, { length }) => sum + length, 0)

/** The page with these parts and this nonce in its gaps. */
export function fillPage(
  page: CutPage,
  parts: readonly string[],
  options: { nonce: string; gzip: boolean },
): Buffer<ArrayBuffer> {
  const { pieces, gaps } = page
  const filled = gaps.map((gap) => Buffer.from(gap === nonceGap ? options.nonce : (parts[gap] ?? '')))
  if (options.gzip) return joinGzip(pieces, filled)
  page.plain ??= pieces.map(inflatePart)
  return Buffer.concat(page.plain.flatMap((piece, i) => [piece, filled[i] ?? []].flat()))
}
