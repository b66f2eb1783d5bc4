import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { callProcedure, errorOf, resultOf } from '#tests/support/trpc-calls.ts'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

const variantSchema = z.looseObject({
  id: z.string(),
  productId: z.string(),
  productName: z.string(),
  price: z.string().nullable(),
  version: z.number(),
})
const pageSchema = z.object({
  rows: z.array(variantSchema),
  total: z.number(),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  note: z.looseObject({ kind: z.string() }).nullable(),
})
const productPageSchema = pageSchema.extend({
  rows: z.array(z.looseObject({ id: z.string(), name: z.string(), version: z.number() })),
})
const historySchema = z.array(
  z.object({
    id: z.string(),
    at: z.iso.datetime(),
    actor: z.string().nullable(),
    action: z.string(),
    variant: z.string().nullable(),
    fields: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown() })),
  }),
)

const validVariant = {
  productId: 'new',
  strength: '250',
  strengthUnit: 'mg',
  packageSize: 30,
  packageUnit: 'tablet',
  price: '12.50',
}

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  beforeAll(async () => {
    shop = await openShop({ catalog: 'empty' })
    admin = shop.visit()
    await signInAs(
      admin,
      shop.db,
      await makeUser(shop.db, { isAdmin: true, firstName: 'Ada', lastName: 'Quill' }),
    )
  })
  const call = (path: string, input: unknown) => callProcedure(admin, shop.origin, path, input)
  const run = async (path: string, input: unknown) => resultOf(await call(path, input))
  const variants = async (params: Record<string, string>) =>
    pageSchema.parse(await run('variants.list', params))
  const products = async (params: Record<string, string>) =>
    productPageSchema.parse(await run('products.list', params))
  const create = async (name: string, fields: object = {}) =>
    variantSchema.parse(
      await run('variants.create', {
        product: { name, image: '/pictures/x.png' },
        variant: { ...validVariant, ...fields },
      }),
    )
  const edit = async (row: { id: string; version: number }, fields: object) =>
    variantSchema.parse(await run('variants.update', { id: row.id, version: row.version, ...fields }))

  test('creates a product with its first variant, or neither', async () => {
    const row = await create('Zanthroxil', { brandName: 'Zanthrix', stockQuantity: 7, acquisitionCost: '5' })
    expect(row).toMatchObject({
      productName: 'Zanthroxil',
      category: 'Rx',
      brandName: 'Zanthrix',
      price: '12.50',
      acquisitionCost: '5.00',
      stockQuantity: 7,
      inStock: true,
      manufacturerName: null,
      linkedVariant: null,
      version: 1,
    })
    expect((await variants({ q: 'zanthrix' })).rows).toEqual([row])
    const refused = await errorOf(
      await call('variants.create', {
        product: { name: 'Halfway', image: '/x.png' },
        variant: { ...validVariant, linkedVariantId: row.id },
      }),
    )
    expect(refused).toMatchObject({
      status: 422,
      fields: { linkedVariantId: 'Choose another variant of the same product.' },
    })
    expect((await products({ q: 'halfway' })).rows).toEqual([])
    const another = variantSchema.parse(
      await run('variants.create', {
        product: null,
        variant: { ...validVariant, productId: row.productId, linkedVariantId: row.id },
      }),
    )
    expect(another).toMatchObject({
      productName: 'Zanthroxil',
      linkedVariant: 'Zanthrix, 250 mg, 30 tablets',
    })
    expect(await run('variants.siblings', { productId: row.productId })).toEqual([
      { id: row.id, label: 'Zanthrix, 250 mg, 30 tablets' },
      { id: another.id, label: 'Generic, 250 mg, 30 tablets' },
    ])
  })

  test.each([
    ['price', '-1', 'Enter a dollar amount like "12.50".'],
    ['price', '1e9', 'Enter a dollar amount like "12.50".'],
    ['price', 'abc', 'Enter a dollar amount like "12.50".'],
    ['price', '1.005', 'Enter a dollar amount like "12.50".'],
    ['price', '', 'Please fill in all required variant fields'],
    ['strength', ' ', 'Please fill in all required variant fields'],
    ['packageSize', 0, 'Please fill in all required variant fields'],
    ['packageSize', 1.5, 'Enter a whole number.'],
    ['stockQuantity', -1, 'Enter 0 or more.'],
  ])('rejects %s %j with 422 and a field message, on create and update', async (field, value, message) => {
    const row = await create(`Wrongol ${field} ${value}`)
    expect(await errorOf(await call('variants.update', { ...row, [field]: value }))).toMatchObject({
      status: 422,
      fields: { [field]: message },
    })
    const variant = { ...validVariant, productId: row.productId, [field]: value }
    expect(await errorOf(await call('variants.create', { product: null, variant }))).toMatchObject({
      status: 422,
      fields: { [`variant.${field}`]: message },
    })
    expect((await variants({ q: `Wrongol ${field}` })).rows).toContainEqual(row)
  })

  test('links a variant only to another variant of its product', async () => {
    const [row, unrelated] = [await create('Linkol'), await create('Elsewherol')]
    for (const linkedVariantId of [row.id, unrelated.id, 'x']) {
      expect(
        await errorOf(await call('variants.update', { id: row.id, version: row.version, linkedVariantId })),
      ).toMatchObject({ status: 422, fields: { linkedVariantId: expect.any(String) as string } })
    }
  })

  test('a stale edit changes nothing and returns the current row; the reverse edit undoes the first', async () => {
    const row = await create('Stalol')
    const first = await edit(row, { price: '13.00' })
    const refused = await errorOf(
      await call('variants.update', { id: row.id, version: row.version, price: '14.00', brandName: 'Stale' }),
    )
    expect(refused).toMatchObject({ status: 409, code: 'CONFLICT', current: first })
    expect((await variants({ q: 'stalol' })).rows).toEqual([first])
    const restored = await edit(first, { price: '12.50' })
    expect(restored).toEqual({ ...row, version: restored.version })

    const [product] = (await products({ q: 'stalol' })).rows
    const updated = await run('products.update', {
      id: product?.id,
      version: product?.version,
      description: 'Updated',
    })
    expect(
      await errorOf(
        await call('products.update', { id: product?.id, version: product?.version, name: 'Stale' }),
      ),
    ).toMatchObject({ status: 409, current: updated })
  })

  test('the history lists who changed what and when, with old and new values, and omits empty changes', async () => {
    const row = await create('Historol')
    const repriced = await edit(row, { price: '20.00', upc: '036000291453' })
    await edit(repriced, { price: '20.00' })
    const product = { id: row.productId, version: (await products({ q: 'historol' })).rows[0]?.version }
    expect(await errorOf(await call('products.update', { ...product, category: 'OTC' }))).toMatchObject({
      status: 409,
      code: 'CONFIRMATION_REQUIRED',
      current: null,
    })
    await run('products.update', { ...product, category: 'OTC', confirmed: true })
    const variantHistory = historySchema.parse(
      await run('variants.history', { productId: row.productId, variantId: row.id }),
    )
    expect(variantHistory).toMatchObject([
      {
        action: 'updated',
        actor: 'Ada Quill',
        variant: 'Generic, 250 mg, 30 tablets',
        fields: [
          { name: 'price', before: '12.50', after: '20.00' },
          { name: 'upc', before: null, after: '036000291453' },
        ],
      },
      { action: 'created', actor: 'Ada Quill' },
    ])
    expect(variantHistory).toHaveLength(2)
    const productHistory = historySchema.parse(await run('products.history', { id: row.productId }))
    expect(productHistory).toHaveLength(4)
    expect(productHistory[0]).toMatchObject({
      action: 'updated',
      variant: null,
      fields: [{ name: 'category', before: 'Rx', after: 'OTC' }],
    })
    await run('products.delete', { id: row.productId })
    const [deleted] = historySchema.parse(await run('products.history', { id: row.productId }))
    expect(deleted?.action).toBe('deleted')
    expect(deleted?.fields).toContainEqual({ name: 'name', before: 'Historol', after: null })
    expect(await errorOf(await call('products.delete', { id: row.productId }))).toMatchObject({
      status: 404,
    })
    expect((await variants({ q: 'historol' })).total).toBe(0)
  })

  test('stores an unusual identifier as it is on the package, and finds it', async () => {
    const row = await create('Oddol', { upc: '036000291459', ndc: '0228289996', din: '123' })
    expect(row).toMatchObject({ upc: '036000291459', ndc: '0228289996', din: '123' })
    expect((await variants({ q: '0 36000 29145 9' })).rows).toEqual([row])
    expect(await variants({ q: '036000291458' })).toMatchObject({
      rows: [],
      note: { kind: 'bad-check-digit' },
    })
    expect(
      await errorOf(await call('variants.update', { id: row.id, version: row.version, ndc: '<script>' })),
    ).toMatchObject({ status: 422, fields: { ndc: 'Use letters, digits and dashes.' } })
  })

  test('finds variants by identifier in any form, SKU, brand, manufacturer and misspelled name', async () => {
    const { id: manufacturerId } = z
      .looseObject({ id: z.string() })
      .parse(await run('manufacturers.create', { name: 'Quibble & Daughters' }))
    const row = await create('Findolin', {
      brandName: 'Findix',
      manufacturerId,
      sku: 'FX-1',
      ndc: '0228-2899-96',
      din: '02242974',
      upc: '036000291452',
    })
    const generic = variantSchema.parse(
      await run('variants.create', {
        product: null,
        variant: { ...validVariant, productId: row.productId },
      }),
    )
    const queries = [
      '00228289996',
      '0228-2899-96',
      'DIN 2242974',
      '0036000291452',
      'FX-1',
      'findix',
      'quibble',
      'findix 250mg',
    ]
    for (const q of queries) {
      expect(
        (await variants({ q })).rows.map(({ id }) => id),
        q,
      ).toEqual([row.id])
    }
    expect((await variants({ q: 'findolin' })).rows.map(({ id }) => id).toSorted()).toEqual(
      [row.id, generic.id].toSorted(),
    )
    expect(await variants({ q: 'findolim' })).toMatchObject({
      total: 2,
      note: { kind: 'repaired', query: 'findolin' },
    })
    expect(await variants({ q: '% _' })).toMatchObject({ total: 0 })
    expect(await run('variants.manufacturers', { text: 'daugh' })).toEqual([
      { id: manufacturerId, label: 'Quibble & Daughters', hint: null },
    ])
    expect(await run('products.suggest', { text: 'findol' })).toMatchObject([{ id: row.productId }])
    expect(await variants({ manufacturerId })).toMatchObject({ rows: [{ id: row.id }], total: 1 })
  })
})

