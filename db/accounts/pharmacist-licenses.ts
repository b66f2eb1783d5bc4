import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export type PharmacistLicenseRow = Selectable<Schema['pharmacistLicenses']>

/** A user's recorded license, or null. */
export async function findPharmacistLicense(db: Db, userId: string): Promise<PharmacistLicenseRow | null> {
  const row = await db
    .selectFrom('pharmacistLicenses')
    .selectAll()
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** Records a license, or replaces the recorded one. */
export async function savePharmacistLicense(
  db: Db,
  row: Insertable<Schema['pharmacistLicenses']>,
): Promise<void> {
  const { userId: _, ...changes } = row
  await db
    .insertInto('pharmacistLicenses')
    .values(row)
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(changes))
    .execute()
}

/** Removes a license. Returns false when none was recorded. */
export async function deletePharmacistLicense(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('pharmacistLicenses')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
