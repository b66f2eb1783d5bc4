import { findFile } from '#db/files/files.ts'
import { AppError } from '#domain/errors.ts'
import type { FileType } from '#domain/files/files.ts'
import type { Readable } from 'node:stream'
import { openUserKey } from '../crypto/user-key.ts'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import { unseal } from '../crypto/sealing.ts'
import type { DetachedFile } from './detach-file.ts'
import { startStream } from './start-stream.ts'
import { openStream } from '../crypto/seal-stream.ts'

export type OpenedFile = { contentType: FileType; byteSize: number; stream: Readable }

/**
 * A user's registered file, decrypted while it streams; read or cancel the stream. Permissions and
 * the audit row are the caller's responsibility.
 * @throws AppError NOT_FOUND when there is none, or the user's key was destroyed
 */
export async function openFile(ctx: Context, fileId: string, userId: string): Promise<OpenedFile> {
  const [file, userKey] = await Promise.all([
    findFile(ctx.db, { id: fileId, userId }),
    openUserKey(ctx, userId),
  ])
  if (!file || !userKey) throw new AppError('NOT_FOUND')
  return openWithKey(ctx, { ...file, key: unseal(userKey, bindings.fileKey(file.id), file.wrappedKey) })
}

/** The same for a file whose own key the caller has. */
export async function openWithKey(
  { storage }: Pick<Context, 'storage'>,
  { id, storageKey, contentType, byteSize, key }: DetachedFile,
): Promise<OpenedFile> {
  const sealed = await storage.get(storageKey)
  if (!sealed) throw new Error(`Storage has no bytes for file ${id}.`)
  const opened = openStream(Buffer.from(key, 'base64url'), id, sealed)
  return { contentType, byteSize, stream: await startStream(opened) }
}
