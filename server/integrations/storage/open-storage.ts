import { access, constants, mkdir } from 'node:fs/promises'
import type { Env } from '../../env.ts'
import { openLocalStorage } from './local.ts'
import type { Storage } from './storage.ts'

/**
 * Creates the folder of a local storage. Throws when files can't be written there, such as to a
 * read-only disk. Other storages are not contacted: the shop starts without them.
 */
export async function prepareStorage(storage: Env['storage']): Promise<void> {
  if (storage.kind !== 'local') return
  await mkdir(storage.path, { recursive: true, mode: 0o700 })
  await access(storage.path, constants.W_OK | constants.X_OK)
}

/** Opens the configured storage. */
export async function openStorage(storage: Env['storage']): Promise<Storage> {
  if (storage.kind === 'local') return openLocalStorage(storage.path)
  // Loaded only when needed, because each SDK is larger than the rest of the server.
  if (storage.kind === 's3') {
    const { openS3 } = await import('./s3.ts')
    return openS3(storage)
  }
  const { openUploadThing } = await import('./uploadthing.ts')
  return openUploadThing(storage.token)
}
