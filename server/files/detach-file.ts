import { findFile, markDetached } from '#db/files/files.ts'
import type { FileType } from '#domain/files/files.ts'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { unseal } from '../crypto/sealing.ts'

export type DetachedFile = {
  id: string
  storageKey: string
  contentType: FileType
  byteSize: number
  /** The file's own key in base64url, for the caller to seal. */
  key: string
}

/**
 * What opens a user's file without the user's key. Null when the file does not open, which must not
 * keep a customer from deleting their account.
 */
export async function readFileKey(
  ctx: Context,
  userKey: KeyRing,
  { id, userId }: { id: string; userId: string },
): Promise<DetachedFile | null> {
  const file = await findFile(ctx.db, { id, userId })
  if (!file) return null
  try {
    const key = unseal(userKey, bindings.fileKey(id), file.wrappedKey)
    const { storageKey, contentType, byteSize } = file
    return { id, storageKey, contentType, byteSize, key }
  } catch (error) {
    ctx.log.error({ err: error, fileId: id }, 'file not kept: its key could not be decrypted')
    return null
  }
}

/**
 * Detaches files from an account that is being deleted. The sweep leaves them alone while a record
 * names them.
 */
export const detachFiles = (ctx: Context, ids: readonly string[]): Promise<void> => markDetached(ctx.db, ids)
