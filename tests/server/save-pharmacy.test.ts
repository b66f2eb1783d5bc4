import { newId } from '#domain/ids.ts'
import { createPharmacy, listPharmacies } from '#server/partners/save-pharmacy.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

const pharmacy = {
  name: 'Harbor Pharmacy',
  country: 'Canada',
  licenseNumber: 'HP-1',
  licenseExpiry: '2027-01-31',
  shipsTo: ['US', 'Canada'],
  active: true,
  address: null,
  phone: null,
}

eachEngine((_engine, openDb) => {
  test('a form that is sent again creates one pharmacy, and says so when it was changed', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const requestKey = newId()
    const sent = await Promise.all([1, 2, 3].map(() => createPharmacy(ctx, { ...pharmacy, requestKey })))
    expect(sent).toEqual([1, 2, 3].map(() => ({ ...pharmacy, id: requestKey, version: 1, productCount: 0 })))
    for (const change of [{ name: 'Harbour Pharmacy' }, { shipsTo: ['US'] }, { phone: '+1 555 0100' }]) {
      await expect(createPharmacy(ctx, { ...pharmacy, ...change, requestKey })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'This form already created the pharmacy Harbor Pharmacy. Reload the page to edit it.',
      })
    }
    await createPharmacy(ctx, { ...pharmacy, requestKey: newId() })
    await createPharmacy(ctx, pharmacy)
    expect(await listPharmacies(ctx)).toHaveLength(3)
    expect(
      await db.selectFrom('auditLog').select('objectId').where('action', '=', 'pharmacy.created').execute(),
    ).toHaveLength(3)
  })
})
