import type { Db } from '#db/engine/client.ts'
import { newAdminVariantSchema } from '#domain/catalog/variant-fields.ts'
import { previewProductDeletion } from '#server/catalog-edits/preview-product-deletion.ts'
import { newManufacturerSchema } from '#domain/catalog/manufacturer-fields.ts'
import { createManufacturer } from '#server/catalog/save-manufacturer.ts'
import { createCatalogEntry } from '#server/catalog/create-catalog-entry.ts'
import { findSharedIdentifiers } from '#server/catalog/find-shared-identifiers.ts'
import { updateAdminProduct, updateProduct } from '#server/catalog/update-product.ts'
import { updateAdminVariant } from '#server/catalog-edits/update-admin-variant.ts'
import type { Context } from '#server/context.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { quarantineLot } from '#server/inventory/quarantine-lot.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { orderRef } from '#domain/orders/order-ref.ts'
import { previewStatusChange } from '#server/reviews/preview-status-change.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { adjustmentSchema } from '#domain/inventory/stock-adjustment.ts'
import { listLots } from '#server/inventory/list-lots.ts'
import { lotQuerySchema } from '#domain/inventory/lot-list.ts'
import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { updateVariant } from '#server/catalog/update-variant.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { asCustomer, buy, openCheckout, pay } from '#tests/support/checkouts.ts'
import { signedIn } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

const pack = { strength: '500', strengthUnit: 'mg', packageSize: 20, packageUnit: 'capsule', price: '5.00' }

const question = (message: string) => expect.objectContaining({ code: 'CONFIRMATION_REQUIRED', message })

async function addRxProduct(db: Db, catalogKey: string | null) {
  const productId = await addProduct(db, { name: 'Levothyroxine', category: 'Rx', catalogKey })
  await addVariant(db, { productId })
  await addVariant(db, { productId })
  await refreshProductSummaries(db, [productId])
  const { version } = await findProduct(db, productId)
  return { id: productId, version }
}

const findProduct = (db: Db, id: string) =>
  db.selectFrom('products').select(['category', 'version']).where('id', '=', id).executeTakeFirstOrThrow()

const listAudits = async (db: Db, id: string) =>
  (await db.selectFrom('auditLog').select('action').where('objectId', '=', id).orderBy('id').execute()).map(
    ({ action }) => action,
  )

/** Everything of a variant that an edit or a deletion concerns: an order, stock and a held lot. */
async function addUsedVariant(db: Db) {
  const admin = asAdmin(db)
  const productId = await addProduct(db)
  const id = await addVariant(db, { productId, stockQuantity: 10, strength: '20' })
  const { order } = await buy(await asCustomer(db), id)
  await adjustStock(
    admin,
    adjustmentSchema.parse({
      variantId: id,
      quantityChange: 4,
      transactionType: 'adjustment',
      lotNumber: 'L1',
      expiryDate: '2027-12-31',
    }),
  )
  const [lot] = (await listLots(admin, lotQuerySchema.parse({}))).rows
  await quarantineLot(admin, { lotId: lot?.id ?? '', reason: 'Broken seal' })
  return { id, productId, version: await findVersion(db, id), orderId: order.id }
}

async function findVersion(db: Db, id: string): Promise<number> {
  const query = db.selectFrom('productVariants').select('version').where('id', '=', id)
  return (await query.executeTakeFirstOrThrow()).version
}

async function addManufacturer(ctx: Context, name: string): Promise<string> {
  return (await createManufacturer(ctx, newManufacturerSchema.parse({ name }))).id
}

