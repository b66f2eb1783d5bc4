import { findProductRow } from '#db/catalog/product-rows.ts'
import { findProductCard } from '#db/catalog/products.ts'
import { newProductSchema } from '#domain/catalog/product-fields.ts'
import { createProduct } from '#server/catalog/create-product.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('a private path that an earlier release stored is shown neither to customers nor to admins', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const { id } = await createProduct(ctx, newProductSchema.parse({ name: 'Browserol', image: '/a.png' }))
    expect(await findProductCard(db, id)).toMatchObject({ image: '/a.png' })
    expect(await findProductRow(db, id)).toMatchObject({ image: '/a.png' })
    await db.updateTable('products').set({ image: '/api/users/1/id-document' }).where('id', '=', id).execute()
    const card = await findProductCard(db, id)
    expect(card).toMatchObject({ image: expect.stringMatching(/^\/img\/v\//) })
    expect(JSON.stringify(card)).not.toContain('id-document')
    expect(await findProductRow(db, id)).toMatchObject({ image: null })
  })
})
