import { findPictureOfBytes, insertPicture } from '#db/catalog/product-pictures.ts'
import { AppError } from '#domain/errors.ts'
import { createSniffer } from '#domain/files/file-sniffing.ts'
import {
  isPictureType,
  maxPictureBytes,
  picturePath,
  pictureTooLarge,
  unsupportedPicture,
  type PictureType,
} from '#domain/catalog/product-pictures.ts'
import { createHash } from 'node:crypto'
import { requireAdmin } from '../require-user.ts'
import type { Context } from '../context.ts'
import { boundedStream } from './bounded-stream.ts'
import { withUploadErrors } from './unbroken.ts'
import { reserveUploadId } from './upload-ticket.ts'

/**
 * Takes a public picture of a product: JPEG or PNG by its content, 2 MB at most, stored as it came, and then written down. The same
 * bytes are the same picture, whoever brings them. Returns its address on this site.
 * Throws UNAUTHENTICATED, FORBIDDEN, TOO_LARGE at the first byte beyond, UNSUPPORTED_TYPE, BAD_REQUEST when the sender broke off,
 * TOO_MANY, STORAGE_FULL; nothing is kept then.
 */
export async function receivePicture(ctx: Context, body: AsyncIterable<Uint8Array>): Promise<string> {
  const { id: actorId } = requireAdmin(ctx)
  const { bytes, contentType } = await readPicture(body)
  const sha256 = createHash('sha256').update(bytes).digest('base64url')
  const existing = await findPictureOfBytes(ctx.db, sha256)
  if (existing) return picturePath(existing)
  // By its ticket the sweep finds what breaks off from here on, and the bytes of whoever brings the same a moment later.
  const id = await reserveUploadId(ctx)
  await ctx.storage.put(id, oneChunk(bytes))
  const saved = await insertPicture(ctx.db, {
    id,
    storageKey: id,
    contentType,
    byteSize: bytes.byteLength,
    sha256,
    actorId,
    createdAt: ctx.now,
  })
  return picturePath(saved)
}

/** Whole in memory: it is small, and whether it is there already is known before anything is stored. */
async function readPicture(
  body: AsyncIterable<Uint8Array>,
): Promise<{ bytes: Buffer; contentType: PictureType }> {
  const sniffer = createSniffer()
  const chunks: Uint8Array[] = []
  const tooLarge = new AppError('TOO_LARGE', pictureTooLarge)
  for await (const chunk of boundedStream(withUploadErrors(body), maxPictureBytes, tooLarge)) {
    if (!sniffer.push(chunk)) throw new AppError('UNSUPPORTED_TYPE', unsupportedPicture)
    chunks.push(chunk)
  }
  const contentType = sniffer.finish()
  if (contentType === null || !isPictureType(contentType)) {
    throw new AppError('UNSUPPORTED_TYPE', unsupportedPicture)
  }
  return { bytes: Buffer.concat(chunks), contentType }
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
