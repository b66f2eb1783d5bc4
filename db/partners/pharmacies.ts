import type { GridPage } from '#domain/grid.ts'
import type { NewPharmacy, Pharmacy, PharmacyQuery, PharmacyRow } from '#domain/partners/pharmacy-fields.ts'
import { fold } from '#domain/text.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { keysetPage } from '../engine/keyset.ts'
import { isOneOf } from '../engine/sql.ts'

/** The public part of a partner pharmacy. */
export type PharmacySummary = { id: string; name: string; country: string; licenseNumber: string }

export async function findPharmacy(db: Db, id: string): Promise<PharmacySummary | null> {
  const row = await db
    .selectFrom('pharmacies')
    .select(['id', 'name', 'country', 'licenseNumber'])
    .where('id', '=', id)
    .where('active', '=', true)
    .executeTakeFirst()
  return row ?? null
}

const columns = [
  'id',
  'name',
  'country',
  'licenseNumber',
  'licenseExpiry',
  'shipsTo',
  'active',
  'address',
  'phone',
] as const

const countries = z.array(z.string())

/** Parses the JSON column `ships_to`. */
const withCountries = <Row extends { shipsTo: unknown }>(row: Row): Row & { shipsTo: string[] } => ({
  ...row,
  shipsTo: countries.parse(row.shipsTo),
})

const allPharmacies = prepareQuery((db) =>
  db.selectFrom('pharmacies').select(columns).orderBy('name').orderBy('id'),
)

/** All pharmacies, by name. */
export const listPharmacies = async (db: Db): Promise<Pharmacy[]> =>
  (await allPharmacies(db, {})).map(withCountries)

const pharmaciesOf = prepareQuery((db, p: Params<{ productIds: string }>) =>
  db
    .selectFrom('products')
    .select(['id', 'pharmacyId'])
    .where(isOneOf(db, 'id', p.productIds)),
)

/** The pharmacy of each of these products; null for one without. */
export async function listProductPharmacies(
  db: Db,
  productIds: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await pharmaciesOf(db, { productIds: JSON.stringify(productIds) })
  return new Map(rows.map(({ id, pharmacyId }) => [id, pharmacyId]))
}

/**
 * The active pharmacies whose license expires on this day (YYYY-MM-DD) or before, earliest first.
 */
export const listPharmaciesExpiringBy = (db: Db, day: string) =>
  db
    .selectFrom('pharmacies')
    .select(['id', 'name', 'licenseExpiry'])
    .where('active', '=', true)
    .where('licenseExpiry', '<=', day)
    .orderBy('licenseExpiry')
    .orderBy('id')
    .execute()

const selectRows = (db: Db) =>
  db
    .selectFrom('pharmacies')
    .select([...columns, 'version'])
    .select(
      sql<number>`(select count(*) from products where pharmacy_id = pharmacies.id and deleted_at is null)`.as(
        'productCount',
      ),
    )

/** A pharmacy with its version and product count, or null. */
export async function findPharmacyRow(db: Db, id: string): Promise<PharmacyRow | null> {
  const row = await selectRows(db).where('pharmacies.id', '=', id).executeTakeFirst()
  return row ? withCountries(row) : null
}

const sortedBy = {
  name: sql<string>`lower(name)`,
  country: sql<string>`lower(country)`,
  expiry: sql<string>`license_expiry`,
}

/**
 * A page of the pharmacies whose name, country or license number contains the search text, ignoring
 * accents. It reads all of them: a shop has a few dozen.
 */
export async function listPharmacyRows(db: Db, query: PharmacyQuery): Promise<GridPage<PharmacyRow>> {
  const typed = fold(query.q)
  const all = await db.selectFrom('pharmacies').select(['id', 'name', 'country', 'licenseNumber']).execute()
  const ids = all
    .filter(({ name, country, licenseNumber }) => fold(`${name} ${country} ${licenseNumber}`).includes(typed))
    .map(({ id }) => id)
  const page = await keysetPage(
    selectRows(db).where(isOneOf(db, 'pharmacies.id', sql`${JSON.stringify(ids)}`)),
    { by: sortedBy[query.sort], id: sql`id` },
    query,
    Promise.resolve(ids.length),
  )
  return { ...page, rows: page.rows.map(withCountries) }
}

/** Returns false when a pharmacy with this id exists. */
export async function insertPharmacy(
  db: Db,
  { now, shipsTo, ...row }: NewPharmacy & { id: string; now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('pharmacies')
    .values({ ...row, shipsTo: JSON.stringify(shipsTo), createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Updates a pharmacy at this version. Returns false when the stored row has another version. */
export async function updatePharmacy(
  db: Db,
  {
    id,
    version,
    now,
    shipsTo,
    ...changes
  }: Partial<NewPharmacy> & { id: string; version: number; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('pharmacies')
    .set(({ eb }) => ({
      ...changes,
      ...(shipsTo && { shipsTo: JSON.stringify(shipsTo) }),
      version: eb('version', '+', 1),
      updatedAt: now,
    }))
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
