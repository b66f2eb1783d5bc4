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
import { withUploadErrors } from './unbroken.ts'
import { consumeTicket, reserveUploadId, type SignedTicket } from './upload-ticket.ts'

export type Upload = {
  body: AsyncIterable<Uint8Array> | null
  /** What the sender says that the body weighs; null when nothing. */
  declaredBytes: number | null
}

/**
 * Takes a file at an upload address: counts and looks at it while it streams, seals it, stores it, and then writes its row. The
 * address is used up whatever comes of it. Returns the reference by which it is registered.
 * Throws what `consumeTicket` throws, TOO_LARGE at the first byte beyond 10 MB, UNSUPPORTED_TYPE, BAD_REQUEST when the sender broke
 * off, STORAGE_FULL; nothing is kept then.
 */
export async function receiveAtUploadUrl(ctx: Context, ticket: SignedTicket, upload: Upload): Promise<string> {
  await consumeTicket(ctx, ticket)
  if (upload.declaredBytes !== null && upload.declaredBytes > maxFileBytes) {
    throw new AppError('TOO_LARGE', fileTooLargeMessage)
  }
  return storeUpload(ctx, ticket.id, upload.body)
}

/** The same of a file that comes with a form. */
export async function receiveFormUpload(ctx: Context, body: AsyncIterable<Uint8Array>): Promise<string> {
  return storeUpload(ctx, await reserveUploadId(ctx), body)
}

async function storeUpload(ctx: Context, id: string, body: AsyncIterable<Uint8Array> | null): Promise<string> {
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

/** Passes a file on while it is looked at, and throws where it is none that we take; `seen` says at the end what it is. */
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
