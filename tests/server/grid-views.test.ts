import { saveColumnWidths, saveHiddenColumns } from '#server/grids/grid-settings.ts'
import { saveView } from '#server/grids/grid-views.ts'
import { exportAccount } from '#server/privacy/export-account.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { filesOf } from '#tests/support/zip.ts'
import { gridBounds, saveViewSchema } from '#domain/grid-views.ts'
import { expect, test } from 'vitest'

test('a view belongs to one of the grids', () => {
  expect(saveViewSchema.safeParse({ grid: 'orders', name: 'Mine', params: {} }).success).toBe(true)
  expect(saveViewSchema.safeParse({ grid: 'orders-2', name: 'Mine', params: {} }).success).toBe(false)
})

eachEngine((_engine, openDb) => {
  test('saves at the same time do not pass the limit of views', async () => {
    const db = await openDb()
    const id = await makeUser(db, { isAdmin: true })
    const ctx = testContext(db, { user: signedIn(id, { isAdmin: true }) })
    const save = (i: number) => saveView(ctx, { grid: 'orders', name: `View ${i}`, params: {} })
    for (let i = 0; i < gridBounds.viewsPerGrid - 2; i++) await save(i)
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => save(100 + i)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' })
    }
    expect(await db.selectFrom('gridViews').select('id').execute()).toHaveLength(gridBounds.viewsPerGrid)
  })

  test('the export of an account has its list settings and saved views, and no others', async () => {
    const db = await openDb()
    const [id, other] = [await makeUser(db, { isAdmin: true }), await makeUser(db, { isAdmin: true })]
    const as = (user: string) => testContext(db, { user: signedIn(user, { isAdmin: true }) })
    await saveHiddenColumns(as(id), { grid: 'variants', columns: ['margin'] })
    await saveColumnWidths(as(id), { grid: 'orders', widths: { number: 240 } })
    await saveView(as(id), { grid: 'orders', name: 'Shipped', params: { status: 'shipped' } })
    await saveView(as(other), { grid: 'orders', name: 'Another’s', params: {} })
    const files = filesOf(Buffer.from(await new Response(await exportAccount(as(id))).arrayBuffer()))
    expect(JSON.parse(files.get('account.json')?.toString() ?? '')).toMatchObject({
      listSettings: [
        { grid: 'orders', hidden: [], widths: { number: 240 } },
        { grid: 'variants', hidden: ['margin'], widths: {} },
      ],
      savedViews: [
        {
          grid: 'orders',
          name: 'Shipped',
          params: { status: 'shipped' },
          createdAt: testDay.toISOString(),
        },
      ],
    })
  })
})
