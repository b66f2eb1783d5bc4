import { lockUser } from '#db/accounts/users.ts'
import { insertFile } from '#db/files/files.ts'
import { AppError } from '#domain/errors.ts'
import {
  fileReference,
  maxFileBytes,
  fileTooLargeMessage,
  wrongFileTypeMessage,
  type FileType,
} from '#domain/files/files.ts'
import { requireUser } from '../require-user.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { inTransaction, type Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import { hashChunks } from '../crypto/content-hash.ts'
import { seal } from '../crypto/sealing.ts'
import { newFileKey, openStream, sealStream } from '../crypto/seal-stream.ts'
import { checkFileQuota } from './check-file-quota.ts'
import { cleanStream, fileRules, type CleanedFile } from './clean-stream.ts'
import { inspectPdf } from './inspect-pdf.ts'
import { limitInspections } from './limit-inspections.ts'
import { scanBytes } from './scan-bytes.ts'
import { consumeTicket, reserveUploadId, type SignedTicket } from './upload-ticket.ts'

export type Upload = {
  body: AsyncIterable<Uint8Array> | null
  /** The declared Content-Length; null when there is none. */
  declaredBytes: number | null
}

/**
 * Stores a file sent to an upload URL: counts, checks and cleans it while it streams, seals it,
 * stores it, inspects and scans it, then writes its row. The URL is consumed whatever the outcome.
 * Returns the reference that registers the file. Throws what `consumeTicket` throws, TOO_LARGE at
 * the first byte over 10 MB or when the account has too many files, UNSUPPORTED_TYPE, INVALID when
 * it is infected, UNAVAILABLE without the scanner's verdict, BAD_REQUEST when the upload broke off,
 * STORAGE_FULL; then nothing is stored.
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
  await checkFileQuota(ctx, user.id, 1)
  const fileKey = newFileKey()
  const cleaned: CleanedFile = { byteSize: 0, contentType: null }
  const hashed = hashChunks(ctx.keys, cleanStream(body ?? [], fileRules, cleaned))
  await ctx.storage.put(id, sealStream(fileKey, id, hashed.chunks))
  const { contentType, byteSize } = cleaned
  if (contentType === null) throw new AppError('UNSUPPORTED_TYPE', wrongFileTypeMessage)
  try {
    const scannedAt = await inspectStored(ctx, { id, fileKey, contentType, userId: user.id })
    await inTransaction(ctx, async (ctx) => {
      // Concurrent uploads of one account are counted one after the other.
      if (!(await lockUser(ctx.db, user.id))) throw new AppError('UNAUTHENTICATED')
      await checkFileQuota(ctx, user.id, byteSize)
      await insertFile(ctx.db, {
        id,
        userId: user.id,
        storageKey: id,
        wrappedKey: seal(userKey, bindings.fileKey(id), fileKey.toString('base64url')),
        contentType,
        byteSize,
        contentHash: hashed.digest(),
        inspectedAt: ctx.now,
        scannedAt,
        registeredAt: null,
        discardedAt: null,
        createdAt: ctx.now,
      })
    })
  } catch (error) {
    await deleteRefused(ctx, id)
    throw error
  }
  return fileReference(id)
}

/**
 * Inspects a file that has arrived: what a PDF contains, and what the scanner says. It is stored
 * first, sealed, so that slow uploads hold no memory and no connection to the scanner. Returns when
 * the scanner found it clean.
 */
async function inspectStored(
  ctx: Context,
  file: { id: string; fileKey: Buffer; contentType: FileType; userId: string },
): Promise<Date | null> {
  if (file.contentType !== 'application/pdf' && ctx.scanner === null) return null
  return limitInspections(async () => {
    const sealed = await ctx.storage.get(file.id)
    if (!sealed) throw new Error(`Storage has no bytes for file ${file.id}.`)
    const chunks: Uint8Array[] = []
    for await (const chunk of openStream(file.fileKey, file.id, sealed)) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    if (file.contentType === 'application/pdf') await inspectPdf(bytes)
    return scanBytes(ctx, bytes, { subjectId: file.userId, objectId: file.id })
  })
}

/** When this fails, the sweep finds the bytes by their ticket. */
async function deleteRefused(ctx: Context, id: string): Promise<void> {
  try {
    await ctx.storage.delete(id)
  } catch (error) {
    ctx.log.warn({ err: error, fileId: id }, 'file not deleted yet')
  }
}
