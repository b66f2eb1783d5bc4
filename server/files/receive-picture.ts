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
import { requirePermission } from '../require-user.ts'
import type { Context } from '../context.ts'
import { boundedStream } from './bounded-stream.ts'
import { withUploadErrors } from './upload-errors.ts'
import { reserveUploadId } from './upload-ticket.ts'

/**
 * Stores a public product picture: JPEG or PNG by its content, at most 2 MB, stored as received.
 * Identical bytes are stored once, even when different admins upload them. Returns its URL path.
 * Throws UNAUTHENTICATED, FORBIDDEN, TOO_LARGE at the first byte over the limit, UNSUPPORTED_TYPE,
 * BAD_REQUEST when the upload broke off, TOO_MANY, STORAGE_FULL; then nothing is stored.
 */
export async function receivePicture(ctx: Context, body: AsyncIterable<Uint8Array>): Promise<string> {
  const { id: actorId } = requirePermission(ctx, 'catalog.write')
  const { bytes, contentType } = await readPicture(body)
  const sha256 = createHash('sha256').update(bytes).digest('base64url')
  const existing = await findPictureOfBytes(ctx.db, sha256)
  if (existing) return picturePath(existing)
  // The sweep uses the ticket to find the bytes of an upload that fails from here on, and
  // duplicates from a concurrent upload of the same picture.
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

/**
 * Reads the whole picture into memory: it is small, and an existing copy must be found before
 * anything is stored.
 */
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