eachShop((openShop) => {
  test('pages of each sort have every variant once, forward and backward, and filters narrow them', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
    for (let i = 0; i < 12; i++) {
      const productId = await addProduct(shop.db, {
        name: `Product ${i % 6}`,
        category: i % 2 ? 'Rx' : 'OTC',
      })
      for (let j = 0; j < 10; j++) {
        await addVariant(shop.db, {
          productId,
          priceCents: j % 3 === 0 ? null : j * 100,
          acquisitionCostCents: j % 2 ? 250 : null,
          stockQuantity: j * 3,
          inStock: j > 0,
        })
      }
    }
    const productIds = (await shop.db.selectFrom('products').select('id').execute()).map(({ id }) => id)
    await refreshProductSummaries(shop.db, productIds)
    const list = async (params: Record<string, string>) =>
      pageSchema.parse(await resultOf(await callProcedure(admin, shop.origin, 'variants.list', params)))
    for (const sort of ['product', 'price', 'stock', 'margin', 'newest']) {
      for (const dir of ['asc', 'desc']) {
        const first = await list({ sort, dir })
        const second = await list({ sort, dir, after: first.next ?? '' })
        const third = await list({ sort, dir, after: second.next ?? '' })
        const ids = [first, second, third].flatMap(({ rows }) => rows.map(({ id }) => id))
        expect(new Set(ids).size, `${sort} ${dir}`).toBe(120)
        expect(third.next).toBeNull()
        const last = await list({ sort, dir, last: '1' })
        expect(last.rows.map(({ id }) => id)).toEqual(ids.slice(-50))
        const before = await list({ sort, dir, before: last.previous ?? '' })
        expect(before.rows.map(({ id }) => id)).toEqual(ids.slice(-100, -50))
      }
    }
    const totals = { category: 'Rx', stock: 'in', price: 'none' }
    expect((await list({ category: 'Rx' })).total).toBe(60)
    expect((await list({ stock: 'in' })).total).toBe(108)
    expect((await list({ stock: 'out' })).total).toBe(12)
    expect((await list({ stock: 'low' })).total).toBe(48)
    expect((await list({ price: 'none' })).total).toBe(48)
    const all = await list(totals)
    expect(all.total).toBe(18)
    expect(all.rows.every(({ price, inStock, category }) => !price && inStock && category === 'Rx')).toBe(
      true,
    )
    // By default, the documented columns and the sorted one are shown; an admin's choice is kept.
    const headers = async (path: string) =>
      [
        ...(await (await admin.get(path)).text()).matchAll(
          /<th[^>]*>(?:<span class="grid-label">)?(?:<a[^>]*>)?([^<]+)/g,
        ),
      ].map(([, header]) => header)
    const documented = (
      'Product,Brand/Generic,Manufacturer,Form,Strength,Package,Price,Acq. Cost,' +
      'Stock Qty,Linked Variant,Identifiers,Actions'
    ).split(',')
    expect(await headers('/admin/variants')).toEqual(documented)
    expect(await headers('/admin/variants?sort=margin')).toContain('Margin')
    await resultOf(
      await callProcedure(admin, shop.origin, 'grids.hideColumns', { grid: 'variants', columns: ['form'] }),
    )
    const shownHeaders = await headers('/admin/variants')
    expect(shownHeaders).toContain('Margin')
    expect(shownHeaders).not.toContain('Form')
    // Unknown values count as absent, and the page agrees with the call.
    expect((await list({ sort: 'nothing', after: 'x', size: '7', stock: 'maybe' })).total).toBe(120)
    const html = async (path: string) => (await (await admin.get(path)).text()).replaceAll('<!-- -->', '')
    const page = await html('/admin/variants?category=Rx&sort=price&dir=desc')
    const found = await list({ category: 'Rx', sort: 'price', dir: 'desc' })
    expect(page.includes('1–50 of 60')).toBe(true)
    expect(/data-row="([^"]*)"/.exec(page)?.[1]).toBe(found.rows[0]?.id)
    expect((await html('/admin/products?category=OTC')).includes('1–6 of 6')).toBe(true)
  })
})
