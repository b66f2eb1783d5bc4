import type { Env } from '../../env.ts'
import { openLocalStorage } from './local.ts'
import type { Storage } from './storage.ts'

/** Opens the storage of the environment. */
export async function openStorage(storage: Env['storage']): Promise<Storage> {
  return openLocalStorage(storage.kind === 'local' ? storage.path : '')
}
