import { rebuildSearch } from '#db/search/rebuild-search.ts'
import { newId } from '#domain/ids.ts'
import { fold } from '#domain/text.ts'
import { searchProducts } from '#server/search/search-products.ts'
import { suggestProducts } from '#server/search/suggest-products.ts'
import { addProduct, testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'
import { addMedicine } from './search-support.ts'

eachEngine((_engine, openDb) => {
  test('a plain medicine comes before its combinations, and products of one name say how they differ', async () => {
    const db = await openDb()
    for (const [name, route, unitsSold] of [
      ['Naloxone', 'injection', 0],
      ['Naloxone', 'nasal', 1],
      ['Naloxone and buprenorphine', 'oral', 90],
      ['Pentazocine and naloxone', 'oral', 80],
    ] as const)
      await addMedicine(db, { name, route, unitsSold, category: 'Rx' }, [{ genericName: 'naloxone' }])
    await rebuildSearch(db)
    for (const q of ['naloxone', 'nalox', 'naloxone pill'])
      expect((await searchProducts({ reads: db }, { q })).products.map(({ name }) => name)).toEqual([
        'Naloxone',
        'Naloxone',
        'Naloxone and buprenorphine',
        'Pentazocine and naloxone',
      ])
    const suggestions = await suggestProducts({ reads: db }, 'nalox')
    expect(suggestions.slice(0, 2).map(({ label, hint }) => `${label}, ${hint}`)).toEqual([
      'Naloxone, nasal · tablet · Rx',
      'Naloxone, injection · tablet · Rx',
    ])
    expect(new Set(suggestions.map(({ label, hint }) => `${label} ${hint}`)).size).toBe(suggestions.length)
    const [mist] = (await searchProducts({ reads: db }, { q: 'nose spray naloxone' })).products
    expect(mist).toMatchObject({ name: 'Naloxone', route: 'nasal' })
  })

  test('the medicine of exactly this name is suggested before a longer name that sells more', async () => {
    const db = await openDb()
    await addMedicine(db, { name: 'Testosterone cypionate', unitsSold: 90 }, [
      { genericName: 'Testosterone' },
    ])
    await addMedicine(db, { name: 'Testosterone', unitsSold: 1 }, [{ genericName: 'Testosterone' }])
    await rebuildSearch(db)
    const suggested = await suggestProducts({ reads: db }, 'testosterone')
    expect(suggested.map(({ label }) => label)).toEqual(['Testosterone', 'Testosterone cypionate'])
  })

  test('without terms all products are listed in order, and pages do not overlap', async () => {
    const db = await openDb()
    for (const [name, unitsSold] of [
      ['B', 0],
      ['C', 7],
      ['A', 0],
      ['D', 9],
      ['E', 0],
    ] as const) {
      await addProduct(db, { name, unitsSold, category: name === 'E' ? 'Rx' : 'OTC' })
    }
    await rebuildSearch(db)
    const page = async (at: number, category?: string): Promise<string> => {
      const { products } = await searchProducts({ reads: db }, { page: at, limit: 2, category })
      return products.map(({ name }) => name).join('')
    }
    expect(await Promise.all([page(1), page(2), page(3), page(4)])).toEqual(['DC', 'AB', 'E', 'E'])
    expect(await Promise.all([page(1, 'OTC'), page(2, 'OTC')])).toEqual(['DC', 'AB'])
    expect(await searchProducts({ reads: db }, { limit: 2 })).toMatchObject({
      total: 5,
      pageCount: 3,
      totalIsCapped: false,
    })
  })

  test('a search for a brand counts its other medicines with those of its generic name', async () => {
    const db = await openDb()
    await addMedicine(db, { name: 'Ibuprofen' })
    for (let i = 0; i < 7; i++)
      await addMedicine(db, { name: `Mixture ${i}` }, [{ brandName: `Advil Cold ${i}` }])
    for (const facets of [false, true]) {
      const found = await searchProducts({ reads: db }, { q: 'advil', limit: 2, facets })
      expect(found).toMatchObject({ total: 8, pageCount: 4 })
      expect(found.products[0]).toMatchObject({ name: 'Ibuprofen' })
    }
  })

  test('a common word is counted to a thousand, and its pages follow one order', async () => {
    const db = await openDb()
    const products = Array.from({ length: 1100 }, (_, i) => ({
      id: newId(),
      name: `Common ${String((i * 7919) % 1100).padStart(4, '0')}`,
      unitsSold: i % 3,
    }))
    await db
      .insertInto('products')
      .values(
        products.map((product) => ({
          ...product,
          sortName: fold(product.name),
          category: 'OTC' as const,
          createdAt: testDay,
          updatedAt: testDay,
        })),
      )
      .execute()
    await rebuildSearch(db)
    const inOrder = products
      .toSorted((a, b) => b.unitsSold - a.unitsSold || (a.name < b.name ? -1 : 1))
      .map(({ name }) => name)
    const found: string[] = []
    for (let page = 1; page <= 10; page++) {
      const result = await searchProducts({ reads: db }, { q: 'common', page, limit: 100 })
      expect(result).toMatchObject({ total: 1000, totalIsCapped: true, page, pageCount: 10 })
      found.push(...result.products.map(({ name }) => name))
    }
    expect(found).toEqual(inOrder.slice(0, 1000))
  })
})
