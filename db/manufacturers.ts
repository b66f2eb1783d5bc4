import { fold } from '#domain/text.ts'
import type { Db } from './client.ts'

export type ManufacturerName = { id: string; name: string }

/** The first names in order; without a limit all of them. */
export async function listManufacturerNames(db: Db, limit?: number): Promise<ManufacturerName[]> {
  const query = db.selectFrom('manufacturers').select(['id', 'name']).orderBy('nameKey')
  return (limit === undefined ? query : query.limit(limit)).execute()
}

/** Makers of which a word of the name begins with what was typed, in order. */
export async function findManufacturers(db: Db, typed: string, limit: number): Promise<ManufacturerName[]> {
  const key = fold(typed).slice(0, 100)
  if (key === '') return []
  return db
    .selectFrom('manufacturers')
    .select(['id', 'name'])
    .where((eb) => eb.or([eb('nameKey', 'like', `${key}%`), eb('nameKey', 'like', `% ${key}%`)]))
    .orderBy('nameKey')
    .limit(limit)
    .execute()
}

export async function findManufacturerName(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom('manufacturers').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name ?? null
}
