import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { callProcedure, errorOf, resultOf } from '#tests/support/trpc-calls.ts'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'

const page = { total: z.number(), next: z.string().nullable(), previous: z.string().nullable() }
const stockSchema = z.object({
  ...page,
  rows: z.array(
    z.object({
      id: z.string(),
      productName: z.string(),
      label: z.string(),
      stockQuantity: z.number(),
      reservedQuantity: z.number(),
      price: z.string().nullable(),
      acquisitionCost: z.string().nullable(),
    }),
  ),
})
const historySchema = z.object({
  ...page,
  variant: z.object({ id: z.string(), stockQuantity: z.number(), isDeleted: z.boolean() }).nullable(),
  rows: z.array(
    z.object({
      id: z.string(),
      productVariantId: z.string(),
      productName: z.string(),
      label: z.string(),
      transactionType: z.string(),
      quantityChange: z.number(),
      quantityBefore: z.number(),
      quantityAfter: z.number(),
      notes: z.string().nullable(),
      createdAt: z.iso.datetime(),
    }),
  ),
})
const suggestionSchema = z.array(
  z.object({ id: z.string(), productName: z.string(), kind: z.string(), stockQuantity: z.number() }),
)
const unknownId = '0190a6f2-1b2c-7d3e-8f4a-5b6c7d8e9f0a'

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  beforeEach(async () => {
    shop = await openShop({ catalog: 'empty' })
    admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
  })
  const call = (path: string, input?: unknown) =>
    callProcedure(admin, shop.origin, `inventory.${path}`, input)
  const stock = async (params: Record<string, string> = {}) =>
    stockSchema.parse(await resultOf(await call('stock', params)))
  const history = async (params: Record<string, string> = {}) =>
    historySchema.parse(await resultOf(await call('history', params)))
  const adjust = (variantId: string, quantityChange: number, notes = '') =>
    call('adjust', { variantId, quantityChange, transactionType: 'adjustment', notes })

  test('the default list has ten or fewer on hand, smallest first; show=all lists every variant', async () => {
    const ids: string[] = []
    for (const stockQuantity of [11, 10, 0, 3, 400]) {
      ids.push(await addVariant(shop.db, { stockQuantity, reservedQuantity: stockQuantity === 3 ? 2 : 0 }))
    }
    await addVariant(shop.db, { stockQuantity: 1, deletedAt: new Date() })
    const low = await stock()
    expect(low.rows.map(({ id, stockQuantity }) => [id, stockQuantity])).toEqual([
      [ids[2], 0],
      [ids[3], 3],
      [ids[1], 10],
    ])
    expect(low.rows[1]).toMatchObject({ productName: 'Ibuprofen', reservedQuantity: 2, price: '5.00' })
    expect(low.total).toBe(3)
    expect(
      (await stock({ show: 'all', dir: 'desc' })).rows.map(({ stockQuantity }) => stockQuantity),
    ).toEqual([400, 11, 10, 3, 0])
    expect((await stock({ show: 'nothing' })).total).toBe(3)
    const html = await (await admin.get('/admin/inventory')).text()
    expect(html).toContain('>Low stock</h2>')
    expect(html).toContain('200 mg, 24 tablets')
    expect(html).toContain('No transactions found')
  })

  test('the history starts with the newest fifty, and pages back to the first row of all and of one variant', async () => {
    const [busy, quiet] = [
      await addVariant(shop.db, { stockQuantity: 0, inStock: false }),
      await addVariant(shop.db, { stockQuantity: 0, inStock: false }),
    ]
    await resultOf(await adjust(quiet, 9, 'The oldest'))
    for (let i = 0; i < 60; i++) await resultOf(await adjust(busy, 2))
    const newest = await history()
    expect(newest.rows).toHaveLength(50)
    expect(newest.total).toBe(61)
    expect(newest.rows[0]).toMatchObject({ productVariantId: busy, quantityBefore: 118, quantityAfter: 120 })
    const rest = await history({ after: newest.next ?? '' })
    expect(rest.rows.at(-1)).toMatchObject({ productVariantId: quiet, notes: 'The oldest', quantityAfter: 9 })
    expect(rest.next).toBeNull()

    const ofBusy = await history({ variant: busy, size: '100' })
    expect(ofBusy.total).toBe(60)
    expect(ofBusy.variant).toMatchObject({ id: busy, stockQuantity: 120, isDeleted: false })
    for (const [i, row] of ofBusy.rows.slice(0, -1).entries()) {
      expect(row.quantityBefore).toBe(ofBusy.rows[i + 1]?.quantityAfter)
    }
    expect(ofBusy.rows.at(-1)?.quantityBefore).toBe(0)
    const last = await history({ variant: busy, last: '1' })
    expect(last.rows.at(-1)).toEqual(ofBusy.rows.at(-1))
    expect(last.next).toBeNull()
  })

  test('filters by id or by name; a deleted variant keeps its rows, and an unknown one has none', async () => {
    const productId = await addProduct(shop.db, { name: 'Naproxen', sortName: 'naproxen' })
    const id = await addVariant(shop.db, { productId, stockQuantity: 0, inStock: false })
    await resultOf(await adjust(id, 5))
    await shop.db.updateTable('productVariants').set({ deletedAt: new Date() }).where('id', '=', id).execute()
    expect(await history({ variant: id })).toMatchObject({
      total: 1,
      variant: { id, isDeleted: true },
      rows: [{ productName: 'Naproxen' }],
    })
    for (const variant of [unknownId, 'qqqqqqqq', "' or 1=1"]) {
      expect(await history({ variant })).toMatchObject({ total: 0, rows: [], variant: null })
    }
    const html = await (await admin.get(`/admin/inventory?history.variant=${unknownId}`)).text()
    expect(html).toContain('No transactions found')
  })

  test('an adjustment and its reverse restore the stock, in two rows', async () => {
    const id = await addVariant(shop.db, { stockQuantity: 4 })
    const row = z.object({ quantityAfter: z.number(), createdAt: z.iso.datetime() })
    expect(row.parse(await resultOf(await adjust(id, -3))).quantityAfter).toBe(1)
    expect(row.parse(await resultOf(await adjust(id, 3))).quantityAfter).toBe(4)
    expect((await history({ variant: id })).rows.map(({ quantityChange }) => quantityChange)).toEqual([3, -3])
  })

  test('an invalid adjustment is refused with a field message', async () => {
    const id = await addVariant(shop.db, { stockQuantity: 4 })
    const none = await errorOf(await adjust('', 1))
    expect(none).toMatchObject({ status: 422, fields: { variantId: 'Please select a variant.' } })
    const wrong = [
      [0, 'Enter a number other than 0.'],
      [1.5, 'Enter a whole number.'],
      [1e9, 'The largest change is 1,000,000 units.'],
    ] as const
    for (const [change, sentence] of wrong) {
      expect(await errorOf(await adjust(id, change))).toMatchObject({
        status: 422,
        fields: { quantityChange: sentence },
      })
    }
    expect(await errorOf(await adjust(id, -5))).toMatchObject({
      status: 409,
      fields: { quantityChange: 'You can’t remove 5 units. There are 4 on hand.' },
    })
    expect((await stock()).rows).toEqual([expect.objectContaining({ id, stockQuantity: 4 })])
  })

  test('values the stock at cost and at price, and counts units without either', async () => {
    const value = async () => resultOf(await call('value'))
    expect(await value()).toEqual({
      units: 0,
      atCost: '0.00',
      atPrice: '0.00',
      withoutCost: 0,
      withoutPrice: 0,
    })
    await addVariant(shop.db, { stockQuantity: 3, priceCents: 1250, acquisitionCostCents: 999 })
    await addVariant(shop.db, { stockQuantity: 7, priceCents: null, acquisitionCostCents: null })
    await addVariant(shop.db, { stockQuantity: 1_000_000_000, priceCents: 99_999, acquisitionCostCents: 1 })
    await addVariant(shop.db, { stockQuantity: 9, deletedAt: new Date() })
    expect(await value()).toEqual({
      units: 1_000_000_010,
      atCost: '10000029.97',
      atPrice: '999990000037.50',
      withoutCost: 7,
      withoutPrice: 7,
    })
  })
})

