import { findPictureOfBytes, insertPicture } from '#db/catalog/product-pictures.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import { productPixelLimit } from '#domain/files/picture-bounds.ts'
import {
  isPictureType,
  maxPictureBytes,
  picturePath,
  pictureTooLarge,
  pictureTooManyPixels,
  unsupportedPicture,
  type PictureType,
} from '#domain/catalog/product-pictures.ts'
import { createHash } from 'node:crypto'
import { requirePermission } from '../require-user.ts'
import type { Context } from '../context.ts'
import { cleanStream, type CleanedFile } from './clean-stream.ts'
import { limitInspections } from './limit-inspections.ts'
import { scanBytes } from './scan-bytes.ts'
import { reserveUploadId } from './upload-ticket.ts'

/** Where a picture comes from. */
export type PictureOrigin = {
  /** Who brought it, or the shop. */
  actorId: string
  /** How large it may be as received. */
  maxBytes: number
  /** Reserves the id by which the bytes of a failed attempt are found. */
  reserveId: () => Promise<string>
}

/**
 * Stores a product picture that an admin uploads: JPEG or PNG by its content, at most 2 MB. Returns
 * its URL path. Throws UNAUTHENTICATED, FORBIDDEN, TOO_MANY, and what `storePicture` throws.
 */
export async function receivePicture(ctx: Context, body: AsyncIterable<Uint8Array>): Promise<string> {
  const { id: actorId } = requirePermission(ctx, 'catalog.write')
  const reserveId = (): Promise<string> => reserveUploadId(ctx)
  return storePicture(ctx, body, { actorId, maxBytes: maxPictureBytes, reserveId })
}

/**
 * Stores a public product picture without its metadata. Identical bytes are stored once, even when
 * different admins bring them. Throws TOO_LARGE at the first byte over the limit, UNSUPPORTED_TYPE,
 * INVALID when it is infected, UNAVAILABLE without the scanner's verdict, BAD_REQUEST when the
 * upload broke off, STORAGE_FULL; then nothing is stored.
 */
export async function storePicture(
  ctx: Context,
  body: AsyncIterable<Uint8Array>,
  { actorId, maxBytes, reserveId }: PictureOrigin,
): Promise<string> {
  const { bytes, contentType } = await readPicture(body, maxBytes)
  const sha256 = createHash('sha256').update(bytes).digest('base64url')
  const existing = await findPictureOfBytes(ctx.db, sha256)
  if (existing) return picturePath(existing)
  await limitInspections(() => scanBytes(ctx, bytes, { subjectId: shopSubjectId }))
  // The sweep uses the ticket to find the bytes of an upload that fails from here on, and
  // duplicates from a concurrent upload of the same picture.
  const id = await reserveId()
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
  maxBytes: number,
): Promise<{ bytes: Buffer; contentType: PictureType }> {
  const cleaned: CleanedFile = { byteSize: 0, contentType: null }
  const chunks: Uint8Array[] = []
  const rules = {
    maxBytes,
    tooLarge: pictureTooLarge(maxBytes),
    pixelLimit: productPixelLimit,
    refusals: { unsupported: unsupportedPicture, 'too-many-pixels': pictureTooManyPixels },
  }
  for await (const chunk of cleanStream(body, rules, cleaned)) chunks.push(chunk)
  const { contentType } = cleaned
  if (contentType === null || !isPictureType(contentType)) {
    throw new AppError('UNSUPPORTED_TYPE', unsupportedPicture)
  }
  return { bytes: Buffer.concat(chunks), contentType }
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
