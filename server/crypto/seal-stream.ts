import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
/** What a sealed file begins with: a name that says nothing of its content, and the version. */
const magic = Buffer.from('MRDF\x01', 'latin1')
const prefixBytes = 7
const headerBytes = magic.length + prefixBytes
const tagBytes = 16
/** Plain bytes of each chunk but the last. */
export const chunkBytes = 64 * 1024
const sealedChunkBytes = chunkBytes + tagBytes

/** A key that seals one file and nothing else. */
export const newFileKey = (): Buffer => randomBytes(32)

/** Bytes on the storage of a file of this size. */
export const sealedSize = (byteSize: number): number =>
  headerBytes + byteSize + Math.max(1, Math.ceil(byteSize / chunkBytes)) * tagBytes

/**
 * The nonce of a chunk as the STREAM construction has it: a random prefix, the chunk's number, and whether it is the last one,
 * so that chunks cannot be dropped, repeated or put in another order (Hoang, Reyhanitabar, Rogaway, Vizár 2015).
 */
function nonceOf(prefix: Buffer, index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  prefix.copy(nonce)
  nonce.writeUInt32BE(index, prefixBytes)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** The associated data of each chunk: the header and the file's id. Never change it: no file would open again. */
const associatedData = (fileId: string, header: Buffer): Buffer =>
  Buffer.concat([header, Buffer.from(fileId)])

/**
 * Seals a file while it streams, 64 KiB at a time.
 * @param key of `newFileKey`, used for this one file
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
    const cipher = createCipheriv(algorithm, key, nonceOf(prefix, index++, isLast)).setAAD(data)
    yield cipher.update(chunk)
    cipher.final()
    yield cipher.getAuthTag()
  }
}

/**
 * Opens a sealed file while it streams; no byte of a chunk is given before the chunk is proven. Throws when anything was
 * changed, left out, added or put elsewhere, by its end at the latest: what came before that was the file's beginning.
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
      if (isLast || !header.subarray(0, magic.length).equals(magic)) throw new Error('No sealed file.')
      continue
    }
    if (chunk.length < tagBytes) throw new Error('A sealed file ends in the middle of a chunk.')
    const nonce = nonceOf(header.subarray(magic.length), index++, isLast)
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(associatedData(fileId, header)).setAuthTag(chunk.subarray(-tagBytes))
    const plain = decipher.update(chunk.subarray(0, -tagBytes))
    decipher.final()
    yield plain
  }
}

/**
 * The same bytes in pieces of `size`, the last one shorter and told, the first one of `first`. A piece is good until the next
 * is asked for: its memory is used again.
 */
async function* inChunks(
  source: AsyncIterable<Uint8Array>,
  { size, first }: { size: number; first?: number },
): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  const buffer = Buffer.allocUnsafe(size)
  let filled = 0
  let wanted = first ?? size
  for await (const bytes of source) {
    let offset = 0
    while (offset < bytes.length) {
      if (filled === wanted) {
        yield { chunk: buffer.subarray(0, filled), isLast: false }
        filled = 0
        wanted = size
      }
      const taken = Math.min(wanted - filled, bytes.length - offset)
      buffer.set(bytes.subarray(offset, offset + taken), filled)
      filled += taken
      offset += taken
    }
  }
  yield { chunk: buffer.subarray(0, filled), isLast: true }
}
