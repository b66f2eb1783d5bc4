/**
 * Keys of the shop, wrapped by the master key: the key of the blind indexes, and the retention key,
 * which wraps the keys of dispensing records.
 */
export type ShopKeysTable = { id: 'index' | 'retention'; wrappedKey: string; createdAt: Date }

/** A user's key, wrapped by the master key. Deleting it destroys everything sealed for the user. */
export type UserKeysTable = { userId: string; wrappedKey: string; createdAt: Date }

/** A deletion whose bytes the database's files may still contain, until the job has erased them. */
export type ErasuresTable = { id: string; createdAt: Date }
