import type { Db } from './client.ts'

/** A user's saved addresses, sealed: the default first, then the newest. */
export const listAddresses = (db: Db, userId: string) =>
  db
    .selectFrom('shippingAddresses')
    .select(['id', 'addressType', 'sealedAddress', 'isDefault'])
    .where('userId', '=', userId)
    .orderBy('isDefault', 'desc')
    .orderBy('id', 'desc')
    .execute()
