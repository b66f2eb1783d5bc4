import { importQuerySchema } from '#domain/catalog/import-list.ts'
import { advanceImport } from '#server/catalog/csv/advance-import.ts'
import { getImport, listImports, streamRejectedLines } from '#server/catalog/csv/get-import.ts'
import { applyImport, checkImport, discardImport } from '#server/catalog/csv/start-import.ts'
import { storeCsv } from '#server/catalog/csv/store-csv.ts'
import { updateVariant } from '#server/catalog/update-variant.ts'
import { advanceImports } from '#server/jobs/advance-imports.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { findStockFaults } from '#tests/support/stock-faults.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  applyWhole,
  createTwoVariants,
  errorMessageOf,
  linesOf,
  mappingOf,
  streamOf,
  uploadAndCheck,
  uploadCsv,
  variantOf,
} from './csv-import-support.ts'

eachEngine((_engine, openDb) => {
  test('a stopped import continues where it was, and two concurrent runs apply nothing twice', async () => {
    const db = await openDb()
    const { productId } = await createTwoVariants(db)
    const rows = Array.from({ length: 450 }, (_, i) => `N-${i},Ibuprofen,${i + 1},mg,30,tablet,1.00,5`)
    const id = await uploadCsv(
      db,
      ['sku,product,strength,strength unit,package size,package unit,price,stock', ...rows].join('\n'),
    )
    const header = 'sku,product,strength,strength unit,package size,package unit,price,stock'
    await checkImport(asAdmin(db), id, mappingOf(header, { adds: true }))
    await advanceImport(asAdmin(db), id, {})
    await db.updateTable('csvImports').set({ status: 'applying' }).where('id', '=', id).execute()
    const stopping = new AbortController()
    const stopped = advanceImport(asAdmin(db), id, { signal: stopping.signal })
    stopping.abort()
    await stopped
    const half = await getImport(asAdmin(db), id)
    expect(half.progress).toMatchObject({ status: 'applying', total: 450 })
    expect(half.progress.done).toBeLessThan(450)
    await Promise.all([advanceImport(asAdmin(db), id, {}), advanceImport(asAdmin(db), id, {})])
    expect((await getImport(asAdmin(db), id)).status).toBe('applied')
    const { variantCount } = await db
      .selectFrom('products')
      .select('variantCount')
      .where('id', '=', productId)
      .executeTakeFirstOrThrow()
    expect(variantCount).toBe(452)
    expect(await findStockFaults(db)).toEqual([])
  })

  test('a line that causes an internal error is refused and rolled back, and the others are applied', async () => {
    const db = await openDb()
    const { productId, first, second } = await createTwoVariants(db)
    const rows = Array.from({ length: 300 }, (_, i) => `N-${i},Ibuprofen,${i + 1},mg,30,tablet,1.00`)
    const id = await uploadAndCheck(
      db,
      ['sku,product,strength,strength unit,package size,package unit,price', ...rows].join('\n'),
      { adds: true },
    )
    const other = await uploadAndCheck(db, 'sku,price\nA-1,6.66\nA-2,6.66\n')
    await db
      .updateTable('csvImportRows')
      .set({ changes: '{' })
      .where('importId', '=', id)
      .where('line', '=', 140)
      .execute()
    // A failure in the database itself, and only for the second of two lines.
    await sql`create unique index once on product_variants (price_cents) where price_cents = 666`.execute(db)
    await db.updateTable('csvImports').set({ status: 'applying' }).where('id', 'in', [id, other]).execute()
    const log = testContext(db).log
    await advanceImports({ db, keys: testKeys, log, now: () => testDay }, new AbortController().signal)

    expect(await getImport(asAdmin(db), id)).toMatchObject({
      status: 'applied',
      counts: { added: 299, refused: 1 },
    })
    expect(await getImport(asAdmin(db), other)).toMatchObject({
      status: 'applied',
      counts: { changed: 1, refused: 1 },
    })
    expect((await linesOf(db, other))[1]).toMatchObject({
      line: 3,
      problem: 'Something went wrong on our end, so this line was not applied.',
    })
    expect(await variantOf(db, first.id)).toMatchObject({ priceCents: 666 })
    expect(await variantOf(db, second.id)).toMatchObject({ priceCents: 500 })
    const { variantCount } = await db
      .selectFrom('products')
      .select('variantCount')
      .where('id', '=', productId)
      .executeTakeFirstOrThrow()
    expect(variantCount).toBe(301)
    expect(await findStockFaults(db)).toEqual([])
  })

  test('a line that cannot be checked is refused, and the check continues', async () => {
    const db = await openDb()
    await createTwoVariants(db)
    const id = await uploadCsv(db, 'sku,price\nA-1,6.00\nA-2,7.00\n')
    await db.updateTable('csvImportRows').set({ cells: '{' }).where('line', '=', 2).execute()
    await checkImport(asAdmin(db), id, mappingOf('sku,price'))
    expect(
      await db.selectFrom('csvImportRows').select(['line', 'outcome', 'problem']).orderBy('line').execute(),
    ).toEqual([
      {
        line: 2,
        outcome: 'refused',
        problem: 'Something went wrong on our end, so this line was not checked.',
      },
      { line: 3, outcome: 'changed', problem: null },
    ])
  })

  test('an import can be checked again, discarded, and applied only once', async () => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    const id = await uploadAndCheck(db, 'SKU,Price\nA-1,6.50')
    await updateVariant(asAdmin(db), first.id, { price: 650 })
    await checkImport(asAdmin(db), id, mappingOf('SKU,Price'))
    expect(await linesOf(db, id)).toMatchObject([{ outcome: 'unchanged' }])
    expect(await errorMessageOf(applyImport(asAdmin(db), id, { leavesOut: false }))).toBe(
      'This file doesn’t change anything.',
    )
    expect(
      await errorMessageOf(
        checkImport(asAdmin(db), id, { columns: { price: 1 }, adds: false, clears: false }),
      ),
    ).toBe('Choose the column that identifies the variant: ID, NDC, DIN, UPC or SKU.')
    const later = await uploadCsv(db, 'SKU,Price\nA-1,6.50')
    const listed = async (query: Record<string, string>) =>
      listImports(asAdmin(db), importQuerySchema.parse(query))
    const { rows, total, next } = await listed({ size: '25' })
    expect({ ids: rows.map((row) => row.id), total, next }).toEqual({
      ids: [later, id],
      total: 2,
      next: null,
    })
    expect((await listed({ dir: 'asc' })).rows).toMatchObject([{ id, rowCount: 1 }, { id: later }])
    await discardImport(asAdmin(db), id)
    expect(await listed({})).toMatchObject({ rows: [{ id: later }], total: 1 })
    expect(await errorMessageOf(getImport(asAdmin(db), id))).toBe('Import not found')
  })

  test('only the check that the admin saw is applied', async () => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    const id = await uploadAndCheck(db, 'SKU,Price,Acquisition cost\nA-1,6.50,2.00')
    const { round } = await getImport(asAdmin(db), id)
    await checkImport(asAdmin(db), id, {
      columns: { sku: 0, acquisitionCost: 2 },
      adds: false,
      clears: false,
    })
    expect(await errorMessageOf(applyImport(asAdmin(db), id, { leavesOut: false, round }))).toBe(
      'The file was checked again after you opened it. Review its changes, then apply it.',
    )
    expect(await variantOf(db, first.id)).toMatchObject({ priceCents: 500, acquisitionCostCents: null })
    await applyWhole(db, id, { leavesOut: false, round: round + 1 })
    expect(await variantOf(db, first.id)).toMatchObject({ priceCents: 500, acquisitionCostCents: 200 })
    expect(await errorMessageOf(checkImport(asAdmin(db), id, mappingOf('SKU,Price')))).toBe(
      'This file has already been applied.',
    )
  })

  test('imports require an admin', async () => {
    const db = await openDb()
    const customer = testContext(db, { user: signedIn('019a7c1e-0000-7000-8000-0000000000bb') })
    const id = await uploadCsv(db, 'SKU,Price\nA-1,1')
    for (const work of [
      storeCsv(customer, { fileName: 'x', body: streamOf('a,b\n1,2') }),
      checkImport(customer, id, mappingOf('SKU,Price')),
      applyImport(customer, id, { leavesOut: true }),
      discardImport(customer, id),
      getImport(customer, id),
      listImports(customer, importQuerySchema.parse({})),
      streamRejectedLines(customer, id).next(),
    ])
      await expect(work).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})
