import { decideNeedRow, listNeedRows } from '#server/search/need-reviews.ts'
import { needTable } from '#server/search/need-table.ts'
import { searchProducts } from '#server/search/search-products.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { expect, test } from 'vitest'

const [row] = needTable.classes.get('migraine') ?? []

eachEngine((_engine, openDb) => {
  test('a reviewed row says so, a rejected one answers no search, and each decision is audited once', async () => {
    const db = await openDb()
    const productId = await addProduct(db, { name: 'Zolmitriptan', route: 'oral' })
    await addVariant(db, { productId })
    await refreshProductSummaries(db, [productId])
    const { system = 'EPC', code = '', name = '' } = row ?? {}
    const listed = { ingredient: 'ZOLMITRIPTAN', system, code, name, source: 'test' } as const
    await db.insertInto('careClasses').values(listed).execute()
    await db.insertInto('productIngredients').values({ productId, ingredient: 'ZOLMITRIPTAN' }).execute()
    const ctx = testContext(db, { user: signedIn(await makeUser(db), { roles: ['pharmacist'] }) })
    const search = async () => (await searchProducts(ctx, { q: 'migraine', byNeed: true })).need
    const open = await listNeedRows(ctx, { show: 'open', q: 'migraine', page: 1 })
    const key = open.rows.find((one) => one.name === name)?.key ?? ''
    expect(await search()).toMatchObject({ classes: [{ name, reviewer: null }] })

    await Promise.all([1, 2].map(() => decideNeedRow(ctx, { key, status: 'reviewed' })))
    expect(await search()).toMatchObject({ classes: [{ name, reviewer: 'A pharmacist' }] })
    expect((await listNeedRows(ctx, { show: 'open', q: 'migraine', page: 1 })).total).toBe(open.total - 1)
    await decideNeedRow(ctx, { key, status: 'rejected' })
    expect(await search()).toBeNull()
    expect(await listNeedRows(ctx, { show: 'rejected', q: '', page: 9 })).toMatchObject({
      rows: [{ key, decided: { at: ctx.now.toISOString() } }],
      total: 1,
    })
    const audit = db.selectFrom('auditLog').select('id').where('action', '=', 'need-row.reviewed')
    expect(await audit.execute()).toHaveLength(2)

    await expect(decideNeedRow(ctx, { key: 'none', status: 'reviewed' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const support = testContext(db, { user: signedIn(await makeUser(db), { roles: ['support'] }) })
    for (const refused of [
      decideNeedRow(support, { key, status: 'reviewed' }),
      listNeedRows(support, { show: 'open', q: '', page: 1 }),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})
