import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

type KnownDevice = Schema['knownDevices']

/** The newest device of a user among these tokens, or null. */
export async function findKnownDevice(
  db: Db,
  { userId, tokenHashes, now }: { userId: string; tokenHashes: readonly string[]; now: Date },
): Promise<Pick<KnownDevice, 'tokenHash' | 'hasGivenFactor'> | null> {
  if (tokenHashes.length === 0) return null
  const row = await db
    .selectFrom('knownDevices')
    .select(['tokenHash', 'hasGivenFactor'])
    .where('tokenHash', 'in', tokenHashes)
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .executeTakeFirst()
  return row ?? null
}

/** Adds a user's device instead of `replaces`, and keeps the newest `limit` of them. */
export async function saveKnownDevice(
  db: Db,
  device: KnownDevice,
  { replaces, limit }: { replaces: string | null; limit: number },
): Promise<void> {
  if (replaces !== null) await db.deleteFrom('knownDevices').where('tokenHash', '=', replaces).execute()
  await db.insertInto('knownDevices').values(device).execute()
  await db
    .deleteFrom('knownDevices')
    .where('userId', '=', device.userId)
    .where('tokenHash', 'not in', (query) =>
      query
        .selectFrom('knownDevices')
        .select('tokenHash')
        .where('userId', '=', device.userId)
        .orderBy('createdAt', 'desc')
        .orderBy('tokenHash')
        .limit(limit),
    )
    .execute()
}

/** Deletes a user's devices. */
export async function deleteKnownDevices(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('knownDevices').where('userId', '=', userId).execute()
}

export async function deleteExpiredDevices(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('knownDevices').where('expiresAt', '<=', now).execute()
}