eachShop((openShop) => {
  test('suggests variants by medicine, strength and identifier', async () => {
    const shop = await openShop()
    const admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
    const suggest = async (text: string) =>
      suggestionSchema.parse(
        await resultOf(await callProcedure(admin, shop.origin, 'inventory.suggest', { text })),
      )
    expect(await suggest(' ')).toEqual([])
    expect(await suggest('ibuprofen\u0007')).toEqual(await suggest('ibuprofen'))
    const found = await suggest('ibuprofen')
    expect(found.length).toBeGreaterThan(1)
    expect(found.length).toBeLessThanOrEqual(20)
    // Ranked as in the shop, with what tells products of one name apart.
    for (const [first] of [found, await suggest('ibup')])
      expect(first).toMatchObject({ productName: 'Ibuprofen', kind: expect.stringMatching(/ · (OTC|Rx)$/) })
    const withNdc = await shop.db
      .selectFrom('productVariants')
      .select(['id', 'ndc'])
      .where('ndc', 'is not', null)
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect((await suggest(withNdc.ndc ?? '')).map(({ id }) => id)).toContain(withNdc.id)

    // Without scripts, the ledger is filtered by the typed name.
    const html = await (
      await admin.get('/admin/inventory?q=ibuprofen&show=all&history.variant=ibuprofen')
    ).text()
    expect(html).toContain('History of Ibuprofen')
    expect(html).toContain('On hand')
  })
})
