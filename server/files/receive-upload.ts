import { insertFile } from '#db/files/files.ts'
import { AppError } from '#domain/errors.ts'
import { createSniffer } from '#domain/files/file-sniffing.ts'
import {
  fileReference,
  maxFileBytes,
  fileTooLargeMessage,
  wrongFileTypeMessage,
  type FileType,
} from '#domain/files/files.ts'
import { requireUser } from '../require-user.ts'
import { openUserKey } from '../crypto/user-key.ts'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal } from '../crypto/sealing.ts'
import { newFileKey, sealStream } from '../crypto/seal-stream.ts'
import { boundedStream } from './bounded-stream.ts'
import { withUploadErrors } from './upload-errors.ts'
import { consumeTicket, reserveUploadId, type SignedTicket } from './upload-ticket.ts'

export type Upload = {
  body: AsyncIterable<Uint8Array> | null
  /** The declared Content-Length; null when there is none. */
  declaredBytes: number | null
}

/**
 * Stores a file sent to an upload URL: counts and inspects it while it streams, seals it, stores
 * it, then writes its row. The URL is consumed whatever the outcome. Returns the reference that
 * registers the file. Throws what `consumeTicket` throws, TOO_LARGE at the first byte over 10 MB,
 * UNSUPPORTED_TYPE, BAD_REQUEST when the upload broke off, STORAGE_FULL; then nothing is stored.
 */
export async function receiveAtUploadUrl(
  ctx: Context,
  ticket: SignedTicket,
  upload: Upload,
): Promise<string> {
  await consumeTicket(ctx, ticket)
  if (upload.declaredBytes !== null && upload.declaredBytes > maxFileBytes) {
    throw new AppError('TOO_LARGE', fileTooLargeMessage)
  }
  return storeUpload(ctx, ticket.id, upload.body)
}

/** The same for a file that is part of a form. */
export async function receiveFormUpload(ctx: Context, body: AsyncIterable<Uint8Array>): Promise<string> {
  return storeUpload(ctx, await reserveUploadId(ctx), body)
}

async function storeUpload(
  ctx: Context,
  id: string,
  body: AsyncIterable<Uint8Array> | null,
): Promise<string> {
  const user = requireUser(ctx)
  const userKey = await openUserKey(ctx, user.id)
  if (!userKey) throw new AppError('UNAUTHENTICATED')
  const fileKey = newFileKey()
  const inspection = { byteSize: 0, contentType: null as FileType | null }
  await ctx.storage.put(id, sealStream(fileKey, id, inspectStream(body ?? [], inspection)))
  const { contentType, byteSize } = inspection
  if (contentType === null) throw new AppError('UNSUPPORTED_TYPE', wrongFileTypeMessage)
  await insertFile(ctx.db, {
    id,
    userId: user.id,
    storageKey: id,
    wrappedKey: seal(userKey, bindings.fileKey(id), fileKey.toString('base64url')),
    contentType,
    byteSize,
    registeredAt: null,
    discardedAt: null,
    createdAt: ctx.now,
  })
  return fileReference(id)
}

/**
 * Passes a file through while inspecting it, and throws as soon as it is not an accepted file.
 * `inspection` holds the result at the end.
 */
async function* inspectStream(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  inspection: { byteSize: number; contentType: FileType | null },
): AsyncGenerator<Uint8Array> {
  const sniffer = createSniffer()
  const tooLarge = new AppError('TOO_LARGE', fileTooLargeMessage)
  for await (const bytes of boundedStream(withUploadErrors(body), maxFileBytes, tooLarge)) {
    inspection.byteSize += bytes.byteLength
    if (!sniffer.push(bytes)) throw new AppError('UNSUPPORTED_TYPE', wrongFileTypeMessage)
    yield bytes
  }
  inspection.contentType = sniffer.finish()
  if (inspection.contentType === null) throw new AppError('UNSUPPORTED_TYPE', wrongFileTypeMessage)
}
