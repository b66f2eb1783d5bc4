import { constants, crc32, deflateRawSync } from 'node:zlib'
import { copyUnpooled } from './copy-unpooled.server.ts'

/**
 * A text in gzip with gaps for another text, which differs each time. Filling it compresses
 * nothing, and reads no more than that text for the checksum.
 */
export type GzipTemplate = {
  /** The whole, with zeros in the gaps and in place of the checksum. */
  bytes: Buffer
  /** Where the gaps begin. */
  gaps: readonly number[]
  /** The checksum, as far as it does not depend on what fills the gaps. */
  checksum: number
  /** What each bit of the checksum of what fills the gaps changes. */
  changes: readonly number[]
}

/** RFC 1952, 2.3: deflate, without a name or a time, of an unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** RFC 1951, 3.2.3: an empty block that is the last one. */
const end = Buffer.from([3, 0])
const bits = Array.from({ length: 32 }, (_, bit) => 1 << bit)

/** The head of a block with so many bytes as they are, 65,535 at most (RFC 1951, 3.2.4). */
function storedHead(length: number): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(length, 1)
  head.writeUInt16LE(length ^ 0xffff, 3)
  return head
}

/**
 * What becomes of a checksum when bytes follow: this, combined with their own checksum. CRC-32 is
 * linear, so zeros of their length say it.
 */
const shift = (checksum: number, zeros: Buffer): number => crc32(zeros, checksum >>> 0) ^ crc32(zeros)

/** A shorter part is not compressed: that takes longer than sending it. */
const minDeflated = 300

/** Compresses a part of a text by itself, up to a byte's end. */
export const deflatePart = (part: Buffer): Buffer =>
  part.length < minDeflated
    ? Buffer.concat([storedHead(part.length), part])
    : deflateRawSync(part, { finishFlush: constants.Z_SYNC_FLUSH })

/** The gzip of a text in parts, each compressed by `deflatePart` already. */
export function joinGzip(parts: {
  plain: readonly Buffer[]
  deflated: readonly Buffer[]
}): Buffer<ArrayBuffer> {
  const trailer = Buffer.alloc(8)
  trailer.writeInt32LE(parts.plain.reduce((checksum, part) => crc32(part, checksum), 0) | 0)
  trailer.writeUInt32LE(
    parts.plain.reduce((sum, part) => sum + part.length, 0),
    4,
  )
  return Buffer.concat([header, ...parts.deflated, end, trailer])
}

/**
 * Compresses parts of a text, each by itself up to a byte's end.
 * @param gap the length of what comes between them, in bytes
 */
export function createGzipTemplate(parts: readonly Buffer[], gap: number): GzipTemplate {
  const zeros = Buffer.alloc(Math.max(gap, ...parts.map((part) => part.length)))
  const pieces: Buffer[] = [header]
  const gaps: number[] = []
  let written = header.length
  const add = (piece: Buffer): void => {
    pieces.push(piece)
    written += piece.length
  }
  let checksum = 0
  let changes = bits.map(() => 0)
  for (const [i, part] of parts.entries()) {
    if (i > 0) {
      add(storedHead(gap))
      gaps.push(written)
      add(Buffer.alloc(gap))
      const inGap = zeros.subarray(0, gap)
      checksum = shift(checksum, inGap)
      changes = changes.map((change, bit) => shift(change, inGap) ^ (1 << bit))
    }
    add(deflatePart(part))
    const inPart = zeros.subarray(0, part.length)
    checksum = shift(checksum, inPart) ^ crc32(part)
    changes = changes.map((change) => shift(change, inPart))
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(
    parts.reduce((sum, part) => sum + part.length, gap * gaps.length),
    4,
  )
  return { bytes: copyUnpooled(Buffer.concat([...pieces, end, trailer])), gaps, checksum, changes }
}

/** The gzip of the whole text. @param text as long as the template's gaps */
export function fillGzip(template: GzipTemplate, text: Buffer): Buffer<ArrayBuffer> {
  const filled = Buffer.from(template.bytes)
  for (const at of template.gaps) text.copy(filled, at)
  const own = crc32(text)
  const checksum = template.changes.reduce(
    (sum, change, bit) => ((own >>> bit) & 1 ? sum ^ change : sum),
    template.checksum,
  )
  filled.writeInt32LE(checksum, filled.length - 8)
  return filled
}
