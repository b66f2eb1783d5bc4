import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export async function insertSession(db: Db, session: Schema['sessions']): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

const sessionWithUser = prepareQuery((db, p: Params<{ tokenHash: string; now: Date }>) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .innerJoin('userKeys', 'userKeys.userId', 'sessions.userId')
    .select([
      'sessions.id as sessionId',
      'sessions.lastSeenAt',
      'sessions.factorVerifiedAt',
      'users.id',
      'users.roles',
      'users.sealedEmail',
      'users.sealedName',
      'users.totpConfirmedAt',
      'userKeys.wrappedKey',
    ])
    .where('sessions.tokenHash', '=', p.tokenHash)
    .where('sessions.expiresAt', '>', p.now)
    .where('users.suspendedAt', 'is', null),
)

export type SessionRow = Awaited<ReturnType<typeof sessionWithUser>>[number]

/** The session of a token hash with its user, unless it has expired or the user is suspended. */
export async function findSession(
  db: Db,
  values: { tokenHash: string; now: Date },
): Promise<SessionRow | null> {
  const [row] = await sessionWithUser(db, values)
  return row ?? null
}

export async function touchSession(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await db.updateTable('sessions').set({ lastSeenAt: now }).where('id', '=', id).execute()
}

/** Records that a session gave a code of the second factor. */
export async function markFactorVerified(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await db.updateTable('sessions').set({ factorVerifiedAt: now }).where('id', '=', id).execute()
}

/** When a session last gave a code of the second factor; null for never. */
export async function findFactorVerifiedAt(db: Db, id: string): Promise<Date | null> {
  const row = await db
    .selectFrom('sessions')
    .select('factorVerifiedAt')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.factorVerifiedAt ?? null
}

/** Deletes a user's session; false when it does not exist or is not theirs. */
export async function deleteSession(
  db: Db,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** A user's unexpired sessions used since `usedSince`, the most recently used first. */
export const listSessions = (
  db: Db,
  { userId, now, usedSince }: { userId: string; now: Date; usedSince: Date },
) =>
  db
    .selectFrom('sessions')
    .select(['id', 'sealedDevice', 'createdAt', 'lastSeenAt'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .where('lastSeenAt', '>=', usedSince)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** Deletes expired sessions. */
export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expiresAt', '<=', now).execute()
}

/** Deletes a user's sessions, except the given one. */
export async function deleteUserSessions(
  db: Db,
  { userId, exceptSessionId }: { userId: string; exceptSessionId?: string | undefined },
): Promise<void> {
  let query = db.deleteFrom('sessions').where('userId', '=', userId)
  if (exceptSessionId !== undefined) query = query.where('id', '!=', exceptSessionId)
  await query.execute()
}
