/** Keys of the shop that outlive a change of the master key, wrapped by it: now the one of the blind indexes. */
export type ShopKeysTable = { id: 'index'; wrappedKey: string; createdAt: Date }

/** A key for each user, wrapped by the master key. Without its row nothing that was sealed for the user opens again. */
export type UserKeysTable = { userId: string; wrappedKey: string; createdAt: Date }
