import { insertFile } from '#db/files/files.ts'
import { AppError } from '#domain/errors.ts'
import { createSniffer } from '#domain/files/file-sniffing.ts'
import {
  fileReference,
  maxFileBytes,
  tooLargeSentence,
  wrongTypeSentence,
  type FileType,
} from '#domain/files/files.ts'
import { requireUser } from '../require-user.ts'
import { openUserKey } from '../crypto/user-key.ts'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal } from '../crypto/sealing.ts'
import { newFileKey, sealStream } from '../crypto/seal-stream.ts'
import { unbroken } from './unbroken.ts'
import { spendTicket, takeTicket, type SignedTicket } from './upload-ticket.ts'

export type Upload = {
  body: AsyncIterable<Uint8Array> | null
  /** What the sender says that the body weighs; null when nothing. */
  declaredBytes: number | null
}

/**
 * Takes a file at an upload address: counts and looks at it while it streams, seals it, stores it, and then writes its row. The
 * address is used up whatever comes of it. Returns the reference by which it is registered.
 * Throws what `spendTicket` throws, TOO_LARGE at the first byte beyond 10 MB, UNSUPPORTED_TYPE, BAD_REQUEST when the sender broke
 * off, STORAGE_FULL; nothing is kept then.
 */
export async function receiveAtAddress(ctx: Context, ticket: SignedTicket, upload: Upload): Promise<string> {
  await spendTicket(ctx, ticket)
  if (upload.declaredBytes !== null && upload.declaredBytes > maxFileBytes) {
    throw new AppError('TOO_LARGE', tooLargeSentence)
  }
  return receive(ctx, ticket.id, upload.body)
}

/** The same of a file that comes with a form. */
export async function receiveWithForm(ctx: Context, body: AsyncIterable<Uint8Array>): Promise<string> {
  return receive(ctx, await takeTicket(ctx), body)
}

async function receive(ctx: Context, id: string, body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const user = requireUser(ctx)
  const userKey = await openUserKey(ctx, user.id)
  if (!userKey) throw new AppError('UNAUTHENTICATED')
  const fileKey = newFileKey()
  const seen = { byteSize: 0, contentType: null as FileType | null }
  await ctx.storage.put(id, sealStream(fileKey, id, inspected(body ?? [], seen)))
  const { contentType, byteSize } = seen
  if (contentType === null) throw new AppError('UNSUPPORTED_TYPE', wrongTypeSentence)
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
async function* inspected(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  seen: { byteSize: number; contentType: FileType | null },
): AsyncGenerator<Uint8Array> {
  const sniffer = createSniffer()
  for await (const bytes of unbroken(body)) {
    seen.byteSize += bytes.byteLength
    if (seen.byteSize > maxFileBytes) throw new AppError('TOO_LARGE', tooLargeSentence)
    if (!sniffer.push(bytes)) throw new AppError('UNSUPPORTED_TYPE', wrongTypeSentence)
    yield bytes
  }
  seen.contentType = sniffer.finish()
  if (seen.contentType === null) throw new AppError('UNSUPPORTED_TYPE', wrongTypeSentence)
}
