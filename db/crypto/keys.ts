import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

/** Stores a key of the shop, if it does not exist yet. */
export async function insertShopKey(db: Db, key: Schema['shopKeys']): Promise<void> {
  await db
    .insertInto('shopKeys')
    .values(key)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** The wrapped key, or null when it does not exist yet. */
export async function findShopKey(db: Db, id: Schema['shopKeys']['id']): Promise<string | null> {
  const row = await db.selectFrom('shopKeys').select('wrappedKey').where('id', '=', id).executeTakeFirst()
  return row?.wrappedKey ?? null
}

/** The wrapped key. Throws when it does not exist. */
export async function getShopKey(db: Db, id: Schema['shopKeys']['id']): Promise<string> {
  const wrappedKey = await findShopKey(db, id)
  if (wrappedKey === null) throw new Error(`shop_keys has no key ${JSON.stringify(id)}.`)
  return wrappedKey
}

export async function insertUserKey(db: Db, key: Schema['userKeys']): Promise<void> {
  await db.insertInto('userKeys').values(key).execute()
}

/** A user's wrapped key, or null once it was destroyed. */
export async function findUserKey(db: Db, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('userKeys')
    .select('wrappedKey')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.wrappedKey ?? null
}

/** Destroys a user's key, and with it everything it sealed. */
export async function deleteUserKey(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('userKeys').where('userId', '=', userId).execute()
}
