import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

type File = Schema['files']

export async function insertFile(db: Db, file: File): Promise<void> {
  await db.insertInto('files').values(file).execute()
}

/** A user's registered file; null when there is none or it was discarded. */
export async function findFile(db: Db, { id, userId }: Pick<File, 'id' | 'userId'>) {
  const row = await db
    .selectFrom('files')
    .select(['id', 'storageKey', 'wrappedKey', 'contentType', 'byteSize', 'inspectedAt', 'scannedAt'])
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('registeredAt', 'is not', null)
    .where('discardedAt', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** How many files a user has, and their bytes. Deleted ones do not count. */
export async function countFiles(db: Db, userId: string): Promise<{ count: number; bytes: number }> {
  return db
    .selectFrom('files')
    .select((eb) => [
      eb.cast<number>(eb.fn.countAll(), 'integer').as('count'),
      eb.cast<number>(eb.fn.coalesce(eb.fn.sum('byteSize'), eb.lit(0)), 'bigint').as('bytes'),
    ])
    .where('userId', '=', userId)
    .where('discardedAt', 'is', null)
    .executeTakeFirstOrThrow()
}

/** Whether a user's file is registered; null when there is no such file. */
export async function findRegistration(
  db: Db,
  { id, userId }: Pick<File, 'id' | 'userId'>,
): Promise<{ isRegistered: boolean } | null> {
  const row = await db
    .selectFrom('files')
    .select('registeredAt')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row ? { isRegistered: row.registeredAt !== null } : null
}

/** Registers a user's file. Of concurrent requests, one gets true. */
export async function markRegistered(
  db: Db,
  { id, userId, now }: Pick<File, 'id' | 'userId'> & { now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('files')
    .set({ registeredAt: now })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('registeredAt', 'is', null)
    .where('discardedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Discards a file; the sweep deletes it. */
export async function markDiscarded(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await db
    .updateTable('files')
    .set({ discardedAt: now })
    .where('id', '=', id)
    .where('discardedAt', 'is', null)
    .execute()
}

/** Discards all of a user's files. */
export async function markAllDiscarded(
  db: Db,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  await db
    .updateTable('files')
    .set({ discardedAt: now })
    .where('userId', '=', userId)
    .where('discardedAt', 'is', null)
    .execute()
}

/** Discards unregistered files created before this time. */
export async function discardUnregistered(
  db: Db,
  { before, now }: { before: Date; now: Date },
): Promise<void> {
  await db
    .updateTable('files')
    .set({ discardedAt: now })
    .where('registeredAt', 'is', null)
    .where('discardedAt', 'is', null)
    .where('createdAt', '<', before)
    .execute()
}

/** Detaches files from their user, who is being deleted. A record names them from now on. */
export async function markDetached(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.updateTable('files').set({ userId: '' }).where('id', 'in', ids).execute()
}

/** Discards files whose user was deleted, unless a dispensing record names them. */
export async function discardOrphaned(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('files')
    .set({ discardedAt: now })
    .where('discardedAt', 'is', null)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('users').select('users.id').whereRef('users.id', '=', 'files.userId'))),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('dispensingRecords')
            .select('orderId')
            .whereRef('dispensingRecords.storageKey', '=', 'files.storageKey'),
        ),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('recordFiles')
            .select('orderId')
            .whereRef('recordFiles.storageKey', '=', 'files.storageKey'),
        ),
      ),
    )
    .execute()
}

/** Discarded files that have not been deleted yet, by id. */
export const listDiscarded = (db: Db, { after, limit }: { after: string; limit: number }) =>
  db
    .selectFrom('files')
    .select(['id', 'storageKey'])
    .where('discardedAt', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export async function deleteFile(db: Db, id: string): Promise<void> {
  await db.deleteFrom('files').where('id', '=', id).execute()
}

/** The storage's names of the files that can still be opened, and of product pictures, by name. */
export async function listStorageKeys(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('files')
    .select('storageKey')
    .where('discardedAt', 'is', null)
    .where('storageKey', '>', after)
    .union(db.selectFrom('productPictures').select('storageKey').where('storageKey', '>', after))
    .orderBy('storageKey')
    .limit(limit)
    .execute()
  return rows.map(({ storageKey }) => storageKey)
}

/** Whether a file can still be opened, by its name in the storage. */
export async function isStored(db: Db, storageKey: string): Promise<boolean> {
  const rows = await db
    .selectFrom('files')
    .select('storageKey')
    .where('discardedAt', 'is', null)
    .where('storageKey', '=', storageKey)
    .union(db.selectFrom('productPictures').select('storageKey').where('storageKey', '=', storageKey))
    .execute()
  return rows.length > 0
}
