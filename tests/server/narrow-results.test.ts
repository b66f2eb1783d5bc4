import type { Db } from '#db/engine/client.ts'
import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { refreshSearch } from '#db/search/refresh-search.ts'
import { dosageForms } from '#domain/catalog/catalog.ts'
import { newId } from '#domain/ids.ts'
import { priceBands } from '#domain/search/facets.ts'
import { searchProducts, type ProductSearch } from '#server/search/search-products.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { seeded } from '#tests/support/seeded.ts'
import { beforeAll, expect, test } from 'vitest'

type Sold = { form: string; inStock: boolean; priceCents: number | null }
type Medicine = { id: string; category: 'Rx' | 'OTC'; shipsTo: string[]; sold: Sold[] }

/** Whether a medicine matches, decided from its variants one by one. */
function isMatch({ category, shipsTo, sold }: Medicine, search: ProductSearch): boolean {
  const band = priceBands.findIndex(({ key }) => key === search.price)
  const from = (priceBands[band - 1]?.below ?? 0) * 100
  const below = (priceBands[band]?.below ?? Infinity) * 100
  return (
    (!search.category || category === search.category) &&
    (!search.shipsTo || shipsTo.includes(search.shipsTo)) &&
    (!(search.form || search.stock || search.price) ||
      sold.some(
        ({ form, inStock, priceCents }) =>
          (!search.form || form === search.form) &&
          (!search.stock || inStock) &&
          (!search.price ||
            (priceCents !== null && priceCents > 0 && priceCents >= from && priceCents < below)),
      ))
  )
}

