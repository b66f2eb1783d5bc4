import type { Db } from '#db/engine/client.ts'
import { inTransaction } from '#server/context.ts'
import {
  createManufacturer,
  deleteManufacturer,
  updateManufacturer,
} from '#server/catalog/save-manufacturer.ts'
import { updateProduct } from '#server/catalog/update-product.ts'
import { createPharmacy, updatePharmacy } from '#server/partners/save-pharmacy.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'

/** The error of an edit that starts while another edit of the same row is not yet committed. */
async function findConcurrentEditError(
  db: Db,
  { concurrent, edit }: { concurrent: (db: Db) => Promise<unknown>; edit: () => Promise<unknown> },
): Promise<unknown> {
  let failure: Promise<unknown> = Promise.resolve()
  await db.transaction().execute(async (tx) => {
    await concurrent(tx)
    failure = edit().catch((error: unknown) => error)
    await sleep(200)
  })
  return failure
}

eachEngine((_engine, openDb) => {
  test('two concurrent renames of a product leave its variants with its name', async () => {
    const db = await openDb()
    const productId = await addProduct(db, { name: 'Calm' })
    await addVariant(db, { productId, genericName: 'Calm' })
    let second: Promise<unknown> = Promise.resolve()
    await inTransaction(asAdmin(db), async (ctx) => {
      await updateProduct(ctx, productId, { name: 'Rest' })
      second = updateProduct(asAdmin(db), productId, { name: 'Sleep' })
      // Until it has read the product and waits for the variants.
      await sleep(200)
    })
    await second
    const names = db
      .selectFrom('productVariants')
      .innerJoin('products', 'products.id', 'productVariants.productId')
      .select(['products.name', 'productVariants.genericName'])
    expect(await names.execute()).toEqual([{ name: 'Sleep', genericName: 'Sleep' }])
  })

  test('of two concurrent edits the second gets the row that the first wrote', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const manufacturer = await createManufacturer(ctx, {
      name: 'Apotex',
      streetAddress: null,
      city: null,
      stateProvince: null,
      country: null,
      postalCode: null,
    })
    expect(
      await findConcurrentEditError(db, {
        concurrent: (tx) =>
          tx
            .updateTable('manufacturers')
            .set({ city: 'Toronto', version: manufacturer.version + 1 })
            .execute(),
        edit: () =>
          updateManufacturer(ctx, { id: manufacturer.id, version: manufacturer.version, city: 'Montreal' }),
      }),
    ).toMatchObject({ code: 'CONFLICT', current: { city: 'Toronto', version: manufacturer.version + 1 } })
    const pharmacy = await createPharmacy(ctx, {
      name: 'Harbour Pharmacy',
      country: 'Canada',
      licenseNumber: 'HP-1',
      licenseExpiry: '2027-01-31',
      shipsTo: ['US'],
      active: true,
      address: null,
      phone: null,
    })
    expect(
      await findConcurrentEditError(db, {
        concurrent: (tx) =>
          tx
            .updateTable('pharmacies')
            .set({ active: false, version: pharmacy.version + 1 })
            .execute(),
        edit: () =>
          updatePharmacy(ctx, { id: pharmacy.id, version: pharmacy.version, name: 'Harbor Pharmacy' }),
      }),
    ).toMatchObject({ code: 'CONFLICT', current: { active: false, version: pharmacy.version + 1 } })
  })

  test('of concurrent deletes of a manufacturer one succeeds', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
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
      const entries = db.selectFrom('auditLog').select('id').where('objectId', '=', id)
      expect(await entries.where('action', '=', 'manufacturer.deleted').execute()).toHaveLength(1)
    }
  })
})
