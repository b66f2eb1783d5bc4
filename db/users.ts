import type { Insertable } from 'kysely'
import type { Db } from './client.ts'
import type { Schema } from './schema/schema.ts'

/** Stores a user. Returns false when the e-mail address is another's already. */
export async function insertUser(db: Db, user: Insertable<Schema['users']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('emailHash').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** How somebody signs in, by the blind index of the e-mail address. */
export async function findCredentials(db: Db, emailHash: string) {
  const row = await db
    .selectFrom('users')
    .select(['id', 'passwordHash', 'totpConfirmedAt'])
    .where('emailHash', '=', emailHash)
    .executeTakeFirst()
  return row ?? null
}
