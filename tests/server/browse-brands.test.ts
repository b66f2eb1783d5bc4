import type { Db } from '#db/engine/client.ts'
import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { seedDemo } from '#db/seed/demo.ts'
import { brandLetters } from '#domain/catalog/brands.ts'
import { browseBrands, type BrandSearch } from '#server/catalog/browse-brands.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

type ProductOverrides = Parameters<typeof addProduct>[1]

/** Adds a product with a variant of each of these brands. */
async function addBrands(
  db: Db,
  brandNames: readonly (string | null)[],
  overrides: ProductOverrides = {},
): Promise<{ productId: string; variantIds: string[] }> {
  const productId = await addProduct(db, overrides)
  const variantIds: string[] = []
  for (const brandName of brandNames) variantIds.push(await addVariant(db, { productId, brandName }))
  await refreshProductSummaries(db, [productId])
  return { productId, variantIds }
}

const namesOf = async (db: Db, search: BrandSearch = {}): Promise<string[]> =>
  (await browseBrands({ reads: db }, search)).brands.map(({ name }) => name)

eachEngine((_engine, openDb) => {
  test('spellings of one name are one brand, shown in the most common spelling; generics have none', async () => {
    const db = await openDb()
    const { productId, variantIds } = await addBrands(
      db,
      ['APO-SIMVASTATIN', 'APO-Simvastatin', 'Apo-Simvastatin', 'APO-Simvastatin', null, ''],
      { name: 'Simvastatin', category: 'Rx' },
    )
    const { brands, total } = await browseBrands({ reads: db }, {})
    expect(total).toBe(1)
    expect(brands).toEqual([
      expect.objectContaining({
        name: 'APO-Simvastatin',
        productId,
        productName: 'Simvastatin',
        category: 'Rx',
        variantId: variantIds[0],
        otherProductCount: 0,
      }),
    ])
  })

  test('a brand is shown by a variant that can be bought', async () => {
    const db = await openDb()
    const productId = await addProduct(db)
    await addVariant(db, { productId, brandName: 'Advil', inStock: false, stockQuantity: 0 })
    await addVariant(db, { productId, brandName: 'ADVIL', priceCents: null })
    const bought = await addVariant(db, { productId, brandName: 'Advil' })
    await refreshProductSummaries(db, [productId])
    const [advil] = (await browseBrands({ reads: db }, {})).brands
    expect(advil?.variantId).toBe(bought)
    expect(advil?.image).toContain(bought)
    expect(advil?.imageAlt).toContain('Advil')
  })

  test('a brand of several products is one card for the best seller, with a count of the others', async () => {
    const db = await openDb()
    await addBrands(db, ['Cipro'], { name: 'Ciprofloxacin otic', unitsSold: 3 })
    const best = await addBrands(db, ['CIPRO'], { name: 'Ciprofloxacin', unitsSold: 9 })
    await addBrands(db, ['Cipro', 'Ciloxan'], { name: 'Ciprofloxacin ophthalmic', unitsSold: 1 })
    const { brands, total } = await browseBrands({ reads: db }, { letter: 'C' })
    expect(total).toBe(2)
    expect(brands.map(({ name, otherProductCount: others }) => [name, others])).toEqual([
      ['Ciloxan', 0],
      ['CIPRO', 2],
    ])
    expect(brands[1]?.productId).toBe(best.productId)
  })

  test('brands follow their product, variant and name', async () => {
    const db = await openDb()
    const { productId, variantIds } = await addBrands(db, ['Advil', 'Motrin', 'Nurofen'])
    const change = async (set: { brandName: string } | { deletedAt: Date }, id = '') => {
      await db.updateTable('productVariants').set(set).where('id', '=', id).execute()
      await refreshProductSummaries(db, [productId])
    }
    await change({ deletedAt: new Date() }, variantIds[0])
    expect(await namesOf(db)).toEqual(['Motrin', 'Nurofen'])
    await change({ brandName: 'Zonal' }, variantIds[1])
    expect(await namesOf(db)).toEqual(['Nurofen', 'Zonal'])
    await change({ brandName: 'NUROFEN' }, variantIds[2])
    expect(await namesOf(db)).toEqual(['NUROFEN', 'Zonal'])

    await db.updateTable('products').set({ deletedAt: new Date() }).where('id', '=', productId).execute()
    expect(await namesOf(db)).toEqual([])
    await refreshProductSummaries(db, [productId])
    expect(await browseBrands({ reads: db }, {})).toMatchObject({ total: 0, letters: [], pageCount: 0 })
  })

  test('a refresh that finds nothing changed writes nothing', async () => {
    const db = await openDb()
    const { productId } = await addBrands(db, ['Advil', 'Motrin'])
    const { version } = await db
      .selectFrom('products')
      .select('version')
      .where('id', '=', productId)
      .executeTakeFirstOrThrow()
    const before = await db.selectFrom('productBrands').selectAll().orderBy('brandKey').execute()
    await refreshProductSummaries(db, [productId])
    expect(await db.selectFrom('productBrands').selectAll().orderBy('brandKey').execute()).toEqual(before)
    expect(await db.selectFrom('products').select('version').where('id', '=', productId).execute()).toEqual([
      { version },
    ])
  })

  test('a word or its prefix finds brands, and names that start with it come first', async () => {
    const db = await openDb()
    await addBrands(db, [
      'Extra Advil',
      'Advil',
      'Advil Cold & Sinus',
      'Éxtra-Strong',
      '100% Advilla',
      'Motrin',
    ])
    expect(await namesOf(db, { q: 'adv' })).toEqual([
      'Advil',
      'Advil Cold & Sinus',
      'Extra Advil',
      '100% Advilla',
    ])
    expect(await namesOf(db, { q: ' EXTRA ' })).toEqual(['Extra Advil', 'Éxtra-Strong'])
    expect(await namesOf(db, { q: 'sinus adv' })).toEqual(['Advil Cold & Sinus'])
    for (const q of ['vil', '%', '_', "'", 'advil motrin', '\\', 'x'.repeat(5000)])
      expect(await namesOf(db, { q }), q).toEqual([])
    // A text search ignores the letter.
    expect(await namesOf(db, { q: 'motrin', letter: 'A' })).toEqual(['Motrin'])
  })

  test('all pages together list each brand once, in order, for all letters and for each', async () => {
    const db = await openDb()
    await seedDemo(db)
    const expected = await db.selectFrom('productBrands').select('brandKey').distinct().execute()
    const walk = async (search: BrandSearch) => {
      const first = await browseBrands({ reads: db }, search)
      const keys: string[] = []
      for (let page = 1; page <= first.pageCount; page++) {
        const list = await browseBrands({ reads: db }, { ...search, page })
        expect(list.page).toBe(page)
        keys.push(...list.brands.map(({ key }) => key))
      }
      expect(keys).toHaveLength(first.total)
      return keys
    }
    const all = await walk({})
    expect(all).toHaveLength(expected.length)
    expect(new Set(all)).toEqual(new Set(expected.map(({ brandKey }) => brandKey)))
    const byLetter: string[] = []
    for (const letter of brandLetters) byLetter.push(...(await walk({ letter })))
    expect(byLetter).toEqual(all)
    const found = await walk({ q: 'a' })
    expect(new Set(found).size).toBe(found.length)
    expect(found.length).toBeGreaterThan(48)
  })

  test('an invalid page is clamped, and an invalid letter shows all brands', async () => {
    const db = await openDb()
    await addBrands(
      db,
      Array.from({ length: 50 }, (_, i) => `Advil ${i + 1}`),
    )
    expect(await browseBrands({ reads: db }, { page: 99 })).toMatchObject({
      page: 2,
      pageCount: 2,
      total: 50,
    })
    expect(await browseBrands({ reads: db }, { q: 'advil', page: 99 })).toMatchObject({ page: 2, total: 50 })
    expect(await browseBrands({ reads: db }, { q: 'none', page: 99 })).toMatchObject({
      page: 1,
      pageCount: 0,
    })
    expect(await browseBrands({ reads: db }, { letter: 'a', page: 2 })).toMatchObject({
      letter: 'A',
      page: 2,
    })
    expect(await browseBrands({ reads: db }, { letter: 'B' })).toMatchObject({
      letter: 'B',
      total: 0,
      page: 1,
    })
    expect(await browseBrands({ reads: db }, { letter: 'AB' })).toMatchObject({ letter: null, total: 50 })
  })
})
