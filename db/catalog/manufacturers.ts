import type { GridPage } from '#domain/grid.ts'
import type {
  Manufacturer,
  ManufacturerQuery,
  ManufacturerRow,
  NewManufacturer,
} from '#domain/catalog/manufacturer-fields.ts'
import { fold } from '#domain/text.ts'
import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { keysetPage } from '../engine/keyset.ts'
import { isOneOf } from '../engine/sql.ts'

export type ManufacturerName = { id: string; name: string }

/** The first names in order. Without a limit, all of them. */
export async function listManufacturerNames(db: Db, limit?: number): Promise<ManufacturerName[]> {
  const query = db.selectFrom('manufacturers').select(['id', 'name']).orderBy('nameKey')
  return (limit === undefined ? query : query.limit(limit)).execute()
}

/**
 * Manufacturers with a name word that starts with the query: names that start with it first, then
 * by name.
 */
export async function findManufacturers(db: Db, query: string, limit: number): Promise<ManufacturerName[]> {
  const key = fold(query).slice(0, 100)
  if (key === '') return []
  return db
    .selectFrom('manufacturers')
    .select(['id', 'name'])
    .where((eb) => eb.or([eb('nameKey', 'like', `${key}%`), eb('nameKey', 'like', `% ${key}%`)]))
    .orderBy((eb) => eb.case().when('nameKey', 'like', `${key}%`).then(0).else(1).end())
    .orderBy('nameKey')
    .limit(limit)
    .execute()
}

export async function findManufacturerName(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom('manufacturers').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name ?? null
}

/** The names of these manufacturers by id. */
export async function findManufacturerNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('manufacturers')
    .select(['id', 'name'])
    .where(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const columns = ['id', 'name', 'streetAddress', 'city', 'stateProvince', 'country', 'postalCode'] as const

/** All manufacturers with their addresses, by name. */
export const listManufacturerDetails = (db: Db): Promise<Manufacturer[]> =>
  db.selectFrom('manufacturers').select(columns).orderBy('nameKey').execute()

/** A manufacturer as admins see it, or null. */
export async function findManufacturer(db: Db, id: string): Promise<ManufacturerRow | null> {
  const row = await rows(db).where('manufacturers.id', '=', id).executeTakeFirst()
  return row ?? null
}

const rows = (db: Db) =>
  db
    .selectFrom('manufacturers')
    .select([...columns, 'version'])
    .select(
      sql<number>`(select count(*) from product_variants where manufacturer_id = manufacturers.id and deleted_at is null)`.as(
        'variantCount',
      ),
    )

const sortedBy = {
  name: sql<string>`name_key`,
  country: sql<string>`coalesce(country, '')`,
}

/** A page of the manufacturers with a name word that starts with the query. */
export async function listManufacturerRows(
  db: Db,
  query: ManufacturerQuery,
): Promise<GridPage<ManufacturerRow>> {
  const key = fold(query.q).slice(0, 100)
  const isMatch = sql<boolean>`(name_key like ${`${key}%`} or name_key like ${`% ${key}%`})`
  const total = db
    .selectFrom('manufacturers')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .where(isMatch)
    .executeTakeFirstOrThrow()
  return keysetPage(
    rows(db).where(isMatch),
    { by: sortedBy[query.sort], id: sql`id` },
    query,
    total.then(({ count }) => count),
  )
}

/** Inserts a manufacturer. Returns false when the name is taken. */
export async function insertManufacturer(
  db: Db,
  { now, ...row }: NewManufacturer & { id: string; now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('manufacturers')
    .values({ ...row, nameKey: fold(row.name), createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Updates a manufacturer. Returns false when it has changed since `version`. Throws an error that
 * `isUniqueViolation` recognizes when another has the name.
 */
export async function updateManufacturer(
  db: Db,
  {
    id,
    version,
    now,
    ...changes
  }: Partial<NewManufacturer> & { id: string; version: number | undefined; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('manufacturers')
    .set(({ eb }) => ({
      ...changes,
      ...(changes.name !== undefined && { nameKey: fold(changes.name) }),
      version: eb('version', '+', 1),
      updatedAt: now,
    }))
    .where('id', '=', id)
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Deletes a manufacturer. Throws an error that `isForeignKeyViolation` recognizes while any variant
 * refers to it, deleted ones included.
 */
export async function deleteManufacturer(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('manufacturers').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Removes the manufacturer from deleted variants, so that it can be deleted. */
export async function clearFromDeletedVariants(db: Db, id: string): Promise<void> {
  await db
    .updateTable('productVariants')
    .set({ manufacturerId: null })
    .where('manufacturerId', '=', id)
    .where('deletedAt', 'is not', null)
    .execute()
}
