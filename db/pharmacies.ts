import type { Db } from './client.ts'

/** A partner pharmacy as a customer sees it. */
export type PharmacySummary = { id: string; name: string; country: string; licenceNumber: string }

export async function findPharmacy(db: Db, id: string): Promise<PharmacySummary | null> {
  const row = await db
    .selectFrom('pharmacies')
    .select(['id', 'name', 'country', 'licenceNumber'])
    .where('id', '=', id)
    .where('active', '=', true)
    .executeTakeFirst()
  return row ?? null
}
