import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
/** A sealed file starts with a name that reveals nothing about its content, and the version. */
const magic = Buffer.from('MRDF\x01', 'latin1')
const prefixBytes = 7
const headerBytes = magic.length + prefixBytes
const tagBytes = 16
/** Plain bytes in each chunk except the last. */
export const chunkBytes = 64 * 1024
const sealedChunkBytes = chunkBytes + tagBytes

/** A key that seals one file and nothing else. */
export const newFileKey = (): Buffer => randomBytes(32)

/** The stored size of a file of this size. */
export const sealedSize = (byteSize: number): number =>
  headerBytes + byteSize + Math.max(1, Math.ceil(byteSize / chunkBytes)) * tagBytes

/**
 * A chunk's nonce in the STREAM construction: a random prefix, the chunk's number, and whether it
 * is the last one. Chunks cannot be dropped, repeated or reordered (Hoang, Reyhanitabar, Rogaway,
 * Vizár 2015).
 */
function chunkNonce(prefix: Buffer, index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  prefix.copy(nonce)
  nonce.writeUInt32BE(index, prefixBytes)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** The associated data of each chunk. Never change it: stored files would no longer open. */
const associatedData = (fileId: string, header: Buffer): Buffer =>
  Buffer.concat([header, Buffer.from(fileId)])

/**
 * Seals a file while it streams, 64 KiB at a time.
 * @param key from `newFileKey`, used for this file only
 */
export async function* sealStream(
  key: Buffer,
  fileId: string,
  plain: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const prefix = randomBytes(prefixBytes)
  const header = Buffer.concat([magic, prefix])
  const data = associatedData(fileId, header)
  yield header
  let index = 0
  for await (const { chunk, isLast } of inChunks(plain, { size: chunkBytes })) {
    const cipher = createCipheriv(algorithm, key, chunkNonce(prefix, index++, isLast)).setAAD(data)
    yield cipher.update(chunk)
    cipher.final()
    yield cipher.getAuthTag()
  }
}

/**
 * Opens a sealed file while it streams; no byte of a chunk is returned before the chunk is
 * authenticated. Throws, at the end at the latest, when anything was changed, omitted, added or
 * moved; everything returned before that is the file's genuine beginning.
 */
export async function* openStream(
  key: Buffer,
  fileId: string,
  sealed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let header: Buffer | null = null
  let index = 0
  for await (const { chunk, isLast } of inChunks(sealed, { size: sealedChunkBytes, first: headerBytes })) {
    if (header === null) {
      header = Buffer.from(chunk)
      if (isLast || !header.subarray(0, magic.length).equals(magic))
        throw new Error(`The stored file ${fileId} is not a sealed file.`)
      continue
    }
    if (chunk.length < tagBytes) throw new Error(`The stored file ${fileId} ends in the middle of a chunk.`)
    const nonce = chunkNonce(header.subarray(magic.length), index++, isLast)
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(associatedData(fileId, header)).setAuthTag(chunk.subarray(-tagBytes))
    const plain = decipher.update(chunk.subarray(0, -tagBytes))
    try {
      decipher.final()
    } catch (error) {
      throw new Error(`The stored file ${fileId} is damaged, or was sealed with a different key.`, {
        cause: error,
      })
    }
    yield plain
  }
}

/**
 * The same bytes in chunks of `size`; the first chunk has `first` bytes, and the last may be
 * shorter. A chunk is valid until the next one is requested: its memory is reused.
 */
async function* inChunks(
  source: AsyncIterable<Uint8Array>,
  { size, first }: { size: number; first?: number },
): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  const buffer = Buffer.allocUnsafe(size)
  let filled = 0
  let target = first ?? size
  for await (const bytes of source) {
    let offset = 0
    while (offset < bytes.length) {
      if (filled === target) {
        yield { chunk: buffer.subarray(0, filled), isLast: false }
        filled = 0
        target = size
      }
      const copied = Math.min(target - filled, bytes.length - offset)
      buffer.set(bytes.subarray(offset, offset + copied), filled)
      filled += copied
      offset += copied
    }
  }
  yield { chunk: buffer.subarray(0, filled), isLast: true }
}
