import { rebuildSearch } from '#db/search/rebuild-search.ts'
import { refreshSearch } from '#db/search/refresh-search.ts'
import { newManufacturerSchema } from '#domain/catalog/manufacturer-fields.ts'
import { fold } from '#domain/text.ts'
import { createManufacturer, updateManufacturer } from '#server/catalog/save-manufacturer.ts'
import { updateVariant } from '#server/catalog/update-variant.ts'
import { searchProducts } from '#server/search/search-products.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addProduct, testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addMedicine } from './search-support.ts'

eachEngine((_engine, openDb) => {
  test('an edit is found at once, in its position, and not before it is committed', async () => {
    const db = await openDb()
    const names = async (q: string): Promise<string[]> =>
      (await searchProducts({ reads: db }, { q })).products.map(({ name }) => name)
    const variants = [{ genericName: 'Pigment' }]
    for (const name of ['Alpha blue', 'Gamma blue']) await addMedicine(db, { name }, variants)
    await rebuildSearch(db)
    await addMedicine(db, { name: 'Beta blue' }, variants)
    expect(await names('blue')).toEqual(['Alpha blue', 'Beta blue', 'Gamma blue'])

    const [beta] = (await searchProducts({ reads: db }, { q: 'beta' })).products
    const rename = (name: string) =>
      db.transaction().execute(async (tx) => {
        await tx
          .updateTable('products')
          .set({ name, sortName: fold(name) })
          .where('id', '=', beta?.id ?? '')
          .execute()
        await refreshSearch(tx, [beta?.id ?? ''])
        if (name === 'Refused blue') throw new Error('refused')
      })
    await expect(rename('Refused blue')).rejects.toThrow('refused')
    expect(await names('refused')).toEqual([])
    await rename('Omega blue')
    expect(await names('blue')).toEqual(['Alpha blue', 'Gamma blue', 'Omega blue'])
    expect(await names('beta')).toEqual([])
    expect(await names('omgea')).toEqual(['Omega blue'])

    await db
      .updateTable('products')
      .set({ deletedAt: testDay })
      .where('id', '=', beta?.id ?? '')
      .execute()
    await refreshSearch(db, [beta?.id ?? ''])
    expect(await names('omega')).toEqual([])
  })

  test('a killed rebuild keeps every product searchable, and running it again completes it', async () => {
    const db = await openDb()
    for (let i = 0; i < 300; i++) await addProduct(db, { name: `Medicine ${i}` })
    await rebuildSearch(db)
    await expect(
      rebuildSearch(db, () => {
        throw new Error('killed')
      }),
    ).rejects.toThrow('killed')
    expect((await searchProducts({ reads: db }, { q: 'medicine' })).total).toBe(300)
    await rebuildSearch(db)
    const { products, total } = await searchProducts({ reads: db }, { q: 'medicine', limit: 3 })
    expect(total).toBe(300)
    expect(products.map(({ name }) => name)).toEqual(['Medicine 0', 'Medicine 1', 'Medicine 10'])
  })

  test('a rebuild does not undo an edit that is committed while it runs', async () => {
    const db = await openDb()
    const { variantIds } = await addMedicine(db, { name: 'Alpha blue' }, [{ brandName: 'Oldbrand' }])
    await rebuildSearch(db)
    const { rebuilt } = await db.transaction().execute(async (tx) => {
      await updateVariant({ ...asAdmin(db), db: tx }, variantIds[0] ?? '', { brandName: 'Newbrand' })
      const rebuilt = rebuildSearch(db)
      // Long enough for the rebuild to read what is committed, and to wait for this transaction.
      await setTimeout(300)
      return { rebuilt }
    })
    await rebuilt
    const count = async (q: string): Promise<number> =>
      (await searchProducts({ reads: db }, { q })).products.length
    expect([await count('newbrand'), await count('oldbrand')]).toEqual([1, 0])
  })

  test('products are found by the new name of their manufacturer, and keep their order', async () => {
    const db = await openDb()
    const { id: manufacturerId } = await createManufacturer(
      asAdmin(db),
      newManufacturerSchema.parse({ name: 'Oldcorp' }),
    )
    for (const name of ['Beta blue', 'Alpha blue']) await addMedicine(db, { name }, [{ manufacturerId }])
    await rebuildSearch(db)
    await updateManufacturer(asAdmin(db), { id: manufacturerId, name: 'Zenith' })
    const find = async (q: string) => searchProducts({ reads: db }, { q })
    const found = await find('zenith')
    expect(found).toMatchObject({ note: null, products: [{ name: 'Alpha blue' }, { name: 'Beta blue' }] })
    expect(await find('oldcorp')).toMatchObject({ products: [] })
  })

  test('a brand that is added while a rebuild runs is found by a misspelling', async () => {
    const db = await openDb()
    const { variantIds } = await addMedicine(db, { name: 'Alpha blue' })
    await rebuildSearch(db, async () => {
      await updateVariant(asAdmin(db), variantIds[0] ?? '', { brandName: 'Newbrand' })
    })
    expect(await searchProducts({ reads: db }, { q: 'newbrnad' })).toMatchObject({
      repairedQuery: 'newbrand',
      products: [{ name: 'Alpha blue' }],
    })
  })
})
