import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'
import { roleCondition } from './user-rows.ts'

export type PharmacistLicenseRow = Schema['pharmacistLicenses']
type LicenseFields = Pick<PharmacistLicenseRow, 'number' | 'jurisdiction'>

/** A user's license; null when none is recorded. */
export async function findPharmacistLicense(db: Db, userId: string): Promise<PharmacistLicenseRow | null> {
  const row = await db
    .selectFrom('pharmacistLicenses')
    .selectAll()
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Records a license in place of this one, or as the first. False when another one is recorded by
 * now.
 */
export async function replacePharmacistLicense(
  db: Db,
  license: PharmacistLicenseRow,
  before: LicenseFields | null,
): Promise<boolean> {
  if (before === null) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('pharmacistLicenses')
      .values(license)
      .onConflict((conflict) => conflict.column('userId').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  }
  const { userId, ...fields } = license
  const { numUpdatedRows } = await db
    .updateTable('pharmacistLicenses')
    .set(fields)
    .where('userId', '=', userId)
    .where('number', '=', before.number)
    .where('jurisdiction', '=', before.jurisdiction)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Removes a license. False when the user has none. */
export async function deletePharmacistLicense(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('pharmacistLicenses')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** The pharmacists who have a license and can sign in. */
export async function listLicensedPharmacists(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .innerJoin('pharmacistLicenses', 'pharmacistLicenses.userId', 'users.id')
    .select('users.id')
    .where(roleCondition('pharmacist'))
    .where('users.suspendedAt', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

export const countLicensedPharmacists = async (db: Db): Promise<number> =>
  (await listLicensedPharmacists(db)).length
