/**
 * The port to where bytes lie: customers' files sealed, products' pictures as they are. Keys are ids of ours; what is put under one is whole or not there, and nothing of what
 * was put before a failure stays.
 */
export type Storage = {
  /** Keeps the bytes durably. Throws what the stream throws, and what the storage says; nothing is kept then. */
  put: (key: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>
  /** The bytes as they were put, or null when there are none. Whoever stops reading early must end the iteration. */
  get: (key: string) => Promise<AsyncIterable<Uint8Array> | null>
  /** Deletes; deleting what is not there is no error. */
  delete: (key: string) => Promise<void>
  /** Deletes what broken puts left behind before this moment. */
  deleteLeftovers: (before: Date) => Promise<void>
}

const keyPattern = /^[\w-]{8,64}$/

/** Throws unless it can be a file's name anywhere; keys are ids of ours, so another is a mistake. */
export function checkKey(key: string): void {
  if (!keyPattern.test(key)) throw new Error('A storage key must be an id.')
}

/** For what works without files, such as a command: using it is a mistake. */
export const closedStorage: Storage = {
  put: () => Promise.reject(new Error('This process has no storage.')),
  get: () => Promise.reject(new Error('This process has no storage.')),
  delete: () => Promise.reject(new Error('This process has no storage.')),
  deleteLeftovers: () => Promise.reject(new Error('This process has no storage.')),
}
