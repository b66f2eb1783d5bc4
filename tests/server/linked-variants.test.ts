import { updateVariant } from '#server/catalog/update-variant.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('moving a variant and editing variants linked to it lock in one order', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    for (let round = 0; round < 8; round++) {
      const [from, to] = [await addProduct(db), await addProduct(db)]
      const generic = await addVariant(db, { productId: from })
      const brands = [0, 1].map(() => addVariant(db, { productId: from, linkedVariantId: generic }))
      const [first = '', second = ''] = await Promise.all(brands)
      const outcomes = await Promise.allSettled([
        updateVariant(ctx, second, { price: 700 }),
        updateVariant(ctx, generic, { productId: to }),
        updateVariant(ctx, first, { price: 600 }),
      ])
      expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
      const rows = await db
        .selectFrom('productVariants')
        .select(['priceCents', 'linkedVariantId'])
        .where('id', 'in', [first, second])
        .orderBy('priceCents')
        .execute()
      expect(rows).toEqual([
        { priceCents: 600, linkedVariantId: null },
        { priceCents: 700, linkedVariantId: null },
      ])
    }
  })
})
