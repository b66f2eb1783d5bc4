import { fold } from '#domain/text.ts'
import type { Db } from './client.ts'

export type ManufacturerName = { id: string; name: string }

/** Names in order, from the one after `after`; `limit` null means all. */
export async function listManufacturerNames(
  db: Db,
  { after, limit }: { after: string | null; limit: number | null },
): Promise<ManufacturerName[]> {
  let query = db.selectFrom('manufacturers').select(['id', 'name']).orderBy('nameKey')
  if (after !== null) {
    query = query.where('nameKey', '>', (eb) =>
      eb.selectFrom('manufacturers').select('nameKey').where('id', '=', after),
    )
  }
  if (limit !== null) query = query.limit(limit)
  return query.execute()
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
