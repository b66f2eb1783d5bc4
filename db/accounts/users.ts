import { formatRoles, parseRoles, type Role } from '#domain/accounts/permissions.ts'
import { sql, type Insertable } from 'kysely'
import { getEngine, prepareQuery, type Db, type Params } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'
import { isUniqueViolation } from '../engine/sql.ts'
import { roleCondition } from './user-rows.ts'

/** Inserts a user. Returns false when the email address is taken. */
export async function insertUser(db: Db, user: Insertable<Schema['users']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('emailHash').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** A user's sealed email address; null when the user was deleted. */
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

/** Marks a user's address as confirmed, if it is not yet. */
export async function markEmailConfirmed(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await db
    .updateTable('users')
    .set({ emailConfirmedAt: now, updatedAt: now })
    .where('id', '=', id)
    .where('emailConfirmedAt', 'is', null)
    .execute()
}

const lock = prepareQuery((db, p: Params<{ id: string }>) => {
  const row = db.selectFrom('users').select('id').where('id', '=', p.id)
  // SQLite has one writer. In Postgres a row of another table that references this user has already
  // locked its key. If two transactions both had that lock, neither could lock the whole row.
  return getEngine(db) === 'postgres' ? row.forNoKeyUpdate() : row
})

/** Locks a user's row until this transaction ends. False when the user was deleted. */
export const lockUser = async (db: Db, id: string): Promise<boolean> => (await lock(db, { id })).length > 0

/**
 * Waits for transactions that are adding rows of this user, such as an order, and keeps new ones
 * away until this transaction ends.
 */
export async function lockUserToDelete(db: Db, id: string): Promise<void> {
  const row = db.selectFrom('users').select('id').where('id', '=', id)
  await (getEngine(db) === 'postgres' ? row.forUpdate() : row).execute()
}

const profileRow = prepareQuery((db, p: Params<{ id: string }>) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'roles',
      'sealedEmail',
      'sealedName',
      'sealedProfile',
      'idDocumentFileId',
      'suspendedAt',
      'version',
      'createdAt',
    ])
    .where('id', '=', p.id),
)

export type ProfileRow = Awaited<ReturnType<typeof profileRow>>[number]

/** A user's sealed profile row; null when there is no such user. */
export async function findProfile(db: Db, id: string): Promise<ProfileRow | null> {
  const [row] = await profileRow(db, { id })
  return row ?? null
}

type SavedProfile = Pick<
  Schema['users'],
  'id' | 'sealedName' | 'sealedProfile' | 'cellPhoneHash' | 'updatedAt'
>

/** Saves a user's profile, in the transaction that locked the row. */
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

/**
 * Changes a user's email address and marks it confirmed. False when the address is taken; then roll
 * the transaction back.
 */
export async function updateEmail(
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

/** Saves a user's roles, in the transaction that locked the row. */
export async function saveRoles(db: Db, id: string, roles: readonly Role[]): Promise<void> {
  await db
    .updateTable('users')
    .set((row) => ({ roles: formatRoles(roles), version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Whether an admin has suspended this account. */
export async function isSuspended(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('suspendedAt').where('id', '=', id).executeTakeFirst()
  return row?.suspendedAt != null
}

/** Suspends or restores an account; false when nothing changed. */
export async function setSuspended(db: Db, id: string, suspendedAt: Date | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set((row) => ({ suspendedAt, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .where('suspendedAt', suspendedAt === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Whether an admin other than this user can sign in. */
export async function hasOtherActiveAdmin(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where(roleCondition('admins'))
    .where('suspendedAt', 'is', null)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The admins who can sign in. */
export async function listActiveAdminIds(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(roleCondition('admins'))
    .where('suspendedAt', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The accounts with a role, in no order, each with the key that opens it. */
export const listStaffRows = (db: Db) =>
  db
    .selectFrom('users')
    .innerJoin('userKeys', 'userKeys.userId', 'users.id')
    .select(['users.id', 'users.sealedEmail', 'users.sealedName', 'userKeys.wrappedKey'])
    // The literal is the condition of the index (migration 0070).
    .where('users.roles', '!=', sql.lit(''))
    .execute()

/** A user's roles; null when the user was deleted. */
export async function findRoles(db: Db, id: string): Promise<Role[] | null> {
  const row = await db.selectFrom('users').select('roles').where('id', '=', id).executeTakeFirst()
  return row ? parseRoles(row.roles) : null
}

/**
 * The next `limit` users after an id, each with the key that opens it; `''` starts at the first.
 */
export const listUserNames = (db: Db, { after, limit }: { after: string; limit: number }) =>
  db
    .selectFrom('users')
    .innerJoin('userKeys', 'userKeys.userId', 'users.id')
    .select([
      'users.id',
      'users.roles',
      'users.sealedEmail',
      'users.sealedName',
      'users.createdAt',
      'userKeys.wrappedKey',
    ])
    .where('users.id', '>', after)
    .orderBy('users.id')
    .limit(limit)
    .execute()

/** Sets a user's ID document, in the transaction that locked the row. */
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

/**
 * Deletes a user and all rows that reference it: sessions, tokens, prescriptions, saved addresses,
 * the cart.
 */
export async function deleteUser(db: Db, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute()
}
