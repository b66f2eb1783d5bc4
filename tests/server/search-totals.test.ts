import { rebuildSearch } from '#db/search/rebuild-search.ts'
import { findKnownTotal } from '#db/search/known-totals.ts'
import { refreshSearch } from '#db/search/refresh-search.ts'
import { searchProducts } from '#server/search/search-products.ts'
import { addProduct, testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

const medicines = 230

eachEngine((engine, openDb) => {
  test('a total of many matches is kept from the second count on, until the catalog changes', async () => {
    const db = await openDb()
    const count = async (text: string, counted: number) => {
      const { total, keep } = await findKnownTotal(db, { text: `${engine} ${text}`, countTo: 1001 })
      if (total === null) keep(counted)
      return total
    }
    expect([await count('many', 200), await count('many', 200), await count('many', 0)]).toEqual([
      null,
      null,
      200,
    ])
    expect([await count('few', 199), await count('few', 199), await count('few', 199)]).toEqual([
      null,
      null,
      null,
    ])
    await addProduct(db)
    await rebuildSearch(db)
    expect([await count('many', 201), await count('many', 0)]).toEqual([null, 201])
  })

  test('a word of many products has the same results when its total is known, until the catalog changes', async () => {
    const db = await openDb()
    const ids: string[] = []
    for (let n = 0; n < medicines; n++)
      ids.push(await addProduct(db, { name: `Sample ${n % 2 ? 'sodium' : 'sodiumate'} ${n}`, unitsSold: n }))
    await rebuildSearch(db)
    // The whole word has a tier of its own, a prefix only the last one.
    const searches = [
      { q: 'sample' },
      { q: 'samp' },
      { q: 'sodium' },
      { q: 'sodium', page: 3 },
      { q: 'sample', page: 10 },
      { q: 'sample', category: 'Rx' },
    ]
    const findAll = async () => {
      const results = []
      for (const search of searches) results.push(await searchProducts({ reads: db }, search))
      return results
    }
    const first = await findAll()
    expect(first.map(({ total }) => total)).toEqual([230, 230, 230, 230, 230, 0])
    // The second count is kept, and the third search has it.
    await findAll()
    expect(await findAll()).toEqual(first)

    const removed = ids.slice(0, 10)
    await db.updateTable('products').set({ deletedAt: testDay }).where('id', 'in', removed).execute()
    await refreshSearch(db, removed)
    const fewer = await findAll()
    expect(fewer.map(({ total }) => total)).toEqual([220, 220, 220, 220, 220, 0])
    await findAll()
    expect(await findAll()).toEqual(fewer)
  })
})
