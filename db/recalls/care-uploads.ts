import type { Selectable } from 'kysely'
import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export type CareUploadRow = Selectable<Schema['careUploads']>

export async function insertCareUpload(db: Db, upload: CareUploadRow): Promise<void> {
  await db.insertInto('careUploads').values(upload).execute()
}

export async function findCareUpload(db: Db, id: string): Promise<CareUploadRow | null> {
  return (await db.selectFrom('careUploads').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** Removes an upload. Returns false when it was imported or discarded before. */
export async function deleteCareUpload(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('careUploads').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Removes uploads that were never imported. */
export async function deleteOldUploads(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('careUploads').where('createdAt', '<', before).execute()
}
