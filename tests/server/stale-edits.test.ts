import type { Db } from '#db/engine/client.ts'
import {
  createManufacturer,
  deleteManufacturer,
  updateManufacturer,
} from '#server/catalog/save-manufacturer.ts'
import { createPharmacy, updatePharmacy } from '#server/partners/save-pharmacy.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'

const admin = signedIn('019a7c1e-0000-7000-8000-0000000000ad', { isAdmin: true })

/** What an edit is told that comes while somebody else's of the same row is not yet committed. */
async function toldTo(
  db: Db,
  { theirs, mine }: { theirs: (db: Db) => Promise<unknown>; mine: () => Promise<unknown> },
): Promise<unknown> {
  let told: Promise<unknown> = Promise.resolve()
  await db.transaction().execute(async (tx) => {
    await theirs(tx)
    told = mine().catch((error: unknown) => error)
    await sleep(200)
  })
  return told
}

eachEngine((_engine, openDb) => {
  test('of two edits at once the second is shown the first, not what both began with', async () => {
    const db = await openDb()
    const ctx = testContext(db, { user: admin })
    const maker = await createManufacturer(ctx, {
      name: 'Apotex',
      streetAddress: null,
      city: null,
      stateProvince: null,
      country: null,
      postalCode: null,
    })
    expect(
      await toldTo(db, {
        theirs: (tx) =>
          tx
            .updateTable('manufacturers')
            .set({ city: 'Toronto', version: maker.version + 1 })
            .execute(),
        mine: () => updateManufacturer(ctx, { id: maker.id, version: maker.version, city: 'Montreal' }),
      }),
    ).toMatchObject({ code: 'CONFLICT', current: { city: 'Toronto', version: maker.version + 1 } })
    const pharmacy = await createPharmacy(ctx, {
      name: 'Harbour Pharmacy',
      country: 'Canada',
      licenseNumber: 'HP-1',
      licenseExpiry: '2027-01-31',
      shipsTo: ['US'],
      active: true,
    })
    expect(
      await toldTo(db, {
        theirs: (tx) =>
          tx
            .updateTable('pharmacies')
            .set({ active: false, version: pharmacy.version + 1 })
            .execute(),
        mine: () =>
          updatePharmacy(ctx, { id: pharmacy.id, version: pharmacy.version, name: 'Harbor Pharmacy' }),
      }),
    ).toMatchObject({ code: 'CONFLICT', current: { active: false, version: pharmacy.version + 1 } })
  })

  test('of several who delete a manufacturer at once one has done it', async () => {
    const db = await openDb()
    const ctx = testContext(db, { user: admin })
    for (let round = 0; round < 5; round++) {
      const { id } = await createManufacturer(ctx, {
        name: `Maker ${round}`,
        streetAddress: null,
        city: null,
        stateProvince: null,
        country: null,
        postalCode: null,
      })
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => deleteManufacturer(ctx, id)))
      const refused = outcomes.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
      expect(refused).toEqual([1, 2].map(() => expect.objectContaining({ code: 'NOT_FOUND' }) as unknown))
      const told = db.selectFrom('auditLog').select('id').where('objectId', '=', id)
      expect(await told.where('action', '=', 'manufacturer.deleted').execute()).toHaveLength(1)
    }
  })
})