eachEngine((_engine, openDb) => {
  let db: Db
  const medicines: Medicine[] = []

  beforeAll(async () => {
    db = await openDb()
    const pharmacies = [
      { id: newId(), name: 'North', shipsTo: ['Canada', 'United States'], active: true },
      { id: newId(), name: 'South', shipsTo: ['Mexico', 'USA'], active: true },
      { id: newId(), name: 'Closed', shipsTo: ['Canada'], active: false },
    ]
    for (const { shipsTo, ...pharmacy } of pharmacies)
      await db
        .insertInto('pharmacies')
        .values({
          ...pharmacy,
          country: 'Canada',
          licenseNumber: 'L1',
          licenseExpiry: '2030-01-01',
          shipsTo: JSON.stringify(shipsTo),
          createdAt: testDay,
          updatedAt: testDay,
        })
        .execute()
    const reach = [
      ['Canada', 'United States'],
      ['Mexico', 'United States'],
      [],
      ['Canada', 'Mexico', 'United States'],
    ]
    const random = seeded(17)
    const pick = <Value>(values: readonly Value[]): Value =>
      values[Math.floor(random() * values.length)] as Value
    for (let i = 0; i < 30; i++) {
      const place = Math.floor(random() * 4)
      const category = pick(['Rx', 'OTC'] as const)
      const pharmacyId = pharmacies[place]?.id ?? null
      const id = await addProduct(db, { name: `Medicine ${i}`, category, pharmacyId, unitsSold: i % 7 })
      const sold: Sold[] = []
      for (let count = Math.floor(random() * 4); count > 0; count--) {
        const dosageForm = pick([...dosageForms.slice(0, 3), null])
        const priceCents = pick([null, 0, 999, 1000, 2499, 2500, 4999, 5000, 9999, 10_000])
        const inStock = random() < 0.5
        await addVariant(db, {
          productId: id,
          dosageForm,
          priceCents,
          inStock,
          packageSize: pick([1, 7, 30]),
        })
        sold.push({ form: dosageForm ?? 'other', inStock, priceCents })
      }
      medicines.push({ id, category, shipsTo: reach[place] ?? [], sold })
    }
    const ids = medicines.map(({ id }) => id)
    await refreshProductSummaries(db, ids)
    await refreshSearch(db, ids)
  })

  const find = (search: ProductSearch) =>
    searchProducts({ reads: db }, { limit: 100, facets: true, ...search })
  const expected = (search: ProductSearch): string[] =>
    medicines.filter((medicine) => isMatch(medicine, search)).map(({ id }) => id)

  test.each<ProductSearch>([
    {},
    { q: 'medicine' },
    { q: 'medicine', stock: 'in' },
    { form: 'tablet', stock: 'in' },
    { category: 'OTC', price: '10-25' },
    { category: 'Rx', form: 'other', stock: 'in', price: 'over-100', shipsTo: 'Canada' },
    { q: 'medicine', shipsTo: 'Mexico', price: 'under-10' },
  ])('every count beside the results of %j is the number of results behind it', async (search) => {
    const found = await find(search)
    expect(found.products.map(({ id }) => id).toSorted()).toEqual(expected(search).toSorted())
    expect(found.total).toBe(expected(search).length)
    const { facets } = found
    if (!facets) throw new Error('no facets')
    const links: { search: ProductSearch; products: number }[] = [
      ...(['category', 'form', 'price', 'shipsTo'] as const).flatMap((name) =>
        facets[name].map(({ value, products }) => ({ search: { ...search, [name]: value }, products })),
      ),
      { search: { ...search, stock: 'in' }, products: facets.inStock },
    ]
    for (const link of links) {
      expect(link.products, JSON.stringify(link.search)).toBe(expected(link.search).length)
      expect((await find(link.search)).total, JSON.stringify(link.search)).toBe(link.products)
    }
  })

  test('a country is the same under each of its names', async () => {
    const named = await find({ shipsTo: 'United States' })
    expect((await find({ shipsTo: 'usa' })).total).toBe(named.total)
    expect(named.facets?.shipsTo.map(({ value }) => value)).toEqual(['Canada', 'Mexico', 'United States'])
    expect((await find({ shipsTo: 'Atlantis' })).total).toBe(0)
  })

  test.each(['price', 'price-desc', 'unit-price', 'name', 'popularity'])(
    'sorting by %s keeps all results, page by page',
    async (sort) => {
      const all = (await find({ q: 'medicine', sort })).products
      expect(all.map(({ id }) => id).toSorted()).toEqual(expected({}).toSorted())
      const pages = await Promise.all(
        [1, 2, 3, 9].map((page) => find({ sort, q: 'medicine', page, limit: 10 })),
      )
      expect(pages.slice(0, 3).flatMap(({ products }) => products)).toEqual(all)
      expect(pages[3]).toMatchObject({ page: 3, pageCount: 3 })
      const prices = all.map(({ priceMin, priceMax }) =>
        Number((sort === 'price' ? priceMin : priceMax) ?? NaN),
      )
      const known = prices.filter((price) => !Number.isNaN(price))
      if (sort === 'price') expect(prices.slice(0, known.length)).toEqual(known.toSorted((a, b) => a - b))
      if (sort === 'price-desc')
        expect(prices.slice(0, known.length)).toEqual(known.toSorted((a, b) => b - a))
      if (sort === 'unit-price') {
        const units = all.flatMap(({ unitPrice }) =>
          unitPrice ? [Number(/[\d.]+/.exec(unitPrice)?.[0])] : [],
        )
        expect(units.length).toBe(known.length)
        expect(units).toEqual(units.toSorted((a, b) => a - b))
      }
    },
  )

  test('an edit of a variant changes the counts', async () => {
    const countInStock = async () =>
      (await Promise.all([find({}), find({ q: 'medicine' })])).map(({ facets }) => facets?.inStock)
    const before = (await find({})).facets?.inStock ?? 0
    const [medicine] = medicines.filter(({ sold }) => sold.length > 0 && !sold.some(({ inStock }) => inStock))
    if (!medicine) throw new Error('no medicine is out of stock')
    await db
      .updateTable('productVariants')
      .set({ inStock: true })
      .where('productId', '=', medicine.id)
      .execute()
    await refreshProductSummaries(db, [medicine.id])
    expect(await countInStock()).toEqual([before + 1, before + 1])
  })
})
