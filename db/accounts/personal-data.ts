import type { Db } from '../engine/client.ts'

/** All sessions of a user, the newest first. */
export const listAllSessions = (db: Db, userId: string) =>
  db
    .selectFrom('sessions')
    .select(['id', 'sealedDevice', 'createdAt', 'lastSeenAt', 'expiresAt'])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .execute()
