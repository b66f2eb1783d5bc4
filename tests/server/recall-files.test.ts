import { newId } from '#domain/ids.ts'
import { importCareUpload, previewCareUpload } from '#server/recalls/care-uploads.ts'
import { findShortages } from '#server/screening/find-shortages.ts'
import { admin, asAdmin } from '#tests/support/admin.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { recallReport } from '#tests/support/recall-reports.ts'
import { importRecalls, uploadRecalls } from '#tests/support/recalls.ts'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { recallFile, recallRow, recallTsv } from './recall-file-support.ts'

const refusal = (message: RegExp) =>
  expect.objectContaining({ code: 'INVALID', fields: { file: expect.stringMatching(message) } })

eachEngine((_engine, openDb) => {
  test('a file with a problem changes nothing, and says where it is', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    await importRecalls(
      ctx,
      gzipSync(recallTsv(recallRow('D-1-2020', '0143-1473-01'), recallRow('D-2-2020', '0143-1473-02'))),
    )
    const files: [Buffer, RegExp][] = [
      [Buffer.from('{"results": ['), /line 1: it is not valid JSON: it ends too early/],
      [Buffer.from('{"results": [\n{"a": oops}\n]}'), /line 2: it is not valid JSON from here on/],
      [
        recallFile(recallReport('D-1-2026', '1111-2222-33'), recallReport('Z-9', '1111-2222-33')),
        /entry 2: recall_number/,
      ],
      [
        recallFile(recallReport('D-1-2026', '1111-2222-33'), recallReport('D-1-2026', '1111-2222-33')),
        /entry 2: it repeats entry 1/,
      ],
      [
        recallFile(recallReport('D-1-2026', '1111-2222-33', { report_date: '2026-13-01' })),
        /entry 1: report_date/,
      ],
      [
        recallFile(recallReport('F-1-2026', '1111-2222-33', { product_type: 'Food' })),
        /entry 1: product_type/,
      ],
      [recallTsv({ ...recallRow('D-3-2020', '0143-1473-01'), class: 'IV' }), /line 2: class/],
      [Buffer.from('a\tb\n1\t2\n'), /line 1: it is neither/],
      [gzipSync(recallTsv(recallRow('D-3-2020', '0143-1473-01'))).subarray(0, 60), /gzip file is broken/],
    ]
    for (const [file, message] of files)
      await expect(uploadRecalls(ctx, file)).rejects.toEqual(refusal(message))
    const ids = await db.selectFrom('careRecalls').select('id').orderBy('id').execute()
    expect(ids).toEqual([{ id: 'D-1-2020' }, { id: 'D-2-2020' }])
    expect(await db.selectFrom('careUploads').selectAll().execute()).toEqual([])
    const id = await uploadRecalls(ctx, recallFile(recallReport('D-1-2026', '1111-2222-33')))
    const careless = testContext(db, {
      user: signedIn(admin.id, { isAdmin: true, hasSecondFactor: true, factorVerifiedAt: null }),
    })
    await expect(importCareUpload(careless, id)).rejects.toEqual(
      expect.objectContaining({ code: 'CODE_REQUIRED' }),
    )
    const noAdmin = testContext(db, { user: signedIn(newId(), { roles: ['catalog-manager'] }) })
    await expect(uploadRecalls(noAdmin, recallFile())).rejects.toEqual(
      expect.objectContaining({ code: 'FORBIDDEN' }),
    )
  })

  test('JSON is added to a list, and our own columns replace it', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const productId = await addProduct(db)
    const variantId = await addVariant(db, { productId, ndc: '0143-1473-01' })
    await db.insertInto('productIngredients').values({ productId, ingredient: 'IBUPROFEN' }).execute()
    await importRecalls(ctx, recallTsv(recallRow('D-1-2020', '0143-1473-01')))
    await importRecalls(ctx, recallFile(recallReport('D-1-2026', '0143-1473-01')))
    const preview = await previewCareUpload(
      ctx,
      await uploadRecalls(ctx, recallTsv(recallRow('D-4-2020', '0143-1473-01'))),
    )
    expect(preview).toMatchObject({ mode: 'replace', changes: { added: 1, removed: 2 } })
    const same = await previewCareUpload(
      ctx,
      await uploadRecalls(ctx, recallTsv(recallRow('D-1-2020', '0143-1473-01'))),
    )
    expect(same).toMatchObject({ changes: { added: 0, changed: 0, removed: 0, same: 1 }, effects: null })
    const shortage = (ndc: string, status: string) => ({
      package_ndc: ndc,
      generic_name: 'Ibuprofen Tablet',
      dosage_form: 'Tablet',
      presentation: `Ibuprofen (NDC ${ndc})`,
      company_name: 'Example Labs',
      status,
      initial_posting_date: '01/02/2025',
      update_date: '12/15/2025',
      therapeutic_category: ['Analgesia'],
    })
    await importRecalls(
      ctx,
      recallFile(shortage('0143-1473-01', 'Current'), shortage('0143-1473-02', 'Current')),
    )
    await importRecalls(ctx, recallFile(shortage('0143-1473-02', 'Resolved')))
    const rows = await db
      .selectFrom('careShortages')
      .select(['packageNdc', 'ingredients', 'status'])
      .orderBy('packageNdc')
      .execute()
    expect(rows).toEqual([
      { packageNdc: '00143147301', ingredients: 'IBUPROFEN', status: 'Current' },
      { packageNdc: '00143147302', ingredients: 'IBUPROFEN', status: 'Resolved' },
    ])
    expect(await findShortages(ctx, [variantId])).toEqual(new Map([[variantId, 'Current']]))
    const [list] = await db.selectFrom('careLists').selectAll().where('name', '=', 'shortages').execute()
    expect(list).toMatchObject({ rowCount: 2, listDate: '2025-12-15' })
  })
})
