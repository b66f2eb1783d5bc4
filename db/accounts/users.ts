import type { Insertable } from 'kysely'
import { engineOf, prepared, type Db, type Params } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'
import { isUniqueViolation } from '../engine/sql.ts'

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

/** Who is known to the identity provider by the blind index of issuer and subject. */
export async function findUserBySubject(
  db: Db,
  subjectHash: string,
): Promise<{ id: string; totpConfirmedAt: Date | null } | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'totpConfirmedAt'])
    .where('oidcSubjectHash', '=', subjectHash)
    .executeTakeFirst()
  return row ?? null
}

/** Ties an account to the provider's subject, unless it is another's there. Null when there was none to tie. */
export async function linkSubject(
  db: Db,
  { emailHash, subjectHash, now }: { emailHash: string; subjectHash: string; now: Date },
): Promise<{ id: string; emailConfirmedAt: Date | null; totpConfirmedAt: Date | null } | null> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ oidcSubjectHash: subjectHash, updatedAt: now })
    .where('emailHash', '=', emailHash)
    .where('oidcSubjectHash', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return null
  const row = await db
    .selectFrom('users')
    .select(['id', 'emailConfirmedAt', 'totpConfirmedAt'])
    .where('oidcSubjectHash', '=', subjectHash)
    .executeTakeFirst()
  return row ?? null
}

/** Leaves an account without a way in but the identity provider: no password, no second factor; its address is confirmed. */
export async function dropOwnCredentials(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await db
    .updateTable('users')
    .set({
      passwordHash: null,
      sealedTotpSecret: null,
      totpConfirmedAt: null,
      totpLastStep: null,
      emailConfirmedAt: now,
      updatedAt: now,
    })
    .where('id', '=', id)
    .execute()
  await db.deleteFrom('recoveryCodes').where('userId', '=', id).execute()
}

/** A user's e-mail address as it stands in the row; null when the user is gone. */
export async function findSealedEmail(
  db: Db,
  id: string,
): Promise<{ id: string; sealedEmail: string } | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'sealedEmail'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function updatePassword(
  db: Db,
  { id, passwordHash, now }: { id: string; passwordHash: string; now: Date },
): Promise<void> {
  await db.updateTable('users').set({ passwordHash, updatedAt: now }).where('id', '=', id).execute()
}

/** Notes that mail to a user's address reaches them; the first time counts. */
export async function markEmailConfirmed(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await db
    .updateTable('users')
    .set({ emailConfirmedAt: now, updatedAt: now })
    .where('id', '=', id)
    .where('emailConfirmedAt', 'is', null)
    .execute()
}

const lock = prepared((db, p: Params<{ id: string }>) => {
  const row = db.selectFrom('users').select('id').where('id', '=', p.id)
  // SQLite has one writer. In Postgres a row of another table that names this user has locked its key already, and of two that
  // both have, neither would get the whole row.
  return engineOf(db) === 'postgres' ? row.forNoKeyUpdate() : row
})

/** Takes a user's row for this transaction, so that what is done for the same user follows. False when the user is gone. */
export const lockUser = async (db: Db, id: string): Promise<boolean> => (await lock(db, { id })).length > 0

const profileRow = prepared((db, p: Params<{ id: string }>) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'isAdmin',
      'sealedEmail',
      'sealedName',
      'sealedProfile',
      'idDocumentFileId',
      'version',
      'createdAt',
    ])
    .where('id', '=', p.id),
)

export type ProfileRow = Awaited<ReturnType<typeof profileRow>>[number]

/** What is kept of a person, sealed; null when there is no such user. */
export async function findProfile(db: Db, id: string): Promise<ProfileRow | null> {
  const [row] = await profileRow(db, { id })
  return row ?? null
}

type SavedProfile = Pick<
  Schema['users'],
  'id' | 'sealedName' | 'sealedProfile' | 'cellPhoneHash' | 'updatedAt'
>

/** Saves what was said of a person, in the transaction that took the row. */
export async function saveProfile(db: Db, { id, ...profile }: SavedProfile): Promise<void> {
  await db
    .updateTable('users')
    .set((row) => ({ ...profile, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** The file of a user's ID document, or null when none is on file. */
export async function findIdDocument(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('idDocumentFileId').where('id', '=', id).executeTakeFirst()
  return row?.idDocumentFileId ?? null
}

/** A user's password as it is kept; null where an identity provider signs in, or the user is gone. */
export async function findPasswordHash(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('passwordHash').where('id', '=', id).executeTakeFirst()
  return row?.passwordHash ?? null
}

/** Gives a user another e-mail address, confirmed now; false when it is somebody's, and then the transaction is to be given up. */
export async function changeEmail(
  db: Db,
  { id, emailHash, sealedEmail, now }: { id: string; emailHash: string; sealedEmail: string; now: Date },
): Promise<boolean> {
  try {
    const { numUpdatedRows } = await db
      .updateTable('users')
      .set({ emailHash, sealedEmail, emailConfirmedAt: now, updatedAt: now })
      .where('id', '=', id)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

/** How an account is guarded, for its own user; null when the user is gone. */
export async function findGuards(db: Db, id: string) {
  const row = await db
    .selectFrom('users')
    .select(['passwordHash', 'emailConfirmedAt', 'sealedTotpSecret', 'totpConfirmedAt'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Makes a user an admin, or no longer one; false when that is what they are, or they are gone. */
export async function setAdmin(db: Db, id: string, isAdmin = true): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set((row) => ({ isAdmin, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .where('isAdmin', '<>', isAdmin)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Whether a user is an admin; null when the user is gone. */
export async function findRole(db: Db, id: string): Promise<{ isAdmin: boolean } | null> {
  const row = await db.selectFrom('users').select('isAdmin').where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** The next `limit` users by id after one, each with the key that opens what is sealed; `''` starts at the first. */
export const listUserNames = (db: Db, { after, limit }: { after: string; limit: number }) =>
  db
    .selectFrom('users')
    .innerJoin('userKeys', 'userKeys.userId', 'users.id')
    .select([
      'users.id',
      'users.isAdmin',
      'users.sealedEmail',
      'users.sealedName',
      'users.createdAt',
      'userKeys.wrappedKey',
    ])
    .where('users.id', '>', after)
    .orderBy('users.id')
    .limit(limit)
    .execute()

/** Names a user's ID document, in the transaction that took the row. */
export async function setIdDocument(
  db: Db,
  { id, fileId, now }: { id: string; fileId: string; now: Date },
): Promise<void> {
  await db
    .updateTable('users')
    .set((row) => ({ idDocumentFileId: fileId, updatedAt: now, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Deletes a user and what hangs on the row: sessions, tokens, prescriptions, saved addresses, the cart. */
export async function deleteUser(db: Db, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute()
}
