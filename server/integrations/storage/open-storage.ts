import type { Env } from '../../env.ts'
import { openLocalStorage } from './local.ts'
import type { Storage } from './storage.ts'

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
