import type { Db } from '#db/engine/client.ts'
import { rebuildSearch } from '#db/search/rebuild-search.ts'
import { newId } from '#domain/ids.ts'
import { paths } from '#domain/paths.ts'
import { parseSearchQuery, type SearchQuery } from '#domain/search/search-query.ts'
import { fold } from '#domain/text.ts'
import { searchProducts, type ProductSearch } from '#server/search/search-products.ts'
import { listRepairs } from '#server/search/list-repairs.ts'
import { suggestProducts } from '#server/search/suggest-products.ts'
import { testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { withinCpuMs } from '#tests/support/within-cpu-ms.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { addMedicine } from './search-support.ts'

async function addManufacturer(db: Db, name: string): Promise<string> {
  const id = newId()
  await db
    .insertInto('manufacturers')
    .values({ id, name, nameKey: fold(name), createdAt: testDay, updatedAt: testDay })
    .execute()
  return id
}

function parse(text: string): SearchQuery {
  const query = parseSearchQuery(text)
  if (!query) throw new Error(`“${text}” has no words.`)
  return query
}

eachEngine((_engine, openDb) => {
  describe('a small shop', () => {
    let db: Db
    let sandoz: string
    let sertraline: { productId: string; variantIds: string[] }
    const names = async (search: ProductSearch | string): Promise<string[]> => {
      const { products } = await searchProducts(
        { reads: db },
        typeof search === 'string' ? { q: search } : search,
      )
      return products.map(({ name }) => name)
    }

    beforeAll(async () => {
      db = await openDb()
      sandoz = await addManufacturer(db, 'Sandoz Inc')
      sertraline = await addMedicine(db, { name: 'Sertraline', category: 'Rx' }, [
        {
          brandName: 'Zoloft',
          strength: '50',
          labelForm: 'TABLET, FILM COATED',
          ndc: '0049-4900-30',
          upc: '300494900306',
        },
        { strength: '100', manufacturerId: sandoz, din: '02245824' },
        { strength: '25', dosageForm: 'capsule', labelForm: 'CAPSULE' },
      ])
      await addMedicine(db, { name: 'Metformin', category: 'Rx' }, [
        { brandName: 'Glucophage', strength: '500', ndc: '13668-016-61' },
        { strength: '1000' },
      ])
      await addMedicine(db, { name: 'Metformin and sitagliptin', category: 'Rx' }, [
        { brandName: 'Janumet', strength: '50/500', labelStrength: '50 mg; 500 mg', ndc: '13668-166-01' },
      ])
      await addMedicine(db, { name: 'Methotrexate', category: 'Rx', unitsSold: 50 }, [{ strength: '2.5' }])
      await addMedicine(db, { name: 'Levothyroxine', category: 'Rx' }, [
        { strength: '50', strengthUnit: 'mcg' },
      ])
      await addMedicine(db, { name: 'Cobalamin' }, [
        { brandName: 'Vitamin B-12', strength: '1,000', strengthUnit: 'mcg' },
      ])
      await addMedicine(db, { name: 'Acetaminophen' }, [
        { brandName: 'Comprimés d’acétaminophène extra-puissants', strength: '500' },
        { brandName: "Children's Tylenol", strength: '32', strengthUnit: 'mg/mL', dosageForm: 'liquid' },
      ])
      await addMedicine(db, { name: 'Sulfamethoxazole and trimethoprim' }, [{ brandName: 'Co-Trimoxazole' }])
    })

    test.each([
      ['0049-4900-30', 'Zoloft 50'],
      ['NDC 00049-4900-30', 'Zoloft 50'],
      ['00049490030', 'Zoloft 50'],
      ['0049-4900', 'Zoloft 50'],
      ['3 00494 90030 6', 'Zoloft 50'],
      ['DIN 02245824', '100'],
      ['2245824', '100'],
    ])('%s finds the variant that carries it', async (q, what) => {
      const { products, total } = await searchProducts({ reads: db }, { q })
      expect(products).toHaveLength(1)
      expect(total).toBe(1)
      expect(products[0]?.matchedVariantId).toBe(sertraline.variantIds[what === '100' ? 1 : 0])
    })

    test('the card shows which identifier matched', async () => {
      const [byNdc] = (await searchProducts({ reads: db }, { ndc: '00049-4900-30' })).products
      expect(byNdc?.matchedIdentifier).toBe('NDC 0049-4900-30')
      const [byDin] = (await searchProducts({ reads: db }, { din: '2245824' })).products
      expect(byDin?.matchedIdentifier).toBe('DIN 02245824')
      const [byUpc] = (await searchProducts({ reads: db }, { upc: '0300494900306' })).products
      expect(byUpc?.matchedIdentifier).toBe('UPC 300494900306')
      const [byName] = (await searchProducts({ reads: db }, { q: 'sertraline' })).products
      expect(byName).toMatchObject({ matchedVariantId: null, matchedIdentifier: null })
    })

    test('ten digits that fit two packages match both', async () => {
      expect(await names('1366801661')).toEqual(['Metformin', 'Metformin and sitagliptin'])
    })

    test('a wrong check digit finds nothing, with a note', async () => {
      expect(await searchProducts({ reads: db }, { q: '300494900307' })).toMatchObject({
        products: [],
        total: 0,
        note: 'bad-check-digit',
      })
      expect(await searchProducts({ reads: db }, { upc: '300494900307' })).toMatchObject({
        note: 'bad-check-digit',
      })
    })

    test('identifiers, words and filters are combined', async () => {
      expect(await names({ ndc: '0049-4900-30', q: 'zoloft' })).toEqual(['Sertraline'])
      expect(await names({ ndc: '0049-4900-30', q: 'metformin' })).toEqual([])
      expect(await names({ ndc: '0049-4900-30', upc: '300494900306' })).toEqual(['Sertraline'])
      expect(await names({ ndc: '0049-4900-30', din: '02245824' })).toEqual([])
      expect(await names({ ndc: '0049-4900-30', category: 'OTC' })).toEqual([])
      expect(await names({ din: '02245824', manufacturerId: sandoz })).toEqual(['Sertraline'])
      expect(await names({ ndc: '0049-4900-30', manufacturerId: sandoz })).toEqual([])
      expect(await names({ manufacturerId: sandoz })).toEqual(['Sertraline'])
      expect(await names({ manufacturerId: sandoz, q: 'tablet' })).toEqual(['Sertraline'])
      expect(await names({ manufacturerId: newId() })).toEqual([])
      expect(await names({ manufacturerId: 'none of ours' })).toEqual([])
      expect(await names({ q: 'm', category: 'OTC' })).not.toContain('Metformin')
      expect(await names({ category: 'Vet' })).toEqual([])
    })

    test('an identifier among words is looked up, and its digits are never strengths', async () => {
      const found = await searchProducts({ reads: db }, { q: 'zoloft NDC 0049-4900-30 tablets' })
      expect(found.products.map(({ matchedIdentifier }) => matchedIdentifier)).toEqual(['NDC 0049-4900-30'])
      expect(found).toMatchObject({ note: null, relaxed: null })
      for (const q of ['metformin 0049-4900-30', 'sertraline 0000-0000-00', 'sertraline 02999999'])
        expect(await names(q)).toEqual([])
      expect(await names('sertraline 300494900307')).toEqual([])
      expect((await suggestProducts({ reads: db }, 'sertraline 0000-0000-00')).length).toBe(0)
    })

    test('an exact name ranks before prefixes, whatever sells more', async () => {
      expect(await names('metformin')).toEqual(['Metformin', 'Metformin and sitagliptin'])
      expect(await names('met')).toEqual(['Methotrexate', 'Metformin', 'Metformin and sitagliptin'])
    })

    test.each([
      ['zoloft', 'Sertraline'],
      ['  zOLoFT ', 'Sertraline'],
      ['janumet', 'Metformin and sitagliptin'],
      ['sertraline tablet 100mg', 'Sertraline'],
      ['100 MG Sertraline tabs', 'Sertraline'],
      ['metformin 500 mg tablet', 'Metformin'],
      ['sitagliptin metformin', 'Metformin and sitagliptin'],
      ['comprimes d acetaminophene', 'Acetaminophen'],
      ['COMPRIMÉS D’ACÉTAMINOPHÈNE EXTRA-PUISSANTS', 'Acetaminophen'],
      ['childrens tylenol', 'Acetaminophen'],
      ['cotrimoxazole', 'Sulfamethoxazole and trimethoprim'],
      ['vitamin b12', 'Cobalamin'],
      ['vitamin b 12 1000 mcg', 'Cobalamin'],
      ['vitamin b-12 1000mcg', 'Cobalamin'],
      ['levothyroxine 50 µg', 'Levothyroxine'],
      ['levothyroxine 0.05 mg', 'Levothyroxine'],
      ['sandoz sertraline', 'Sertraline'],
      ['sertr tabl', 'Sertraline'],
      ['sertraline tabl', 'Sertraline'],
      ['metformin usp', 'Metformin'],
    ])('"%s" finds %s first', async (q, first) => {
      expect((await names(q))[0] ?? '').toBe(first)
    })

    test('strength and form must be in one variant, or in two when no variant has both', async () => {
      expect(await names('sertraline 25 mg capsule')).toEqual(['Sertraline'])
      await addMedicine(db, { name: 'Sertraline oral concentrate' }, [
        { strength: '25', dosageForm: 'liquid', labelForm: 'SOLUTION' },
        { strength: '20', dosageForm: 'capsule', labelForm: 'CAPSULE' },
      ])
      expect(await names('sertraline 25 mg capsule')).toEqual(['Sertraline'])
      expect(await names('concentrate 25 mg capsule')).toEqual(['Sertraline oral concentrate'])
    })

    test.each([
      ['sertralnie', 'sertraline'],
      ['setraline', 'sertraline'],
      ['sertrallline 100mg', 'sertraline 100mg'],
      ['sertrralline', 'sertraline'],
      ['serlinetra', 'sertraline'],
      ['metforminmin', 'metformin'],
      ['traserline', 'sertraline'],
      ['mitfermin', 'metformin'],
      ['zertraline', 'sertraline'],
      ['metformni 500mg', 'metformin 500mg'],
      ['glucphage', 'glucophage'],
      ['paracetamol', 'acetaminophen'],
      ['metphormin 500 mg', 'metformin 500mg'],
      ['mertforrmim', null],
    ])('likely typos are corrected: %s', async (q, repairedQuery) => {
      const result = await searchProducts({ reads: db }, { q })
      expect(result.repairedQuery).toBe(repairedQuery)
      expect(result.note).toBe(repairedQuery ? 'repaired' : null)
      expect(result.products.length > 0).toBe(repairedQuery !== null)
    })

    test('a word with many neighbors, twelve times, has no more repairs than once', async () => {
      const own = await openDb()
      for (const name of ['Bralox', 'Cralox', 'Dralox', 'Fralox']) await addMedicine(own, { name })
      const { repairedQuery } = await searchProducts({ reads: own }, { q: 'zralox' })
      const { texts } = await listRepairs(own, parse('zralox '.repeat(12)))
      expect(texts).toHaveLength(6)
      expect(texts[0]).toBe(`${repairedQuery} `.repeat(12).trim())
    })

    test('a word misspelled in a directory also finds the common spelling', async () => {
      for (let i = 0; i < 20; i++) await addMedicine(db, { name: `Loratadine ${i}` })
      await addMedicine(db, { name: 'Pseudoephedrine and loratidine' }, [{ genericName: 'Tablet of both' }])
      await rebuildSearch(db)
      const { products, total, repairedQuery } = await searchProducts({ reads: db }, { q: 'loratidine' })
      expect(products.slice(0, 2).map(({ name }) => name)).toEqual([
        'Pseudoephedrine and loratidine',
        'Loratadine 0',
      ])
      expect({ total, repairedQuery }).toEqual({ total: 21, repairedQuery: 'loratadine' })
    })

    test('a misspelled name has the same pages, filters and counts as the name', async () => {
      for (let i = 0; i < 30; i++)
        await addMedicine(db, { name: `Flunarizine ${i}`, category: i % 3 === 0 ? 'OTC' : 'Rx' })
      await rebuildSearch(db)
      for (const params of [
        {},
        { page: 2 },
        { category: 'OTC' },
        { facets: true },
        { form: 'tablet', page: 2 },
      ]) {
        const found = async (q: string) => {
          const { products, total, page, pageCount, facets } = await searchProducts(
            { reads: db },
            { q, ...params },
          )
          return { names: products.map(({ name }) => name), total, page, pageCount, facets }
        }
        const named = await found('flunarizine')
        expect(named.total).toBeGreaterThan(9)
        expect(await found('flunarizime'), JSON.stringify(params)).toEqual(named)
      }
    })

    test.each([
      ['metformin pen', ['pen'], 'Metformin', null],
      ['blood pressure pills metformin', ['blood pressure'], 'Metformin pills', null],
      ['metformni for diabetes', ['diabetes'], 'Metformin', 'metformin'],
      ['eye drops zoloft 50', ['eye drops'], 'Zoloft 50', null],
      ['levothyroxnie 1%', ['1%'], 'Levothyroxine', 'levothyroxine'],
      ['zoloft xyzzyq', ['xyzzyq'], 'Zoloft', null],
      ['generic version of zoloft', ['generic version'], 'Zoloft', null],
    ])('words without a match are ignored, and named: %s', async (q, ignored, shown, repairedQuery) => {
      const result = await searchProducts({ reads: db }, { q })
      expect(result).toMatchObject({ note: 'relaxed', repairedQuery, relaxed: { ignored, shown } })
      expect(result.relaxed?.sentence).toBe(`No match for “${ignored[0] ?? ''}”; showing ${shown}.`)
      expect(result.products.length).toBeGreaterThan(0)
    })

    test.each([
      'chest pain',
      'xyzzyq tablet',
      'xyzzyq d’xyzzyk',
      '0049-4900-31 tablet',
      '00049490031',
      'DIN 02245825',
      'ABCD-4900-30',
      '1234567 pills',
    ])('what names no medicine of ours finds nothing: %s', async (q) => {
      expect(await searchProducts({ reads: db }, { q })).toMatchObject({ total: 0, relaxed: null })
    })

    test('a brand that is not sold here finds the medicine of its ingredient', async () => {
      expect(await searchProducts({ reads: db }, { q: 'synthroid 50' })).toMatchObject({
        products: [{ name: 'Levothyroxine' }],
        repairedQuery: 'levothyroxine 50',
      })
      await db
        .insertInto('careBrands')
        .values({ brandKey: 'FORTAMET', brand: 'Fortamet', ingredient: 'METFORMIN' })
        .execute()
      expect(await names('fortamet for diabetes')).toContain('Metformin')
      expect(await names('synthroyd')).toEqual(['Levothyroxine'])
    })

    test('the ingredient comes before combinations under a longer brand', async () => {
      await addMedicine(db, { name: 'Naproxen', category: 'OTC' }, [{ strength: '220' }])
      await addMedicine(db, { name: 'Naproxen and pseudoephedrine', category: 'OTC', unitsSold: 50 }, [
        { brandName: 'Aleve Cold', strength: '220' },
      ])
      const found = await searchProducts({ reads: db }, { q: 'aleve 220' })
      expect(found.products.map(({ name }) => name)).toEqual(['Naproxen', 'Naproxen and pseudoephedrine'])
      expect(found).toMatchObject({ note: null, total: 2 })
    })

    test('a query with results is not corrected', async () => {
      expect(await searchProducts({ reads: db }, { q: 'metformin' })).toMatchObject({
        note: null,
        repairedQuery: null,
      })
    })

    test.each([
      'x'.repeat(100_000),
      'sertraline '.repeat(10_000),
      '%_\\\'"`;--',
      '" OR 1=1 --',
      'sertraline" OR "',
      'sertraline* AND NOT (a OR b) NEAR/2 ^c',
      "sertraline':* & !('x')",
      '\uD800\uDFFF\uD800 lone',
      'ser\u0000traline',
      '::: {} [] ()',
      '😀',
      '०१२३ ٣٤ ⅷ',
      '1'.repeat(500),
    ])('a hostile query is answered quickly and without errors (%#)', async (q) => {
      const requests: (() => Promise<object>)[] = [
        () => searchProducts({ reads: db }, { q }),
        () => suggestProducts({ reads: db }, q),
        ...['ndc', 'din', 'upc', 'manufacturerId', 'category'].map(
          (field) => () => searchProducts({ reads: db }, { [field]: q }),
        ),
      ]
      for (const request of requests) {
        expect(await withinCpuMs(200, request)).toBeDefined()
      }
    })

    test.each([-1, 0, 1e9, Number.NaN, Number.POSITIVE_INFINITY, 1.5])(
      'page %s is clamped to an existing page',
      async (page) => {
        const all = await searchProducts({ reads: db }, { page, limit: 2 })
        expect(all.page).toBeGreaterThanOrEqual(1)
        expect(all.page).toBeLessThanOrEqual(all.pageCount)
        expect(all.products.length).toBeGreaterThan(0)
        const found = await searchProducts({ reads: db }, { q: 'met', page, limit: 2 })
        expect(found.page).toBeLessThanOrEqual(found.pageCount)
        expect(found.products.length).toBeGreaterThan(0)
      },
    )

    test('suggestions are products and brands that start with the text, identifiers, else search results', async () => {
      const suggest = async (typed: string): Promise<string[]> =>
        (await suggestProducts({ reads: db }, typed)).map(({ group, label }) => `${group}: ${label}`)
      expect(await suggest('met')).toEqual([
        'Medicines: Methotrexate',
        'Medicines: Metformin',
        'Medicines: Metformin and sitagliptin',
      ])
      expect(await suggest('zol')).toEqual(['Brands: Zoloft'])
      expect(await suggest('sitag')).toEqual(['Medicines: Metformin and sitagliptin'])
      expect(await suggest('comprimes d')).toEqual(['Brands: Comprimés d’acétaminophène extra-puissants'])
      expect(await suggest('0049-49')).toEqual(['NDC, DIN and UPC: NDC 0049-4900-30'])
      expect(await suggest('sertralnie')).toContain('Medicines: Sertraline')
      expect(await suggest('glucophage pen')).toEqual(['Medicines: Metformin'])
      expect(await suggest('')).toEqual([])
      expect(await suggest('qqqq')).toEqual([])
      expect(await suggest('metformin overdose')).toEqual([])
      expect((await suggestProducts({ reads: db }, 'zoloft'))[0]).toEqual({
        group: 'Brands',
        label: 'Zoloft',
        hint: 'Sertraline · tablet, capsule · Rx',
        href: paths.product(sertraline.productId),
      })
      expect((await suggestProducts({ reads: db }, '0049-4900-30'))[0]).toMatchObject({
        hint: 'Sertraline · tablet, capsule · Rx',
        href: paths.product(sertraline.productId, { variant: sertraline.variantIds[0] ?? '' }),
      })
    })
  })
})
