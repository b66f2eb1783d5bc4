import { constants, crc32, deflateRawSync, gunzipSync, inflateRawSync } from 'node:zlib'
import { copyUnpooled } from './copy-unpooled.server.ts'

/** A part of a text, compressed up to a byte's end. */
export type DeflatedPart = {
  bytes: Buffer
  /** Of the part itself, in bytes. */
  length: number
  /** Of the part itself. */
  checksum: number
  /** What each bit of the checksum of the text before this part becomes after it. */
  changes: readonly number[]
}

/**
 * A text in gzip with gaps for another text, which differs each time. Filling it compresses
 * nothing, and reads no more than that text for the checksum.
 */
export type GzipTemplate = {
  /** The whole, with zeros in the gaps and in place of the checksum. */
  bytes: Buffer
  /** Where the gaps begin. */
  gaps: readonly number[]
  /** Of each gap, in bytes. */
  gapLength: number
  /** Of the parts, in bytes before compression. */
  partLengths: readonly number[]
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

/** A shorter part is not compressed: that takes longer than sending it. */
const minDeflated = 300

/** Compresses a part of a text by itself, up to a byte's end. */
const deflate = (part: Buffer): Buffer =>
  part.length < minDeflated
    ? Buffer.concat([storedHead(part.length), part])
    : deflateRawSync(part, { finishFlush: constants.Z_SYNC_FLUSH })

/**
 * What each bit of a checksum becomes when bytes of this length follow: this, combined with their
 * own checksum. CRC-32 is linear, so zeros show it.
 */
function changesOf(length: number): number[] {
  const zeros = Buffer.alloc(length)
  const ofZeros = crc32(zeros)
  return bits.map((bit) => crc32(zeros, bit >>> 0) ^ ofZeros)
}

const applyChanges = (changes: readonly number[], checksum: number): number =>
  changes.reduce((sum, change, bit) => ((checksum >>> bit) & 1 ? sum ^ change : sum), 0)

/** The checksum of a text with this part after it. */
const append = (checksum: number, part: DeflatedPart): number =>
  applyChanges(part.changes, checksum) ^ part.checksum

/** A part that is kept, so it has memory of its own. */
export const deflatePart = (part: Buffer): DeflatedPart => ({
  bytes: copyUnpooled(deflate(part)),
  length: part.length,
  checksum: crc32(part),
  changes: changesOf(part.length),
})

export const inflatePart = ({ bytes }: DeflatedPart): Buffer =>
  copyUnpooled(inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }))

function trailerOf(checksum: number, length: number): Buffer {
  const trailer = Buffer.alloc(8)
  trailer.writeInt32LE(checksum | 0)
  trailer.writeUInt32LE(length, 4)
  return trailer
}

/**
 * The gzip of a text in parts.
 * @param between what comes after each part but the last
 */
export function joinGzip(parts: readonly DeflatedPart[], between: readonly Buffer[]): Buffer<ArrayBuffer> {
  const pieces: Buffer[] = [header]
  let checksum = 0
  let length = 0
  for (const [i, part] of parts.entries()) {
    pieces.push(part.bytes)
    checksum = append(checksum, part)
    length += part.length
    const text = between[i]
    if (!text) continue
    pieces.push(deflate(text))
    checksum = crc32(text, checksum >>> 0)
    length += text.length
  }
  return Buffer.concat([...pieces, end, trailerOf(checksum, length)])
}

/**
 * Compresses parts of a text, each by itself up to a byte's end.
 * @param gapLength of what comes between them, in bytes
 */
export function createGzipTemplate(parts: readonly Buffer[], gapLength: number): GzipTemplate {
  const inGap = changesOf(gapLength)
  const pieces: Buffer[] = [header]
  const gaps: number[] = []
  let written = header.length
  const add = (piece: Buffer): void => {
    pieces.push(piece)
    written += piece.length
  }
  let checksum = 0
  let changes = bits.map(() => 0)
  for (const [i, bytes] of parts.entries()) {
    if (i > 0) {
      add(storedHead(gapLength))
      gaps.push(written)
      add(Buffer.alloc(gapLength))
      checksum = applyChanges(inGap, checksum)
      changes = changes.map((change, bit) => applyChanges(inGap, change) ^ (1 << bit))
    }
    const part = deflatePart(bytes)
    add(part.bytes)
    checksum = append(checksum, part)
    changes = changes.map((change) => applyChanges(part.changes, change))
  }
  const partLengths = parts.map(({ length }) => length)
  const length = partLengths.reduce((sum, part) => sum + part, gapLength * gaps.length)
  const whole = Buffer.concat([...pieces, end, trailerOf(0, length)])
  return { bytes: copyUnpooled(whole), gaps, gapLength, partLengths, checksum, changes }
}

/** The parts again, each with memory of its own. */
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
  const checksum = template.checksum ^ applyChanges(template.changes, crc32(text))
  filled.writeInt32LE(checksum, filled.length - 8)
  return filled
}
