import { findFile } from '#db/files/files.ts'
import { AppError } from '#domain/errors.ts'
import type { FileType } from '#domain/files/files.ts'
import { openUserKey } from '../crypto/user-key.ts'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import { unseal } from '../crypto/sealing.ts'
import { begunStream } from './started-stream.ts'
import { openStream } from '../crypto/seal-stream.ts'

export type OpenFile = { contentType: FileType; byteSize: number; stream: ReadableStream<Uint8Array> }

/**
 * A registered file of a user, opened while it streams; the stream must be read or cancelled. Nobody's permission is checked
 * and nothing is written down here: that is the caller's.
 * @throws AppError NOT_FOUND when there is none, or the user's key was destroyed
 */
export async function openFile(ctx: Context, fileId: string, userId: string): Promise<OpenFile> {
  const [file, userKey] = await Promise.all([
    findFile(ctx.db, { id: fileId, userId }),
    openUserKey(ctx, userId),
  ])
  if (!file || !userKey) throw new AppError('NOT_FOUND')
  const key = Buffer.from(unseal(userKey, bindings.fileKey(file.id), file.wrappedKey), 'base64url')
  const sealed = await ctx.storage.get(file.storageKey)
  if (!sealed) throw new Error(`The storage has no bytes of file ${file.id}.`)
  return {
    contentType: file.contentType,
    byteSize: file.byteSize,
    stream: await begunStream(openStream(key, file.id, sealed)),
  }
}
