import { newProductSchema } from '#domain/catalog/product-fields.ts'
import { newAdminVariantSchema } from '#domain/catalog/variant-fields.ts'
import { idOfTime, newId } from '#domain/ids.ts'
import { createCatalogEntry } from '#server/catalog/create-catalog-entry.ts'
import { deleteProduct } from '#server/catalog/delete-product.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

const product = newProductSchema.parse({ name: 'Browserol', image: '/browserol.png' })
const variant = newAdminVariantSchema.parse({
  productId: 'new',
  strength: '250',
  strengthUnit: 'mg',
  packageSize: 30,
  packageUnit: 'tablet',
  price: '12.50',
  stockQuantity: 40,
})

const minutes = 60_000
const newKey = (offset = 0) => idOfTime(testDay.getTime() + offset)

eachEngine((_engine, openDb) => {
  test('a form that is sent again adds one product and variant, and says so when it was changed', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const entry = { product, variant, requestKey: newKey() }
    const sent = await Promise.all([1, 2, 3].map(() => createCatalogEntry(ctx, entry)))
    expect(sent.map(({ id }) => id)).toEqual([1, 2, 3].map(() => entry.requestKey))
    expect(await createCatalogEntry(ctx, entry)).toEqual(sent[0])
    const changed = [
      { ...entry, variant: { ...variant, price: 1300 } },
      { ...entry, variant: { ...variant, inStock: true, stockQuantity: 0 } },
      { ...entry, product: { ...product, name: 'Browserol Forte' } },
      { ...entry, product: { ...product, category: 'OTC' as const } },
      { ...entry, product: { ...product, description: 'For browsers.' } },
      { ...entry, product: { ...product, image: '/browserol-2.png' } },
      { ...entry, product: null, variant: { ...variant, productId: newId() } },
    ]
    for (const other of changed) {
      await expect(createCatalogEntry(ctx, other)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'This form already added a variant of Browserol. Close it, then edit that variant.',
      })
    }
    expect(await db.selectFrom('products').select('id').execute()).toHaveLength(1)
    expect(await db.selectFrom('productVariants').select('stockQuantity').execute()).toEqual([
      { stockQuantity: 40 },
    ])
    await createCatalogEntry(ctx, { ...entry, requestKey: newKey() })
    expect(await db.selectFrom('products').select('id').execute()).toHaveLength(2)
  })

  test('a form that is sent again after its variant was deleted is refused', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const entry = { product, variant, requestKey: newKey() }
    const { productId } = await createCatalogEntry(ctx, entry)
    await deleteProduct(ctx, productId)
    await expect(createCatalogEntry(ctx, entry)).rejects.toMatchObject({
      code: 'CONFLICT',
      message:
        'This form already added this variant, but it has since been deleted. Close the form and open it again.',
    })
  })

  test.each([-6 * minutes, 6 * minutes])(
    'a key that is %i ms from the time of the server does not become the id',
    async (offset) => {
      const ctx = asAdmin(await openDb())
      const requestKey = newKey(offset)
      const { id } = await createCatalogEntry(ctx, { product, variant, requestKey })
      expect(id).not.toBe(requestKey)
    },
  )

  test.each([-4 * minutes, 4 * minutes])(
    'a key that is %i ms from the time of the server becomes the id',
    async (offset) => {
      const ctx = asAdmin(await openDb())
      const requestKey = newKey(offset)
      expect(await createCatalogEntry(ctx, { product, variant, requestKey })).toMatchObject({
        id: requestKey,
      })
    },
  )
})
