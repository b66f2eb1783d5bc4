import type { Db } from '../engine/client.ts'

/** Every browser that a user is signed in with, the newest first. */
export const listAllSessions = (db: Db, userId: string) =>
  db
    .selectFrom('sessions')
    .select(['id', 'sealedDevice', 'createdAt', 'lastSeenAt', 'expiresAt'])
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .execute()
