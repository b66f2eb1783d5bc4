import { findFile } from '#db/files/files.ts'
import { AppError } from '#domain/errors.ts'
import type { FileType } from '#domain/files/files.ts'
import { Readable } from 'node:stream'
import { openUserKey } from '../crypto/user-key.ts'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import { unseal } from '../crypto/sealing.ts'
import { cleanStream, fileRules, type CleanedFile } from './clean-stream.ts'
import type { DetachedFile } from './detach-file.ts'
import { limitInspections } from './limit-inspections.ts'
import { startStream } from './start-stream.ts'
import { openStream } from '../crypto/seal-stream.ts'

export type OpenedFile = { contentType: FileType; byteSize: number; stream: Readable }

/**
 * A user's registered file for display, decrypted while it streams; read or cancel the stream.
 * Permissions and the audit row are the caller's responsibility. A picture from before uploads lost
 * their metadata loses it here.
 * @throws AppError NOT_FOUND when there is none, or the user's key was destroyed; UNSUPPORTED_TYPE
 * when an earlier picture would not be accepted today
 */
export async function openFile(ctx: Context, fileId: string, userId: string): Promise<OpenedFile> {
  const file = await findWithKey(ctx, fileId, userId)
  const opened = await openOriginal(ctx, file)
  return file.inspectedAt === null ? withoutMetadata(opened) : opened
}

/** The same as it was stored, for its owner's download of everything. */
export const openOriginalFile = async (ctx: Context, fileId: string, userId: string): Promise<OpenedFile> =>
  openOriginal(ctx, await findWithKey(ctx, fileId, userId))

/** A file for display whose own key the caller has. It may be an earlier one. */
export const openWithKey = async (ctx: Pick<Context, 'storage'>, file: DetachedFile): Promise<OpenedFile> =>
  withoutMetadata(await openOriginal(ctx, file))

async function findWithKey(
  ctx: Context,
  fileId: string,
  userId: string,
): Promise<DetachedFile & { inspectedAt: Date | null }> {
  const [file, userKey] = await Promise.all([
    findFile(ctx.db, { id: fileId, userId }),
    openUserKey(ctx, userId),
  ])
  if (!file || !userKey) throw new AppError('NOT_FOUND')
  return { ...file, key: unseal(userKey, bindings.fileKey(file.id), file.wrappedKey) }
}

async function openOriginal(
  { storage }: Pick<Context, 'storage'>,
  { id, storageKey, contentType, byteSize, key }: DetachedFile,
): Promise<OpenedFile> {
  const sealed = await storage.get(storageKey)
  if (!sealed) throw new Error(`Storage has no bytes for file ${id}.`)
  const opened = openStream(Buffer.from(key, 'base64url'), id, sealed)
  return { contentType, byteSize, stream: await startStream(opened) }
}

/** Reads a picture into memory, because its size without metadata is known only then. */
async function withoutMetadata(file: OpenedFile): Promise<OpenedFile> {
  if (file.contentType === 'application/pdf') return file
  return limitInspections(async () => {
    const chunks: Uint8Array[] = []
    const cleaned: CleanedFile = { byteSize: 0, contentType: null }
    for await (const chunk of cleanStream(file.stream, fileRules, cleaned)) chunks.push(chunk)
    return { ...file, byteSize: cleaned.byteSize, stream: await startStream(Readable.from(chunks)) }
  })
}
