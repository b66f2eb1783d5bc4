import type { Db } from '#db/engine/client.ts'
import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { refreshSearch } from '#db/search/refresh-search.ts'
import { searchProducts, type ProductSearch } from '#server/search/search-products.ts'
import { suggestProducts } from '#server/search/suggest-products.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { beforeAll, expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  let db: Db
  const find = (search: ProductSearch) => searchProducts({ reads: db }, { byNeed: true, ...search })
  const namesOf = async (q: string, search: ProductSearch = {}) =>
    (await find({ q, ...search })).products.map(({ name }) => name)

  async function addMedicine(
    product: Parameters<typeof addProduct>[1] & object,
    ingredients: readonly string[],
    variant: Partial<Parameters<typeof addVariant>[1]> = {},
  ): Promise<void> {
    const productId = await addProduct(db, product)
    await addVariant(db, { genericName: product.name ?? '', ...variant, productId })
    for (const ingredient of ingredients)
      await db.insertInto('productIngredients').values({ productId, ingredient }).execute()
    await refreshProductSummaries(db, [productId])
    await refreshSearch(db, [productId])
  }

  beforeAll(async () => {
    db = await openDb()
    const classes = [
      ['FAMOTIDINE', 'EPC', '', 'Histamine-2 Receptor Antagonist'],
      ['FAMOTIDINE', 'ATC', 'A02BA03', 'FAMOTIDINE'],
      ['OMEPRAZOLE', 'EPC', '', 'Proton Pump Inhibitor'],
      ['CLOTRIMAZOLE', 'ATC', 'D01AC01', 'CLOTRIMAZOLE'],
      ['CLOTRIMAZOLE', 'EPC', '', 'Azole Antifungal'],
      ['VORICONAZOLE', 'EPC', '', 'Azole Antifungal'],
      ['ACETAMINOPHEN', 'ATC', 'N02BE01', 'ACETAMINOPHEN'],
      ['ASPIRIN', 'ATC', 'N02BA01', 'ASPIRIN'],
    ] as const
    for (const [ingredient, system, code, name] of classes)
      await db.insertInto('careClasses').values({ ingredient, system, code, name, source: 'test' }).execute()
    await addMedicine({ name: 'Omeprazole', category: 'Rx', route: 'oral', unitsSold: 90 }, ['OMEPRAZOLE'])
    await addMedicine({ name: 'Famotidine', category: 'OTC', route: 'oral' }, ['FAMOTIDINE'])
    await addMedicine({ name: 'Famotidine and ibuprofen', category: 'OTC', route: 'oral', unitsSold: 50 }, [
      'FAMOTIDINE',
      'IBUPROFEN',
    ])
    await addMedicine({ name: 'Famotidine solution', category: 'Rx', route: 'injection' }, ['FAMOTIDINE'])
    await addMedicine({ name: 'Clotrimazole', category: 'OTC', route: 'topical' }, ['CLOTRIMAZOLE'], {
      dosageForm: 'cream',
    })
    await addMedicine({ name: 'Voriconazole', category: 'Rx', route: 'oral' }, ['VORICONAZOLE'])
    await addMedicine({ name: 'Acetaminophen', category: 'OTC', route: 'oral' }, ['ACETAMINOPHEN'], {
      brandName: "Children's Tylenol",
    })
    await addMedicine({ name: 'Aspirin', category: 'OTC', route: 'oral', unitsSold: 99 }, ['ASPIRIN'])
    await addMedicine({ name: 'Aconite and camphor', category: 'OTC', route: 'oral' }, [], {
      brandName: 'Fever',
    })
    await addMedicine({ name: 'Charcoal', category: 'OTC' }, [], { brandName: 'Chest Pain Overdose Kit' })
  })

  test('a lay term finds the medicines of its classes, without a prescription first', async () => {
    const found = await find({ q: 'medicine for heart burn' })
    expect(found.products.map(({ name }) => name)).toEqual([
      'Famotidine',
      'Famotidine and ibuprofen',
      'Omeprazole',
    ])
    expect(found).toMatchObject({ total: 3, note: null, need: { term: 'heartburn' }, emergency: null })
    expect(found.need?.classes.map(({ name }) => name)).toContain('Proton Pump Inhibitor')
    expect(await namesOf('heartburn', { category: 'Rx' })).toEqual(['Omeprazole'])
    expect(await namesOf('heartburn', { page: 2, limit: 2 })).toEqual(['Omeprazole'])
  })

  test('the route keeps medicines for elsewhere in the body out', async () => {
    expect(await namesOf('athlete’s foot')).toEqual(['Clotrimazole'])
    expect(await namesOf('athletes foot cream')).toEqual(['Clotrimazole'])
    expect(await namesOf('eye heartburn')).toEqual([])
  })

  test('a brand named after the need comes after the medicines of its classes', async () => {
    expect(await namesOf('fever')).toEqual(['Aspirin', 'Acetaminophen', 'Aconite and camphor'])
    expect(await namesOf('fiebre')).toEqual(['Aspirin', 'Acetaminophen', 'Aconite and camphor'])
  })

  test('for a child only medicines with a label for children are found', async () => {
    expect(await find({ q: 'kids fever' })).toMatchObject({
      products: [{ name: 'Acetaminophen' }],
      need: { term: 'fever', forChild: true },
    })
    expect((await find({ q: 'heartburn for kids' })).need).toBeNull()
  })

  test('suggestions have lay terms with their classes, apart from products', async () => {
    const [first, ...others] = await suggestProducts({ reads: db }, 'heartb')
    expect(first).toMatchObject({ group: 'Classes', label: 'Heartburn', href: '/products?q=heartburn' })
    expect(first?.hint).toBe('H2 blockers and 3 more')
    expect(others).toEqual([])
    expect((await suggestProducts({ reads: db }, 'char')).map(({ group }) => group)).toEqual(['Medicines'])
  })

  test('a mistyped term is found when no name is', async () => {
    expect(await namesOf('heartburm')).toContain('Omeprazole')
    expect((await find({ q: 'omeprazole' })).need).toBeNull()
  })

  test('a term without medicines of its classes does nothing', async () => {
    expect(await find({ q: 'migraine' })).toMatchObject({ total: 0, need: null, emergency: null })
  })

  test('an emergency finds no medicine, not even in suggestions', async () => {
    expect(await find({ q: 'chest pain' })).toMatchObject({
      total: 0,
      products: [],
      emergency: { kind: 'emergency', language: 'en' },
    })
    expect(await find({ q: 'famotidine overdose' })).toMatchObject({
      total: 0,
      emergency: { kind: 'poison', language: 'en' },
    })
    expect(await find({ q: 'chest pain', manufacturerId: 'x', category: 'x' })).toMatchObject({
      emergency: { kind: 'emergency', language: 'en' },
    })
    expect(await suggestProducts({ reads: db }, 'chest pain')).toEqual([])
    expect(await suggestProducts({ reads: db }, `famotidine ${'please '.repeat(40)}chest pain`)).toEqual([])
    // The staff looks for names only.
    expect((await searchProducts({ reads: db }, { q: 'chest pain overdose' })).total).toBe(1)
    expect((await searchProducts({ reads: db }, { q: 'heartburn' })).need).toBeNull()
  })
})
