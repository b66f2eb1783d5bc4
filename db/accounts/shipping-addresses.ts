import { prepareQuery, type Db, type Params } from '../engine/client.ts'

/** A user's saved addresses, sealed: the default first, then the newest. */
export const listAddresses = (db: Db, userId: string) =>
  db
    .selectFrom('shippingAddresses')
    .select(['id', 'addressType', 'sealedAddress', 'isDefault'])
    .where('userId', '=', userId)
    .orderBy('isDefault', 'desc')
    .orderBy('id', 'desc')
    .execute()

const defaultHash = prepareQuery((db, p: Params<{ userId: string }>) =>
  db
    .selectFrom('shippingAddresses')
    .select('addressHash')
    .where('userId', '=', p.userId)
    .where('isDefault', '=', true),
)

/** The blind index of a user's default address, or null. */
export async function findDefaultAddressHash(db: Db, userId: string): Promise<string | null> {
  const [row] = await defaultHash(db, { userId })
  return row?.addressHash ?? null
}

/** Saves an address as the default; an address that is already saved becomes the default. */
export async function saveDefaultAddress(
  db: Db,
  address: { id: string; userId: string; addressHash: string; sealedAddress: string; now: Date },
): Promise<void> {
  await db
    .updateTable('shippingAddresses')
    .set({ isDefault: false })
    .where('userId', '=', address.userId)
    .where('isDefault', '=', true)
    .execute()
  await db
    .insertInto('shippingAddresses')
    .values({
      id: address.id,
      userId: address.userId,
      addressType: 'shipping',
      addressHash: address.addressHash,
      sealedAddress: address.sealedAddress,
      isDefault: true,
      createdAt: address.now,
    })
    .onConflict((conflict) => conflict.columns(['userId', 'addressHash']).doUpdateSet({ isDefault: true }))
    .execute()
}
