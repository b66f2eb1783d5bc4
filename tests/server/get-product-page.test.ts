import { updateVariants } from '#db/catalog/variant-bulk.ts'
import { newId } from '#domain/ids.ts'
import { initialVariantCount } from '#domain/catalog/variant-choice.ts'
import { getProductPage } from '#server/catalog/get-product-page.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { addEquivalents } from '#tests/support/equivalents.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('of many variants the first and the preselected one are listed, and the rest is counted', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const productId = await addProduct(db)
    for (let i = 0; i < initialVariantCount + 6; i++) {
      await addVariant(db, { productId, packageSize: 10 + i, priceCents: 500 + i, dosageForm: 'tablet' })
    }
    const dearest = await addVariant(db, { productId, priceCents: 9999, dosageForm: 'capsule' })

    const plain = await getProductPage(ctx, productId)
    expect(plain).toMatchObject({ openChoice: 'form', selectedId: null })
    expect(plain.variants).toHaveLength(initialVariantCount)
    expect(plain.unlisted).toBe(7)

    const named = await getProductPage(ctx, productId, { variantId: dearest })
    expect(named.selectedId).toBe(dearest)
    // Every form has its first offer in the list.
    expect(named.variants).toEqual(plain.variants)
    expect(named.variants[0]?.id).toBe(dearest)

    // A preselected variant outside the filter is listed but not counted.
    const narrowed = await getProductPage(ctx, productId, { variantId: dearest, form: 'tablet' })
    expect(narrowed.variants).toHaveLength(initialVariantCount + 1)
    expect(narrowed.unlisted).toBe(6)

    // A filter that leaves one strength selects its best offer.
    const ofForm = await getProductPage(ctx, productId, { form: 'tablet' })
    expect(ofForm).toMatchObject({ openChoice: null, selectedId: ofForm.variants[0]?.id })
    const stronger = await addVariant(db, { productId, strength: '800', priceCents: 1, dosageForm: 'tablet' })
    expect(await getProductPage(ctx, productId, { form: 'tablet' })).toMatchObject({
      openChoice: 'strength',
      selectedId: null,
    })
    expect((await getProductPage(ctx, productId, { variantId: stronger })).selectedId).toBe(stronger)
  })

  test('FDA’s equivalents are in stock, of another application, and cheapest by the same unit', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const productId = await addProduct(db, { name: 'Lithium', category: 'Rx' })
    const tablet = {
      productId,
      strength: '300',
      labelStrength: '300 mg',
      labelForm: 'TABLET',
      packageSize: 100,
      applicationNumber: 'NDA018558',
    }
    await addEquivalents(db, [
      ['NDA018558', 'TABLET;ORAL'],
      ['ANDA091027', 'TABLET; ORAL'],
      ['ANDA079139', 'CAPSULE;ORAL'],
    ])
    const brand = await addVariant(db, {
      ...tablet,
      brandName: 'Lithotabs',
      priceCents: 4000,
      ndc: '0001-0001-01',
    })
    await addVariant(db, { ...tablet, packageSize: 30, priceCents: 900 })
    // One application is one product, however many packages it has.
    expect((await getProductPage(ctx, productId)).equivalents).toBeNull()

    const other = { ...tablet, applicationNumber: 'ANDA091027' }
    const cheapest = await addVariant(db, { ...other, packageSize: 50, priceCents: 500 })
    await addVariant(db, { ...other, priceCents: 900, inStock: false, stockQuantity: 0 })
    await addVariant(db, { ...other, priceCents: 100, packageSize: 1, packageUnit: 'package' })
    await addVariant(db, { ...other, priceCents: 100, labelStrength: '300 mg/5mL' })
    const capsule = { applicationNumber: 'ANDA079139', labelForm: 'CAPSULE', dosageForm: 'capsule' } as const
    await addVariant(db, { ...tablet, ...capsule, priceCents: 100 })
    await addVariant(db, { ...tablet, applicationNumber: null, priceCents: 100 })

    const { equivalents } = await getProductPage(ctx, productId, { variantId: brand })
    expect(equivalents?.listDate).toBe('2026-07-16')
    expect(equivalents?.groups).toHaveLength(1)
    expect(equivalents?.groups[0]).toMatchObject({
      code: 'AB',
      name: '300 mg tablet',
      offers: [{ id: cheapest }, { packageSize: 30 }, { id: brand }],
      saving: { variantId: cheapest, percent: 75, perPack: '30.00', against: { id: brand } },
    })

    // Another NDC is another maker's package.
    const row = await db
      .selectFrom('productVariants')
      .selectAll()
      .where('id', '=', brand)
      .executeTakeFirstOrThrow()
    await updateVariants(db, [{ ...row, ndc: '0002-0002-02' }], testDay)
    expect(
      (await getProductPage(ctx, productId, { variantId: brand })).equivalents?.groups[0]?.offers,
    ).toHaveLength(2)
  })

  test('the card follows the choice of a variant that is out of stock', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const productId = await addProduct(db, { name: 'Lithium', category: 'Rx' })
    await addEquivalents(db, [
      ['NDA018558', 'TABLET;ORAL'],
      ['ANDA091027', 'TABLET;ORAL'],
      ['ANDA079139', 'CAPSULE;ORAL'],
      ['ANDA079140', 'CAPSULE;ORAL'],
    ])
    const tablet = { productId, strength: '300', labelStrength: '300 mg', labelForm: 'TABLET' }
    const brand = await addVariant(db, {
      ...tablet,
      applicationNumber: 'NDA018558',
      brandName: 'Lithotabs',
      priceCents: 1000,
      inStock: false,
      stockQuantity: 0,
    })
    const generic = await addVariant(db, { ...tablet, applicationNumber: 'ANDA091027' })
    const groupsFor = async (variantId?: string) =>
      (await getProductPage(ctx, productId, { variantId })).equivalents?.groups
    // Only the generic is in stock: it has no equivalent, but the brand has one.
    const group = { ids: [brand], offers: [{ id: generic }] }
    expect(await groupsFor()).toMatchObject([{ ...group, saving: null }])
    expect(await groupsFor(generic)).toMatchObject([{ ...group, saving: null }])
    expect(await groupsFor(brand)).toMatchObject([{ ...group, saving: { percent: 50 } }])
    // A smaller pack of the generic costs more per tablet, but it is the same product.
    const smallPack = await addVariant(db, {
      ...tablet,
      applicationNumber: 'ANDA091027',
      packageSize: 1,
      priceCents: 400,
    })
    expect(await groupsFor(smallPack)).toMatchObject([{ ...group, saving: null }])

    // A form with two offers comes first, unless the customer chose another.
    const capsule = { ...tablet, labelForm: 'CAPSULE', dosageForm: 'capsule' } as const
    await addVariant(db, { ...capsule, applicationNumber: 'ANDA079139', brandName: 'Lithocaps' })
    await addVariant(db, { ...capsule, applicationNumber: 'ANDA079140' })
    const both = { name: '300 mg capsule', isChoice: true }
    expect(await groupsFor()).toMatchObject([both, { ...group, isChoice: false }])
    expect(await groupsFor(brand)).toMatchObject([{ ...group, isChoice: false }, both])

    await db.updateTable('productVariants').set({ inStock: false }).execute()
    expect(await groupsFor(brand)).toBeUndefined()
  })

  test('FDA’s list is not read for a page that can show nothing of it', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const applicationNumber = 'NDA018558'
    const single = await addProduct(db, { category: 'Rx' })
    await addVariant(db, { productId: single, applicationNumber, ndc: '0001-0001-01' })
    await addVariant(db, { productId: single, applicationNumber, ndc: '0001-0001-02' })
    const linked = await addProduct(db, { category: 'OTC' })
    const linkedVariantId = await addVariant(db, {
      productId: linked,
      applicationNumber,
      ndc: '0002-0001-01',
    })
    await addVariant(db, {
      productId: linked,
      applicationNumber,
      ndc: '0002-0001-02',
      brandName: 'Lithotabs',
      priceCents: 1000,
      linkedVariantId,
    })
    await db.schema.dropTable('careEquivalents').execute()
    expect((await getProductPage(ctx, single)).equivalents).toBeNull()
    const { equivalents, savings } = await getProductPage(ctx, linked)
    expect(equivalents).toBeNull()
    expect(Object.values(savings)).toMatchObject([{ percent: 50 }])
  })

  test('a generic’s saving is shown where FDA rates both alike, or has no list', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    await addEquivalents(db, [
      ['NDA018558', 'TABLET;ORAL'],
      ['ANDA091027', 'TABLET;ORAL'],
    ])
    const tablet = { strength: '300', labelStrength: '300 mg', labelForm: 'TABLET' }
    const savingOf = async (
      category: 'Rx' | 'OTC',
      brand: Parameters<typeof addVariant>[1],
      generic: Parameters<typeof addVariant>[1],
    ) => {
      const productId = await addProduct(db, { category })
      const linkedVariantId = await addVariant(db, { ...tablet, productId, priceCents: 500, ...generic })
      const id = await addVariant(db, {
        ...tablet,
        productId,
        brandName: 'Lithotabs',
        priceCents: 1000,
        linkedVariantId,
        ...brand,
      })
      return (await getProductPage(ctx, productId)).savings[id]?.percent
    }
    const [ndc, rated] = ['0001-0001-01', { applicationNumber: 'NDA018558' }]
    const generic = { applicationNumber: 'ANDA091027', ndc: '0002-0002-02' }
    expect(await savingOf('Rx', { ndc, ...rated }, generic)).toBe(50)
    expect(await savingOf('Rx', { ndc, ...rated }, { ndc: '0003-0003-03' })).toBeUndefined()
    expect(await savingOf('Rx', { ndc: '0004-0004-04' }, { ...generic, ndc: '0005-0005-05' })).toBeUndefined()
    const extended = { labelForm: 'TABLET, FILM COATED, EXTENDED RELEASE' }
    const unlike = { ...rated, ...extended, ndc: '0006-0006-06' }
    expect(await savingOf('Rx', unlike, { ...generic, ndc: '0007-0007-07' })).toBeUndefined()
    // FDA's list has neither Canada's packages nor codes for what is sold without a prescription.
    expect(await savingOf('Rx', { din: '00000001' }, { din: '00000002' })).toBe(50)
    expect(await savingOf('OTC', { ndc: '0008-0008-08' }, { ndc: '0009-0009-09' })).toBe(50)
  })

  test('an unknown, deleted or malformed id is not found', async () => {
    const db = await openDb()
    const deleted = await addProduct(db, { deletedAt: new Date() })
    for (const id of [newId(), deleted, 'no-id', ''])
      await expect(getProductPage(testContext(db), id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
