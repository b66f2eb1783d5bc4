import type { Insertable } from 'kysely'
import { engineOf, type Db } from './client.ts'
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

/** Takes a user's row for this transaction, so that what is done for the same user follows. False when the user is gone. */
export async function lockUser(db: Db, id: string): Promise<boolean> {
  let query = db.selectFrom('users').select('id').where('id', '=', id)
  // SQLite has one writer.
  if (engineOf(db) === 'postgres') query = query.forUpdate()
  return (await query.executeTakeFirst()) !== undefined
}
