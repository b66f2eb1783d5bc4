import { parseCursor } from '#domain/grid.ts'
import { recallQuerySchema, type RecallQuery } from '#domain/screening/recall-list.ts'
import type { Context } from '#server/context.ts'
import { listRecalls } from '#server/recalls/list-recalls.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { recallJson, recallReport } from '#tests/support/recall-reports.ts'
import { addPackage, importRecalls } from '#tests/support/recalls.ts'
import { expect, test } from 'vitest'

const json = (...results: object[]): Buffer => Buffer.from(recallJson(...results))
const listIn = (ctx: Context, query: Partial<RecallQuery> = {}) =>
  listRecalls(ctx, { ...recallQuerySchema.parse({}), ...query })

eachEngine((_engine, openDb) => {
  test('the list of recalls is paged and searched, and leaves out packages that are not in the catalog', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    await addPackage(db, '0143-1473-01', '00143147301')
    const reports = [1, 2, 3].map((day) =>
      recallReport(`D-000${day}-2026`, '0143-1473-01', {
        report_date: `2025120${day}`,
        status: day === 2 ? 'Terminated' : 'Ongoing',
        product_description: `100%_\\${day} Ibuprofen, NDC 0143-1473-01`,
      }),
    )
    await importRecalls(ctx, json(...reports, recallReport('D-0004-2026', '99999-111-22', { openfda: {} })))
    const idsOf = async (query: Partial<RecallQuery>) =>
      (await listIn(ctx, query)).rows.map(({ id }) => id.slice(2, 6))
    const first = await listIn(ctx, { size: 2 })
    expect(first).toMatchObject({ total: 3, previous: null })
    expect(first.rows.map(({ id }) => id)).toEqual(['D-0003-2026', 'D-0002-2026'])
    expect(await idsOf({ size: 2, after: parseCursor(first.next ?? '') })).toEqual(['0001'])
    expect(await idsOf({ dir: 'asc' })).toEqual(['0001', '0002', '0003'])
    expect(await idsOf({ show: 'ongoing' })).toEqual(['0003', '0001'])
    expect(await idsOf({ q: 'd-0002' })).toEqual(['0002'])
    expect(await idsOf({ q: '%_\\3 IBU' })).toEqual(['0003'])
    expect(await idsOf({ q: 'tablet_' })).toEqual([])
  })
})
