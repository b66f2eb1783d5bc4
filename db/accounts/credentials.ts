import type { Db } from '../engine/client.ts'

/** A user's credentials by the blind index of the email address. */
export async function findCredentials(db: Db, emailHash: string) {
  const row = await db
    .selectFrom('users')
    .select(['id', 'passwordHash', 'totpConfirmedAt', 'suspendedAt'])
    .where('emailHash', '=', emailHash)
    .executeTakeFirst()
  return row ?? null
}

/** The user linked to an identity, by the blind index of issuer and subject. */
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

/**
 * Links an account to an identity. Null when there is no account with this address or it is linked
 * to another identity, unless the address was never confirmed: then the other identity may be that
 * of a stranger.
 */
export async function linkSubject(
  db: Db,
  { emailHash, subjectHash, now }: { emailHash: string; subjectHash: string; now: Date },
): Promise<{ id: string; emailConfirmedAt: Date | null; totpConfirmedAt: Date | null } | null> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ oidcSubjectHash: subjectHash, updatedAt: now })
    .where('emailHash', '=', emailHash)
    .where((row) => row.or([row('oidcSubjectHash', 'is', null), row('emailConfirmedAt', 'is', null)]))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return null
  const row = await db
    .selectFrom('users')
    .select(['id', 'emailConfirmedAt', 'totpConfirmedAt'])
    .where('oidcSubjectHash', '=', subjectHash)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Removes an account's password and second factor, sets its identity, and confirms its address.
 * Returns whether the second factor was on.
 */
export async function replaceCredentials(
  db: Db,
  { id, subjectHash, now }: { id: string; subjectHash: string | null; now: Date },
): Promise<boolean> {
  const before = await db
    .selectFrom('users')
    .select('totpConfirmedAt')
    .where('id', '=', id)
    .executeTakeFirst()
  await db
    .updateTable('users')
    .set({
      passwordHash: null,
      oidcSubjectHash: subjectHash,
      sealedTotpSecret: null,
      totpStartedAt: null,
      totpConfirmedAt: null,
      totpLastStep: null,
      emailConfirmedAt: now,
      updatedAt: now,
    })
    .where('id', '=', id)
    .execute()
  await db.deleteFrom('recoveryCodes').where('userId', '=', id).execute()
  return (before?.totpConfirmedAt ?? null) !== null
}

export async function updatePassword(
  db: Db,
  { id, passwordHash, now }: { id: string; passwordHash: string; now: Date },
): Promise<void> {
  await db.updateTable('users').set({ passwordHash, updatedAt: now }).where('id', '=', id).execute()
}

/** A user's password hash; null when an identity provider signs them in or the user was deleted. */
export async function findPasswordHash(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('passwordHash').where('id', '=', id).executeTakeFirst()
  return row?.passwordHash ?? null
}

/** The security fields of an account; null when the user was deleted. */
export async function findSecurityFields(db: Db, id: string) {
  const row = await db
    .selectFrom('users')
    .select(['passwordHash', 'emailConfirmedAt', 'sealedTotpSecret', 'totpStartedAt', 'totpConfirmedAt'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}
