import { constants, crc32, deflateRawSync, gunzipSync } from 'node:zlib'
import { copyUnpooled } from './copy-unpooled.server.ts'

/** A part of a text, compressed by itself, ending on a byte boundary. */
export type DeflatedPart = {
  bytes: Buffer
  /** Uncompressed length, in bytes. */
  length: number
  /** CRC-32 of the uncompressed part. */
  checksum: number
  /** Column i is what bit i of the preceding text's CRC becomes after this part. */
  crcMatrix: readonly number[]
}

/**
 * A text in gzip with gaps for another text, which differs each time. Filling it compresses
 * nothing, and reads no more than that text for the checksum.
 */
export type GzipTemplate = {
  /** The whole file, with zeros in the gaps and in place of the checksum. */
  bytes: Buffer
  /** Where the gaps begin. */
  gaps: readonly number[]
  /** The length of each gap, in bytes. */
  gapLength: number
  /** The lengths of the parts, in bytes before compression. */
  partLengths: readonly number[]
  /** The checksum, as far as it does not depend on what fills the gaps. */
  checksum: number
  /** Column i is what bit i of the fill's CRC adds to the checksum. */
  crcMatrix: readonly number[]
}

/** RFC 1952, 2.3: deflate, without a name or a time, of an unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** RFC 1951, 3.2.3: an empty block that is the last one. */
const end = Buffer.from([3, 0])
const bits = Array.from({ length: 32 }, (_, bit) => 1 << bit)

/** The header of a stored (uncompressed) block of up to 65,535 bytes (RFC 1951, 3.2.4). */
function storedHead(length: number): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(length, 1)
  head.writeUInt16LE(length ^ 0xffff, 3)
  return head
}

/** A shorter part is not compressed: that takes longer than sending it. */
const minDeflated = 300

/** Compresses a part of a text by itself, ending on a byte boundary. */
const deflate = (part: Buffer): Buffer =>
  part.length < minDeflated
    ? Buffer.concat([storedHead(part.length), part])
    : deflateRawSync(part, { finishFlush: constants.Z_SYNC_FLUSH })

/**
 * The effect of this many more bytes on a CRC, as zlib's crc32_combine: column i is what bit i
 * becomes. CRC-32 is linear, so zeros show it.
 */
function crcMatrixOf(length: number): number[] {
  const zeros = Buffer.alloc(length)
  const ofZeros = crc32(zeros)
  return bits.map((bit) => crc32(zeros, bit >>> 0) ^ ofZeros)
}

const multiply = (matrix: readonly number[], checksum: number): number =>
  matrix.reduce((sum, column, bit) => ((checksum >>> bit) & 1 ? sum ^ column : sum), 0)

/** The checksum of a text with this part after it. */
const appendChecksum = (checksum: number, part: DeflatedPart): number =>
  multiply(part.crcMatrix, checksum) ^ part.checksum

/** Copied out of Node's shared pool, because the part stays in memory. */
export const deflatePart = (part: Buffer): DeflatedPart => ({
  bytes: copyUnpooled(deflate(part)),
  length: part.length,
  checksum: crc32(part),
  crcMatrix: crcMatrixOf(part.length),
})

function trailerOf(checksum: number, length: number): Buffer {
  const trailer = Buffer.alloc(8)
  trailer.writeInt32LE(checksum | 0)
  trailer.writeUInt32LE(length, 4)
  return trailer
}

/**
 * The gzip of a text in parts.
 * @param fills what goes into the gap after each part but the last
 */
export function joinGzip(parts: readonly DeflatedPart[], fills: readonly Buffer[]): Buffer<ArrayBuffer> {
  const pieces: Buffer[] = [header]
  let checksum = 0
  let length = 0
  for (const [i, part] of parts.entries()) {
    pieces.push(part.bytes)
    checksum = appendChecksum(checksum, part)
    length += part.length
    const fill = fills[i]
    if (!fill) continue
    pieces.push(deflate(fill))
    checksum = crc32(fill, checksum >>> 0)
    length += fill.length
  }
  return Buffer.concat([...pieces, end, trailerOf(checksum, length)])
}

/**
 * Compresses parts of a text, each ending on a byte boundary.
 * @param gapLength the length of each gap between them, in bytes
 */
export function createGzipTemplate(parts: readonly Buffer[], gapLength: number): GzipTemplate {
  const inGap = crcMatrixOf(gapLength)
  const pieces: Buffer[] = [header]
  const gaps: number[] = []
  let written = header.length
  const add = (piece: Buffer): void => {
    pieces.push(piece)
    written += piece.length
  }
  let checksum = 0
  let crcMatrix = bits.map(() => 0)
  for (const [i, bytes] of parts.entries()) {
    if (i > 0) {
      add(storedHead(gapLength))
      gaps.push(written)
      add(Buffer.alloc(gapLength))
      checksum = multiply(inGap, checksum)
      crcMatrix = crcMatrix.map((column, bit) => multiply(inGap, column) ^ (1 << bit))
    }
    const part = deflatePart(bytes)
    add(part.bytes)
    checksum = appendChecksum(checksum, part)
    crcMatrix = crcMatrix.map((column) => multiply(part.crcMatrix, column))
  }
  const partLengths = parts.map(({ length }) => length)
  const length = partLengths.reduce((sum, part) => sum + part, gapLength * gaps.length)
  const whole = Buffer.concat([...pieces, end, trailerOf(0, length)])
  return { bytes: copyUnpooled(whole), gaps, gapLength, partLengths, checksum, crcMatrix }
}

/** The uncompressed parts, each in its own memory. */
export function readParts(template: GzipTemplate): Buffer[] {
  const whole = gunzipSync(fillGzip(template, Buffer.alloc(template.gapLength)))
  let start = 0
  return template.partLengths.map((length) => {
    const part = copyUnpooled(whole.subarray(start, start + length))
    start += length + template.gapLength
    return part
  })
}

/** The gzip of the whole text. @param text as long as the template's gaps */
export function fillGzip(template: GzipTemplate, text: Buffer): Buffer<ArrayBuffer> {
  const filled = Buffer.from(template.bytes)
  for (const at of template.gaps) text.copy(filled, at)
  const checksum = template.checksum ^ multiply(template.crcMatrix, crc32(text))
  filled.writeInt32LE(checksum, filled.length - 8)
  return filled
}
