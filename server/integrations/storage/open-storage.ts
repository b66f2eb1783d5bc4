import type { Env } from '../../env.ts'
import { openLocalStorage } from './local.ts'
import type { Storage } from './storage.ts'

/** Opens the configured storage. */
export async function openStorage(storage: Env['storage']): Promise<Storage> {
  if (storage.kind === 'local') return openLocalStorage(storage.path)
  // Loaded only when needed, because the SDK is larger than the rest of the server.
  const { openUploadThing } = await import('./uploadthing.ts')
  return openUploadThing(storage.token)
}
