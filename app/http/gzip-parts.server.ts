import { constants, crc32, deflateRawSync } from 'node:zlib'

/** A part of a text with its compressed form, which any other part can follow. */
export type GzipPart = { plain: Buffer; deflated: Buffer }

/** RFC 1952, 2.3: deflate, without a name or a time, of an unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** RFC 1951, 3.2.3: an empty block that is the last one. */
const end = Buffer.from([3, 0])

/** Compresses a part by itself, up to a byte's end and without an end of the whole. */
export const compressPart = (plain: Buffer): GzipPart => ({
  plain,
  deflated: deflateRawSync(plain, { finishFlush: constants.Z_SYNC_FLUSH }),
})

/** A block with these bytes as they are, 65,535 at most (RFC 1951, 3.2.4). */
function storedBlock(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(bytes.length ^ 0xffff, 3)
  return Buffer.concat([head, bytes])
}

/** One gzip of the parts with `between` after each but the last. It compresses nothing. */
export function joinGzip(parts: readonly GzipPart[], between: Buffer): Buffer<ArrayBuffer> {
  const block = storedBlock(between)
  const pieces: Buffer[] = [header]
  let [checksum, length] = [0, 0]
  for (const [i, { plain, deflated }] of parts.entries()) {
    if (i > 0) {
      pieces.push(block)
      checksum = crc32(between, checksum)
      length += between.length
    }
    pieces.push(deflated)
    checksum = crc32(plain, checksum)
    length += plain.length
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksum, 0)
  trailer.writeUInt32LE(length, 4)
  return Buffer.concat([...pieces, end, trailer])
}
