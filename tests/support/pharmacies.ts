import type { Db } from '#db/engine/client.ts'
import { newId } from '#domain/ids.ts'
import { testDay } from '#tests/support/catalog.ts'

/** An active partner pharmacy. Returns its id. */
export async function addPharmacy(
  db: Db,
  { country, shipsTo }: { country: string; shipsTo: readonly string[] },
): Promise<string> {
  const id = newId()
  await db
    .insertInto('pharmacies')
    .values({
      id,
      name: `Pharmacy ${id}`,
      country,
      licenseNumber: 'TEST-1',
      licenseExpiry: '2030-01-01',
      shipsTo: JSON.stringify(shipsTo),
      active: true,
      createdAt: testDay,
      updatedAt: testDay,
    })
    .execute()
  return id
}
