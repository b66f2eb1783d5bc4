import { newId } from '#domain/ids.ts'
import { listedVariants } from '#domain/catalog/variant-choice.ts'
import { viewProduct } from '#server/catalog/get-product.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('of many variants the first are listed and the one that a link names, and the rest is counted', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const productId = await addProduct(db)
    for (let i = 0; i < listedVariants + 6; i++) {
      await addVariant(db, { productId, packageSize: 10 + i, priceCents: 500 + i, dosageForm: 'tablet' })
    }
    const dearest = await addVariant(db, { productId, priceCents: 9999, dosageForm: 'capsule' })

    const plain = await viewProduct(ctx, productId)
    expect(plain.variants).toHaveLength(listedVariants)
    expect(plain.unlisted).toBe(7)

    const named = await viewProduct(ctx, productId, { variantId: dearest })
    expect(named.selectedId).toBe(dearest)
    expect(named.variants.map(({ id }) => id)).toEqual([dearest, ...plain.variants.map(({ id }) => id)])
    expect(named.unlisted).toBe(6)

    // Beside a narrowing that leaves it out it is listed, and counted among nothing.
    const narrowed = await viewProduct(ctx, productId, { variantId: dearest, form: 'tablet' })
    expect(narrowed.variants).toHaveLength(listedVariants + 1)
    expect(narrowed.unlisted).toBe(6)
  })

  test('an id that names no product on offer is not found', async () => {
    const db = await openDb()
    const deleted = await addProduct(db, { deletedAt: new Date() })
    for (const id of [newId(), deleted, 'no-id', ''])
      await expect(viewProduct(testContext(db), id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
