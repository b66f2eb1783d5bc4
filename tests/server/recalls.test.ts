import { replaceIdentifiers } from '#db/catalog/variant-bulk.ts'
import type { Db } from '#db/engine/client.ts'
import { changeStock } from '#db/inventory/stock.ts'
import { newId } from '#domain/ids.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { releaseLot } from '#server/inventory/quarantine-lot.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { recordPackCheck } from '#server/orders/record-pack-check.ts'
import { refundOrder } from '#server/orders/refund-order.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { importCareUpload, previewCareUpload } from '#server/recalls/care-uploads.ts'
import { getRecall } from '#server/recalls/get-recall.ts'
import { endHold, holdAllRecalledStock } from '#server/recalls/hold-recalled-stock.ts'
import { setLotQuantity } from '#server/lots/set-lot-quantity.ts'
import { listOrderRecalls } from '#server/recalls/list-order-recalls.ts'
import { listRecalls } from '#server/recalls/list-recalls.ts'
import { recallQuerySchema } from '#domain/screening/recall-list.ts'
import { settleRecalls } from '#server/recalls/apply-recalls.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import { findShortages } from '#server/screening/find-shortages.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { asCustomer, buy } from '#tests/support/checkouts.ts'
import { signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { recallJson, recallReport } from '#tests/support/recall-reports.ts'
import { addPackage, importRecalls, uploadRecalls } from '#tests/support/recalls.ts'
import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const admin = signedIn('019a7c1e-0000-7000-8000-0000000000ad', { isAdmin: true })
const asAdmin = (db: Db): Context => testContext(db, { user: admin })

const json = (...results: object[]): Buffer => Buffer.from(recallJson(...results))

const columns =
  'recall_number event_id class status initiated reported terminated firm reason product package_ndcs product_ndcs lots all_lots code_info_if_no_lot_parsed distribution ingredients'.split(
    ' ',
  )
const tsv = (...rows: Record<string, string>[]): Buffer =>
  Buffer.from(
    [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]
      .map((line) => `${line.join('\t')}\n`)
      .join(''),
  )
const tsvRow = (number: string, ndc: string): Record<string, string> => ({
  recall_number: number,
  event_id: '1',
  class: 'II',
  status: 'Terminated',
  initiated: '2020-01-01',
  reported: '2020-02-01',
  firm: 'Example Labs',
  reason: 'Mislabeled',
  product: 'Ibuprofen',
  package_ndcs: ndc,
  lots: 'OLD-1',
})

const refusal = (message: RegExp) =>
  expect.objectContaining({ code: 'INVALID', fields: { file: expect.stringMatching(message) } })

const receive = (ctx: Context, variantId: string, lotNumber: string | null, quantityChange = 10) =>
  adjustStock(ctx, {
    variantId,
    quantityChange,
    transactionType: 'purchase',
    notes: null,
    lotNumber,
    expiryDate: lotNumber === null ? null : '2027-12-31',
  })

async function lotOf(db: Db, lotNumber: string) {
  return db.selectFrom('stockLots').selectAll().where('lotNumber', '=', lotNumber).executeTakeFirstOrThrow()
}

async function problemsOfStock(db: Db): Promise<string[]> {
  const messages: string[] = []
  await verifyStock({ db, keys: testKeys }, (message) => void messages.push(message))
  return messages
}

const mails = async (db: Db) =>
  (await listOutbox(testContext(db))).filter(({ subject }) => subject.startsWith('Recall'))

eachEngine((_engine, openDb) => {
  test('a recall takes its lots out of the stock, blocks open orders, and notifies customers once', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addPackage(db, '0143-1473-01', '00143147301')
    await receive(ctx, id, 'BAD 1', 3)
    const customer = await asCustomer(db)
    const { order: sent } = await buy(customer, id)
    await setOrderStatus(ctx, sent.id, { status: 'shipped' })
    const { order: open } = await buy(customer, id)
    await receive(ctx, id, 'GOOD-1')
    const file = json(
      recallReport('D-0001-2026', '0143-1473-01'),
      recallReport('D-0002-2026', '99999-111-22'),
      {
        ...recallReport('D-0003-2026', ''),
        product_description: 'Compounded cream',
        openfda: {},
      },
      recallReport('D-0004-2026', '0143-1473-01', {
        classification: 'Not Yet Classified',
        more_code_info: null,
      }),
    )

    const uploadId = await uploadRecalls(ctx, file)
    const preview = await previewCareUpload(ctx, uploadId)
    expect(preview).toMatchObject({
      list: 'recalls',
      mode: 'merge',
      rowCount: 2,
      withoutNdc: 1,
      unclassified: 1,
      changes: { added: 2, changed: 0, removed: 0, same: 0 },
      effects: {
        packages: 1,
        outsideCatalog: 1,
        lots: [{ lotNumber: 'BAD 1', quantity: 1, recallId: 'D-0001-2026' }],
        openOrders: 1,
        customers: 1,
        shippedOrders: 1,
      },
    })
    expect(await lotOf(db, 'BAD 1')).toMatchObject({ status: 'available' })
    expect(await mails(db)).toEqual([])

    // Two admins press the button at once, and a job runs: each effect happens once.
    const [one, two] = await Promise.allSettled([
      importCareUpload(ctx, uploadId),
      importCareUpload(ctx, uploadId),
    ])
    expect([one.status, two.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    const later = { ...ctx, now: new Date(ctx.now.getTime() + 120_000) }
    await Promise.all([settleRecalls(ctx), settleRecalls(later), holdAllRecalledStock(ctx)])
    expect(await db.selectFrom('recallTasks').selectAll().execute()).toEqual([])
    expect(await lotOf(db, 'BAD 1')).toMatchObject({ status: 'quarantined', quantity: 1 })
    expect(await lotOf(db, 'GOOD-1')).toMatchObject({ status: 'available', quantity: 10 })
    const events = await db.selectFrom('lotEvents').selectAll().execute()
    expect(events).toMatchObject([{ action: 'quarantined', reason: 'Recall D-0001-2026, class II' }])
    const sentMails = await mails(db)
    expect(sentMails).toHaveLength(1)
    expect(sentMails[0]?.text).toContain(`/orders/${sent.id}`)
    expect(sentMails[0]?.text).not.toMatch(/ibuprofen|sterility|D-0001/i)
    expect(await problemsOfStock(db)).toEqual([])

    // The same again, and once more with another report that changed.
    expect(await importRecalls(ctx, file)).toMatchObject({ recalls: 0, customers: 0 })
    const changed = recallReport('D-0001-2026', '0143-1473-01', { reason_for_recall: 'Contaminated' })
    expect(await importRecalls(ctx, json(changed))).toMatchObject({ recalls: 1, lots: 0, customers: 0 })
    expect(await mails(db)).toHaveLength(1)

    await expect(setOrderStatus(ctx, open.id, { status: 'shipped' })).rejects.toEqual(
      expect.objectContaining({ code: 'CONFLICT', message: expect.stringMatching(/BAD 1 .* in quarantine/) }),
    )
    const asCustomerNow = { ...customer, now: ctx.now }
    expect(await listOrderRecalls(asCustomerNow, sent.id)).toMatchObject([
      { recallId: 'D-0001-2026', sentLots: ['BAD 1'], report: { reason: 'Contaminated', lots: ['BAD-1'] } },
    ])
    expect(await listOrderRecalls(asCustomerNow, open.id)).toEqual([])
    await expect(listOrderRecalls(await asCustomer(db), sent.id)).rejects.toEqual(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    )
    const details = await getRecall(ctx, 'D-0001-2026')
    expect(details).toMatchObject({
      recall: { reason: 'Contaminated', lots: ['BAD-1'] },
      lots: [{ lotNumber: 'BAD 1', status: 'quarantined' }],
      open: [{ orderId: open.id, lines: 1 }],
      notified: [{ orderId: sent.id, reached: 'waiting', hasAccount: true }],
    })
    expect((await listRecalls(ctx, recallQuerySchema.parse({}))).rows).toMatchObject([
      { id: 'D-0001-2026', lots: 1, notified: 1 },
    ])
    const [row] = await db.selectFrom('recallNotices').selectAll().execute()
    expect(JSON.stringify(row)).not.toContain(sent.id)
    expect(JSON.stringify(row)).not.toContain('D-0001')
  })

  test('a recalled lot goes into quarantine when it is received, and is not released', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addPackage(db, '0143-1473-01', '00143147301')
    await importRecalls(ctx, json(recallReport('D-0001-2026', '0143-1473-01')))
    await receive(ctx, id, 'BAD-1', 4)
    const lot = await lotOf(db, 'BAD-1')
    expect(lot).toMatchObject({ status: 'quarantined', quantity: 4 })
    await expect(releaseLot(ctx, { lotId: lot.id, reason: 'Looks fine' })).rejects.toEqual(
      expect.objectContaining({
        code: 'CONFLICT',
        message: expect.stringMatching(/D-0001-2026 is in force/),
      }),
    )
    // By a file too.
    const count = { variantId: id, lotNumber: 'BAD1', expiresOn: '2027-12-31', before: 0, after: 6 }
    await inTransaction(ctx, (ctx) => setLotQuantity(ctx, count, 'Imported'))
    expect(await lotOf(db, 'BAD1')).toMatchObject({ status: 'quarantined', quantity: 6 })
    expect(await problemsOfStock(db)).toEqual([])
  })

  test('a recall of all lots holds all stock until it ends', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addPackage(db, '0143-1473-01', '00143147301')
    await receive(ctx, id, null, 5)
    await receive(ctx, id, 'ANY', 2)
    const customer = await asCustomer(db)
    const sent = [await buy(customer, id), await buy(customer, id)].map(({ order }) => order.id)
    for (const orderId of sent) await setOrderStatus(ctx, orderId, { status: 'delivered' })
    const all = { code_info: 'All lots within expiry' }
    const result = await importRecalls(ctx, json(recallReport('D-0001-2026', '0143-1473-01', all)))
    expect(result).toMatchObject({ lots: 1, looseUnits: 5, customers: 1, orders: 2 })
    const [mail, ...others] = await mails(db)
    expect(others).toEqual([])
    for (const orderId of sent) expect(mail?.text).toContain(orderId.slice(-8))
    expect(await holdAllRecalledStock(ctx)).toEqual({ lots: 0, looseUnits: 0 })
    await expect(receive(ctx, id, null)).rejects.toEqual(
      expect.objectContaining({ fields: { lotNumber: expect.stringMatching(/all lots of this package/) } }),
    )
    const hold = { recallId: 'D-0001-2026', variantId: id, units: 5, outcome: 'returned' } as const
    await expect(endHold(ctx, hold)).rejects.toEqual(expect.objectContaining({ code: 'CONFLICT' }))
    await importRecalls(
      ctx,
      json(recallReport('D-0001-2026', '0143-1473-01', { ...all, status: 'Terminated' })),
    )
    const other = json(recallReport('D-0002-2026', '0143-1473-01', all))
    await importRecalls(ctx, other)
    await expect(endHold(ctx, hold)).rejects.toThrow('D-0002-2026 is for all lots and ongoing')
    await importRecalls(
      ctx,
      json(recallReport('D-0002-2026', '0143-1473-01', { ...all, status: 'Completed' })),
    )
    await endHold(ctx, hold)
    await releaseLot(ctx, { lotId: (await lotOf(db, 'ANY')).id, reason: 'The recall has ended' })
    const stock = await db
      .selectFrom('productVariants')
      .select('stockQuantity')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(stock).toEqual({ stockQuantity: 5 })
    expect(await problemsOfStock(db)).toEqual([])
  })

  test('a recall holds packages whose NDC was typed without dashes', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    // The recalled package as ten and as eleven digits, and another one.
    const ndcs = ['0143147301', '00143147301', '0143147402']
    const ids = await Promise.all(ndcs.map((ndc) => addVariant(db, { ndc, stockQuantity: 5, inStock: true })))
    const after = ndcs.map((ndc, at) => ({ id: ids[at] ?? '', ndc, din: null, upc: null }))
    await replaceIdentifiers(db, { before: [], after })
    const all = json(recallReport('D-0001-2026', '0143-1473-01', { code_info: 'All lots within expiry' }))
    expect(await importRecalls(ctx, all)).toMatchObject({ looseUnits: 10 })
    // What the job finds later: stock that was counted after the import.
    for (const id of ids) await changeStock(db, { variantId: id, change: 1, now: ctx.now })
    expect(await holdAllRecalledStock(ctx)).toMatchObject({ looseUnits: 2 })
  })

  test('a recall of a product holds all its packages, and a recall of a package only that one', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const all = 'All lots within expiry'
    const ofProduct = { ...tsvRow('D-0001-2026', ''), product_ndcs: '0143-1473', status: 'Ongoing' }
    const ofPackage = { ...tsvRow('D-0002-2026', '0143-1474-01'), status: 'Ongoing' }
    const rows = [ofProduct, ofPackage].map((row) => ({
      ...row,
      lots: '',
      all_lots: 'Y',
      code_info_if_no_lot_parsed: all,
    }))
    await importRecalls(ctx, tsv(...rows))
    const packages = ['0143-1473-01', '0143-1473-99', '0143-1474-01', '0143-1474-02', '0143-1472-01']
    for (const ndc of packages) await addPackage(db, ndc, `0${ndc.replaceAll('-', '')}`, 5)
    expect(await holdAllRecalledStock(ctx)).toMatchObject({ looseUnits: 15 })
  })

  test('a pack of an unknown lot ships once staff have checked it', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addPackage(db, '0143-1473-01', '00143147301', 20)
    const { order } = await buy(await asCustomer(db), id)
    await importRecalls(ctx, json(recallReport('D-0001-2026', '0143-1473-01')))
    const ship = () => setOrderStatus(ctx, order.id, { status: 'shipped' })
    await expect(ship()).rejects.toEqual(
      expect.objectContaining({
        code: 'CONFLICT',
        message: expect.stringMatching(/Check the lot on the pack/),
      }),
    )
    const lineId = order.items[0]?.id ?? ''
    const check = { orderId: order.id, lineId, recallId: 'D-0001-2026', reason: '' }
    await expect(recordPackCheck(ctx, { ...check, lotNumber: 'bad 1' })).rejects.toEqual(
      expect.objectContaining({ fields: { lotNumber: expect.stringMatching(/lists this lot/) } }),
    )
    await recordPackCheck(ctx, { ...check, lotNumber: 'GOOD-7' })
    // A check no longer counts once the recall lists the lot that was read.
    const longer = { code_info: 'Lots BAD-1, GOOD-7' }
    await importRecalls(ctx, json(recallReport('D-0001-2026', '0143-1473-01', longer)))
    await expect(ship()).rejects.toThrow('Check the lot on the pack')
    await importRecalls(ctx, json(recallReport('D-0001-2026', '0143-1473-01')))
    expect((await ship()).status).toBe('shipped')
    // The pack was checked, so its customer is not notified.
    await importRecalls(ctx, json(recallReport('D-0001-2026', '0143-1473-01', { classification: 'Class I' })))
    expect(await mails(db)).toEqual([])
    // What was refunded whole keeps nothing from shipping.
    const other = await addPackage(db, '0143-1473-02', '00143147302', 20)
    const user = await asCustomer(db)
    const mixed = await placeOrder(db, user.user?.id ?? '', {
      items: [id, other].map((productVariantId) => ({ productVariantId, quantity: 1 })),
    })
    await expect(setOrderStatus(ctx, mixed.id, { status: 'shipped' })).rejects.toThrow('may affect')
    const lines = [{ lineId: mixed.items[0]?.id ?? '', quantity: 1, restock: false }]
    await refundOrder(ctx, { id: mixed.id, key: randomUUID(), lines })
    expect((await setOrderStatus(ctx, mixed.id, { status: 'shipped' })).status).toBe('shipped')
    // A recall that has ended, of unknown lots, is information.
    const { order: next } = await buy(await asCustomer(db), id)
    await importRecalls(ctx, json(recallReport('D-0001-2026', '0143-1473-01', { status: 'Terminated' })))
    expect((await setOrderStatus(ctx, next.id, { status: 'shipped' })).status).toBe('shipped')
  })

  test('a file with a problem changes nothing, and says where it is', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    await importRecalls(
      ctx,
      gzipSync(tsv(tsvRow('D-1-2020', '0143-1473-01'), tsvRow('D-2-2020', '0143-1473-02'))),
    )
    const files: [Buffer, RegExp][] = [
      [Buffer.from('{"results": ['), /line 1: it is not valid JSON: it ends too early/],
      [Buffer.from('{"results": [\n{"a": oops}\n]}'), /line 2: it is not valid JSON from here on/],
      [
        json(recallReport('D-1-2026', '1111-2222-33'), recallReport('Z-9', '1111-2222-33')),
        /entry 2: recall_number/,
      ],
      [
        json(recallReport('D-1-2026', '1111-2222-33'), recallReport('D-1-2026', '1111-2222-33')),
        /entry 2: it repeats entry 1/,
      ],
      [json(recallReport('D-1-2026', '1111-2222-33', { report_date: '2026-13-01' })), /entry 1: report_date/],
      [json(recallReport('F-1-2026', '1111-2222-33', { product_type: 'Food' })), /entry 1: product_type/],
      [tsv({ ...tsvRow('D-3-2020', '0143-1473-01'), class: 'IV' }), /line 2: class/],
      [Buffer.from('a\tb\n1\t2\n'), /line 1: it is neither/],
      [gzipSync(tsv(tsvRow('D-3-2020', '0143-1473-01'))).subarray(0, 60), /gzip file is broken/],
    ]
    for (const [file, message] of files)
      await expect(uploadRecalls(ctx, file)).rejects.toEqual(refusal(message))
    const ids = await db.selectFrom('careRecalls').select('id').orderBy('id').execute()
    expect(ids).toEqual([{ id: 'D-1-2020' }, { id: 'D-2-2020' }])
    expect(await db.selectFrom('careUploads').selectAll().execute()).toEqual([])
    const id = await uploadRecalls(ctx, json(recallReport('D-1-2026', '1111-2222-33')))
    const careless = testContext(db, {
      user: signedIn(admin.id, { isAdmin: true, hasSecondFactor: true, factorVerifiedAt: null }),
    })
    await expect(importCareUpload(careless, id)).rejects.toEqual(
      expect.objectContaining({ code: 'CODE_REQUIRED' }),
    )
    const noAdmin = testContext(db, { user: signedIn(newId(), { roles: ['catalog-manager'] }) })
    await expect(uploadRecalls(noAdmin, json())).rejects.toEqual(
      expect.objectContaining({ code: 'FORBIDDEN' }),
    )
  })

  test('JSON is added to a list, and our own columns replace it', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const productId = await addProduct(db)
    const variantId = await addVariant(db, { productId, ndc: '0143-1473-01' })
    await db.insertInto('productIngredients').values({ productId, ingredient: 'IBUPROFEN' }).execute()
    await importRecalls(ctx, tsv(tsvRow('D-1-2020', '0143-1473-01')))
    await importRecalls(ctx, json(recallReport('D-1-2026', '0143-1473-01')))
    const preview = await previewCareUpload(
      ctx,
      await uploadRecalls(ctx, tsv(tsvRow('D-4-2020', '0143-1473-01'))),
    )
    expect(preview).toMatchObject({ mode: 'replace', changes: { added: 1, removed: 2 } })
    const same = await previewCareUpload(
      ctx,
      await uploadRecalls(ctx, tsv(tsvRow('D-1-2020', '0143-1473-01'))),
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
    await importRecalls(ctx, json(shortage('0143-1473-01', 'Current'), shortage('0143-1473-02', 'Current')))
    await importRecalls(ctx, json(shortage('0143-1473-02', 'Resolved')))
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
