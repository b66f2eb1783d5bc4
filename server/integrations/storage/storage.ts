/**
 * The port to the file storage: customers' files are sealed, product pictures are not. Keys are our
 * ids. A put is atomic: the whole file or nothing.
 */
export type Storage = {
  /**
   * Stores the bytes durably. Throws errors of the stream and the storage, and then stores nothing.
   */
  put: (key: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>
  /** The stored bytes, or null. A reader that stops early must end the iteration. */
  get: (key: string) => Promise<AsyncIterable<Uint8Array> | null>
  /** Deletes a file. Deleting a missing file is not an error. */
  delete: (key: string) => Promise<void>
  /** Deletes leftovers of failed puts from before this time. */
  deleteLeftovers: (before: Date) => Promise<void>
}

const keyPattern = /^[\w-]{8,64}$/

/** Throws unless the key is a safe file name. Keys are our ids, so any other key is a bug. */
export function checkKey(key: string): void {
  if (!keyPattern.test(key)) throw new Error('A storage key must be an id.')
}

/** Whether a file is in the storage. Reads no more than its first chunk. */
export async function isInStorage(storage: Storage, key: string): Promise<boolean> {
  const bytes = await storage.get(key)
  if (bytes === null) return false
  for await (const _ of bytes) break
  return true
}

/** For processes without files, such as commands. Using it is a bug. */
export const closedStorage: Storage = {
  put: () => Promise.reject(new Error('This process has no storage.')),
  get: () => Promise.reject(new Error('This process has no storage.')),
  delete: () => Promise.reject(new Error('This process has no storage.')),
  deleteLeftovers: () => Promise.reject(new Error('This process has no storage.')),
}