eachEngine((_engine, openDb) => {
  test('a prescription product becomes over-the-counter only after a confirmation, with an audit row', async () => {
    const db = await openDb()
    const admin = asAdmin(db)
    const product = await addRxProduct(db, 'Rx:oral:levothyroxine')
    const change = { ...product, category: 'OTC', confirmed: false } as const
    await expect(updateAdminProduct(admin, change)).rejects.toEqual(
      question(
        'Customers will be able to buy Levothyroxine (2 variants) without a prescription, and no pharmacist will review new orders. The directory lists it as a prescription medicine.',
      ),
    )
    expect(await findProduct(db, product.id)).toEqual({ category: 'Rx', version: product.version })
    expect(await listAudits(db, product.id)).toEqual([])

    const changed = await updateAdminProduct(admin, { ...change, confirmed: true })
    expect(changed.category).toBe('OTC')
    const back = { id: product.id, version: changed.version, confirmed: false } as const
    await updateAdminProduct(admin, { ...back, category: 'Rx' })
    expect(await listAudits(db, product.id)).toEqual([
      'product.updated',
      'product.made-otc',
      'product.updated',
      'product.made-rx',
    ])
  })

  test('the question claims nothing of a directory that does not list the product, and /api gets none', async () => {
    const db = await openDb()
    const product = await addRxProduct(db, null)
    await expect(
      updateAdminProduct(asAdmin(db), { ...product, category: 'OTC', confirmed: false }),
    ).rejects.toEqual(
      question(
        'Customers will be able to buy Levothyroxine (2 variants) without a prescription, and no pharmacist will review new orders.',
      ),
    )
    // Another field asks nothing.
    const described = { ...product, description: 'For the thyroid.', confirmed: false }
    expect(await updateAdminProduct(asAdmin(db), described)).toMatchObject({ category: 'Rx' })
    await updateProduct(asAdmin(db), product.id, { category: 'OTC' })
    expect(await listAudits(db, product.id)).toEqual([
      'product.updated',
      'product.updated',
      'product.made-otc',
    ])
  })

  test('the facts of a package with stock or unshipped orders change only after a confirmation', async () => {
    const db = await openDb()
    const admin = asAdmin(db)
    const { id, version, orderId } = await addUsedVariant(db)
    const edit = { id, version, confirmed: false }
    await expect(
      updateAdminVariant(admin, { ...edit, strength: '40', packageSize: 30, price: 700 }),
    ).rejects.toEqual(
      question(
        'You changed the strength and package size of a variant with 9 units in stock, 1 lot in quarantine, and 1 unshipped order. The packages and the orders stay as they are. To sell a different package, add a variant instead.',
      ),
    )
    // Neither the price nor the same strength changes the package.
    const repriced = await updateAdminVariant(admin, { ...edit, strength: '20', price: 700 })
    expect(repriced).toMatchObject({ strength: '20', price: '7.00' })
    const confirmed = { id, version: repriced.version, confirmed: true }
    expect(await updateAdminVariant(admin, { ...confirmed, strength: '40' })).toMatchObject({
      strength: '40',
    })
    const preview = () => previewStatusChange(admin, { target: { ids: [orderId] }, status: 'shipped' })
    const warning = `The catalog’s strength, form or size of Ibuprofen (order ${orderRef(orderId)}) has changed since the order. Check that the package is what was ordered.`
    expect((await preview()).warnings).toContain(warning)
    // A stale edit is refused before the question: the form sends it again, and would ask twice.
    await expect(updateAdminVariant(admin, { ...edit, strength: '60' })).rejects.toMatchObject({
      code: 'CONFLICT',
      current: { strength: '40' },
    })
    const restored = { id, version: repriced.version + 1, confirmed: true, strength: '20' }
    await updateAdminVariant(admin, restored)
    expect((await preview()).warnings).not.toContain(warning)
    await setOrderStatus(admin, orderId, { status: 'shipped' })
    const current = { id, version: await findVersion(db, id), confirmed: false }
    await expect(updateAdminVariant(admin, { ...current, dosageForm: 'capsule' })).rejects.toEqual(
      question(
        'You changed the dosage form of a variant with 9 units in stock and 1 lot in quarantine. The packages and the orders stay as they are. To sell a different package, add a variant instead.',
      ),
    )
    // A variant that the shop has nothing of.
    const empty = await addVariant(db, { stockQuantity: 0, inStock: false })
    expect(
      await updateAdminVariant(admin, { id: empty, version: 1, confirmed: false, strength: '40' }),
    ).toMatchObject({ strength: '40' })
  })

  test('another identifier or manufacturer of a package with stock is confirmed, a missing or reformatted one is not', async () => {
    const db = await openDb()
    const admin = asAdmin(db)
    const manufacturerId = await addManufacturer(admin, 'Pfizer')
    const other = await addManufacturer(admin, 'Sandoz')
    const id = await addVariant(db, { ndc: '0049-4900-30', din: '02469928', manufacturerId })
    const edit = async (changes: object) =>
      updateAdminVariant(admin, { id, version: await findVersion(db, id), confirmed: false, ...changes })
    expect(await edit({ ndc: '00049490030', din: '2469928', upc: '300450449108' })).toMatchObject({
      ndc: '00049490030',
    })
    await expect(edit({ ndc: '0049-4910-30', upc: null, manufacturerId: other })).rejects.toEqual(
      question(
        'You changed the NDC, UPC, and manufacturer of a variant with 100 units in stock. The packages and the orders stay as they are. A recall that names the earlier NDC, UPC, and manufacturer won’t find them. To sell a different package, add a variant instead.',
      ),
    )
    expect(await edit({ ndc: '0049-4910-30', manufacturerId: other, confirmed: true })).toMatchObject({
      ndc: '0049-4910-30',
      manufacturerId: other,
    })
  })

  test('shipping warns of an identifier that was changed since the order, and not of a missing one', async () => {
    const db = await openDb()
    const admin = asAdmin(db)
    const id = await addVariant(db, { ndc: '0049-4900-30', din: '02469928' })
    const { order } = await buy(await asCustomer(db), id)
    const later = { ...admin, now: new Date(admin.now.getTime() + 60_000) }
    const warningsOf = async (orderId: string) =>
      (await previewStatusChange(later, { target: { ids: [orderId] }, status: 'shipped' })).warnings
    const describe = (orderId: string) =>
      `The catalog’s NDC, DIN, UPC or manufacturer of Ibuprofen (order ${orderRef(orderId)}) has changed since the order. Check that the package is what was ordered. A recall that names the earlier code or manufacturer won’t stop the order.`
    const warning = describe(order.id)
    await updateVariant(later, id, { ndc: '00049490030', upc: '300450449108' })
    expect(await warningsOf(order.id)).not.toContain(warning)
    await updateVariant(later, id, { ndc: '0049-4910-30' })
    await updateVariant(later, id, { ndc: '0049-4920-30' })
    expect(await warningsOf(order.id)).toContain(warning)
    const { order: newer } = await buy(await asCustomer(db, { now: later.now }), id)
    expect(await warningsOf(newer.id)).not.toContain(describe(newer.id))
    await updateVariant(later, id, { ndc: '0049-4900-30' })
    expect(await warningsOf(order.id)).not.toContain(warning)
  })

  test('shipping warns of an identifier that was changed between the checkout and the payment', async () => {
    const db = await openDb()
    const admin = asAdmin(db)
    const id = await addVariant(db, { ndc: '0049-4900-30' })
    const customer = await asCustomer(db)
    const { payment } = await openCheckout(customer, id)
    const after = (seconds: number) => new Date(admin.now.getTime() + seconds * 1000)
    await updateVariant({ ...admin, now: after(30) }, id, { ndc: '0049-4910-30' })
    await pay(db, payment)
    const { order } = await finalizeCheckout({ ...customer, now: after(60) }, payment.id)
    const preview = await previewStatusChange(
      { ...admin, now: after(90) },
      { target: { ids: [order.id] }, status: 'shipped' },
    )
    expect(preview.warnings).toContainEqual(expect.stringContaining('has changed since the order'))
  })

  test('staff who may not see medicines learn only how many items have another manufacturer', async () => {
    const db = await openDb()
    const admin = asAdmin(db)
    const id = await addVariant(db, { manufacturerId: await addManufacturer(admin, 'Pfizer') })
    const { order } = await buy(await asCustomer(db), id)
    const now = new Date(admin.now.getTime() + 60_000)
    await updateVariant({ ...admin, now }, id, { manufacturerId: await addManufacturer(admin, 'Sandoz') })
    const shipper = signedIn(admin.user?.id ?? '', { permissions: new Set(['orders.read', 'orders.ship']) })
    const preview = await previewStatusChange(
      { ...admin, now, user: shipper },
      { target: { ids: [order.id] }, status: 'shipped' },
    )
    expect(preview.warnings).toContain(
      'The catalog’s NDC, DIN, UPC or manufacturer of 1 item has changed since the order. Check that the package is what was ordered. A recall that names the earlier code or manufacturer won’t stop the order.',
    )
    expect(JSON.stringify(preview)).not.toContain('Ibuprofen')
  })

  test('another identifier is confirmed while a recall of the old one would notify customers', async () => {
    const db = await openDb()
    const admin = asAdmin(db)
    const id = await addVariant(db, { din: '02237998', stockQuantity: 1 })
    const { order } = await buy(await asCustomer(db), id)
    await setOrderStatus(admin, order.id, { status: 'shipped' })
    const edit = async (changes: object, now = admin.now) =>
      updateAdminVariant(
        { ...admin, now },
        { id, version: await findVersion(db, id), confirmed: false, ...changes },
      )
    await expect(edit({ din: '02242361' })).rejects.toEqual(
      question(
        'You changed the DIN of a variant with packages that customers may have. The packages and the orders stay as they are. A recall that names the earlier DIN won’t find them. To sell a different package, add a variant instead.',
      ),
    )
    expect(await edit({ strength: '40' })).toMatchObject({ strength: '40' })
    const yearLater = new Date(admin.now.getTime() + 366 * 24 * 3600 * 1000)
    expect(await edit({ din: '02242361' }, yearLater)).toMatchObject({ din: '02242361' })
  })

  test('the preview of a deletion says what the shop still has of a product', async () => {
    const db = await openDb()
    const admin = asAdmin(db)
    const { productId } = await addUsedVariant(db)
    expect(await previewProductDeletion(admin, productId)).toEqual({
      uses: '9 units in stock, 1 lot in quarantine, and 1 unshipped order',
    })
    expect(await previewProductDeletion(admin, await addProduct(db))).toEqual({ uses: null })
    await expect(previewProductDeletion(admin, 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(previewProductDeletion(await asCustomer(db), productId)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  })

  test('an identifier that another variant has is named in any written form, and stored', async () => {
    const db = await openDb()
    const admin = asAdmin(db)
    const productId = await addProduct(db, { name: 'Acetaminophen' })
    const add = (fields: object) =>
      createCatalogEntry(admin, {
        product: null,
        variant: newAdminVariantSchema.parse({ ...pack, productId, ...fields }),
      })
    const gels = await add({ brandName: 'Gels', din: '02469928', ndc: '0049-4900-30' })
    const other = await add({ brandName: 'Acet' })
    const blank = { upc: '', ndc: '', din: '' }
    const find = (fields: object) => findSharedIdentifiers(admin, { id: other.id, ...blank, ...fields })
    const gelsHave = (kind: string) =>
      `Acetaminophen (Gels, 500 mg, 20 capsules) has this ${kind} too. Check both packages.`
    expect(await find({ din: '2469928', ndc: '00049490030' })).toEqual({
      din: gelsHave('DIN'),
      ndc: gelsHave('NDC'),
    })
    // Its own identifiers, and none.
    expect(await findSharedIdentifiers(admin, { id: gels.id, ...blank, din: '02469928' })).toEqual({})
    expect(await find({})).toEqual({})
    expect(
      await updateAdminVariant(admin, { id: other.id, version: 1, confirmed: false, din: '02469928' }),
    ).toMatchObject({ din: '02469928' })
    await expect(
      findSharedIdentifiers(await asCustomer(db), { id: null, ...blank, din: '02469928' }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})
