import type { Context } from '#server/context.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { getPackingSlip } from '#server/orders/get-package.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { expect, test } from 'vitest'

const packsOf = async (ctx: Context, orderId: string) => {
  const [page, slip] = [await getAdminOrder(ctx, orderId), await getPackingSlip(ctx, orderId)]
  const packs = page.items.map(({ pack }) => pack)
  expect(slip.lines.map(({ pack }) => pack)).toEqual(packs)
  return packs
}

eachEngine((_engine, openDb) => {
  test('the order and its packing slip name the labeler and identifier of each ordered package', async () => {
    const db = await openDb()
    const labeler = {
      id: 'blu',
      name: 'Blu Pharmaceuticals',
      nameKey: 'blu',
      createdAt: testDay,
      updatedAt: testDay,
    }
    await db.insertInto('manufacturers').values(labeler).execute()
    const rx = await addProduct(db, { category: 'Rx' })
    const productId = await addProduct(db)
    const userId = await makeUser(db)
    const { id: prescriptionId } = await addPrescription(db, userId)
    const variants = [
      { productId: rx, manufacturerId: 'blu', ndc: '24658-212-30', din: '02469928' },
      { productId, manufacturerId: 'blu', din: '02469928', upc: '036000291452' },
      { productId, strength: '400', upc: '036000291452' },
      { productId, strength: '600' },
    ]
    const items: { productVariantId: string; quantity: number }[] = []
    for (const variant of variants)
      items.push({ productVariantId: await addVariant(db, variant), quantity: 1 })
    const order = await placeOrder(db, userId, { items, prescriptionId })

    const otc = [
      { labeler: 'Blu Pharmaceuticals', identifier: 'DIN 02469928' },
      { labeler: null, identifier: 'UPC 036000291452' },
      { labeler: null, identifier: null },
    ]
    expect(await packsOf(asAdmin(db), order.id)).toEqual([
      { labeler: 'Blu Pharmaceuticals', identifier: 'NDC 24658-212-30' },
      ...otc,
    ])
    const support = signedIn(await makeUser(db, { roles: ['support'] }), { roles: ['support'] })
    expect(await packsOf(testContext(db, { user: support }), order.id)).toEqual([null, ...otc])
    // A package that is no longer sold is still packed.
    await db.updateTable('productVariants').set({ deletedAt: testDay }).execute()
    expect(await packsOf(asAdmin(db), order.id)).toMatchObject([{ identifier: 'NDC 24658-212-30' }, ...otc])
  })
})
