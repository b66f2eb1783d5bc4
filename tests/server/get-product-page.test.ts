import { newId } from '#domain/ids.ts'
import { initialVariantCount } from '#domain/catalog/variant-choice.ts'
import { getProductPage } from '#server/catalog/get-product-page.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
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
    expect(plain.variants).toHaveLength(initialVariantCount)
    expect(plain.unlisted).toBe(7)

    const named = await getProductPage(ctx, productId, { variantId: dearest })
    expect(named.selectedId).toBe(dearest)
    expect(named.variants.map(({ id }) => id)).toEqual([dearest, ...plain.variants.map(({ id }) => id)])
    expect(named.unlisted).toBe(6)

    // A preselected variant outside the filter is listed but not counted.
    const narrowed = await getProductPage(ctx, productId, { variantId: dearest, form: 'tablet' })
    expect(narrowed.variants).toHaveLength(initialVariantCount + 1)
    expect(narrowed.unlisted).toBe(6)
  })

  test('an unknown, deleted or malformed id is not found', async () => {
    const db = await openDb()
    const deleted = await addProduct(db, { deletedAt: new Date() })
    for (const id of [newId(), deleted, 'no-id', ''])
      await expect(getProductPage(testContext(db), id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
