import { replaceIdentifiers } from '#db/catalog/variant-bulk.ts'
import type { Db } from '#db/engine/client.ts'
import { changeStock } from '#db/inventory/stock.ts'
import { newVariantSchema } from '#domain/catalog/variant-fields.ts'
import { newId } from '#domain/ids.ts'
import { maxStock } from '#domain/inventory/inventory.ts'
import type { HoldOutcome } from '#domain/screening/recall-hold.ts'
import { recallQuerySchema } from '#domain/screening/recall-list.ts'
import { createVariant } from '#server/catalog/create-variant.ts'
import { updateVariant } from '#server/catalog/update-variant.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { getLot } from '#server/inventory/list-lots.ts'
import { quarantineLot, releaseLot } from '#server/inventory/quarantine-lot.ts'
import { setLotQuantity } from '#server/lots/set-lot-quantity.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { getPackingSlip } from '#server/orders/get-package.ts'
import { refundOrder } from '#server/orders/refund-order.ts'
import { setOrderStatuses } from '#server/orders/set-order-statuses.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { undoStatusChange } from '#server/orders/undo-status-change.ts'
import { settleRecalls } from '#server/recalls/apply-recalls.ts'
import { importCareUpload, previewCareUpload } from '#server/recalls/care-uploads.ts'
import { getRecall } from '#server/recalls/get-recall.ts'
import { endHold, holdAllRecalledStock } from '#server/recalls/hold-recalled-stock.ts'
import { listOrderRecalls } from '#server/recalls/list-order-recalls.ts'
import { listRecalls } from '#server/recalls/list-recalls.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { asCustomer, buy } from '#tests/support/checkouts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { capture } from '#tests/support/payment-holds.ts'
import { clearOrder } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { recallReport } from '#tests/support/recall-reports.ts'
import { addPackage, importRecalls, recallMails, receive, uploadRecalls } from '#tests/support/recalls.ts'
import { findStockFaults } from '#tests/support/stock-faults.ts'
import { expect, test } from 'vitest'
import { recallFile, recallRow, recallTsv } from './recall-file-support.ts'

async function lotOf(db: Db, lotNumber: string) {
  return db.selectFrom('stockLots').selectAll().where('lotNumber', '=', lotNumber).executeTakeFirstOrThrow()
}

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
    const file = recallFile(
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
    expect(await recallMails(db)).toEqual([])

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
    const sentMails = await recallMails(db)
    expect(sentMails).toHaveLength(1)
    expect(sentMails[0]?.text).toContain(`/orders/${sent.id}`)
    expect(sentMails[0]?.text).not.toMatch(/ibuprofen|sterility|D-0001/i)
    expect(await findStockFaults(db)).toEqual([])

    // The same again, and once more with another report that changed.
    expect(await importRecalls(ctx, file)).toMatchObject({ recalls: 0, customers: 0 })
    const changed = recallReport('D-0001-2026', '0143-1473-01', { reason_for_recall: 'Contaminated' })
    expect(await importRecalls(ctx, recallFile(changed))).toMatchObject({ recalls: 1, lots: 0, customers: 0 })
    expect(await recallMails(db)).toHaveLength(1)

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
      open: [{ orderId: open.id, lines: 1, affected: { units: 1, lots: ['BAD 1'] } }],
      notified: [
        {
          orderId: sent.id,
          reached: 'waiting',
          hasAccount: true,
          affected: { customerName: expect.stringMatching(/./), units: 1, lots: ['BAD 1'] },
        },
      ],
    })
    expect((await listRecalls(ctx, recallQuerySchema.parse({}))).rows).toMatchObject([
      { id: 'D-0001-2026', lots: 1, notified: 1 },
    ])
    const [row] = await db.selectFrom('recallNotices').selectAll().execute()
    expect(JSON.stringify(row)).not.toContain(sent.id)
    expect(JSON.stringify(row)).not.toContain('D-0001')
  })

  test('staff who may not see medicines read no number of a recall or lot on the packing slip', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const productId = await addProduct(db, { category: 'Rx' })
    const rx = await addVariant(db, { productId, ndc: '0143-1473-01', stockQuantity: 0, inStock: false })
    const otc = await addPackage(db, '0143-1474-01', '00143147401')
    await db
      .insertInto('variantIdentifiers')
      .values({ kind: 'ndc-11', value: '00143147301', variantId: rx })
      .execute()
    for (const [variantId, lotNumber] of [
      [rx, 'RX-1'],
      [otc, 'OTC-1'],
    ] as const)
      await receive(ctx, variantId, lotNumber, 3)
    const userId = await makeUser(db)
    const { id: prescriptionId } = await addPrescription(db, userId)
    const order = await placeOrder(db, userId, {
      items: [rx, otc].map((productVariantId) => ({ productVariantId, quantity: 1 })),
      prescriptionId,
    })
    await clearOrder(db, order.id)
    await capture(db, order.id)
    await importRecalls(
      ctx,
      recallFile(
        recallReport('D-0001-2026', '0143-1473-01', { code_info: 'Lot RX-1' }),
        recallReport('D-0002-2026', '0143-1474-01', { code_info: 'Lot OTC-1' }),
      ),
    )
    const support = testContext(db, {
      user: signedIn(await makeUser(db, { roles: ['support'] }), { roles: ['support'] }),
    })
    const problemsFor = async (by: Context) =>
      (await getPackingSlip(by, order.id)).lines.map(({ problem }) => problem)
    const ofLot = 'The lot of a prescription item must be checked by the pharmacy before it is packed.'
    const ofRecall = 'A recall may affect an item. The pharmacy has to check it.'
    const ofOtc = expect.stringMatching(/^Lot OTC-1 of .* is in quarantine/)
    expect(await problemsFor(ctx)).toEqual([expect.stringMatching(/^Lot RX-1 of /), ofOtc])
    expect(await problemsFor(support)).toEqual([ofLot, ofOtc])
    expect(JSON.stringify((await getPackingSlip(support, order.id)).lines)).not.toMatch(/RX-1|D-0001/)
    expect((await getAdminOrder(support, order.id)).recalls).toEqual([ofRecall])
    // Without the lot's own problem, the recall's number stays hidden too.
    await db.updateTable('stockLots').set({ status: 'available' }).execute()
    expect(await problemsFor(ctx)).toEqual([
      expect.stringMatching(/D-0001-2026 .* lists lot RX-1/),
      expect.stringMatching(/D-0002-2026 .* lists lot OTC-1/),
    ])
    expect(await problemsFor(support)).toEqual([ofRecall, expect.stringContaining('D-0002-2026')])
  })

  test('a recalled lot goes into quarantine when it is received, and is not released', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addPackage(db, '0143-1473-01', '00143147301')
    await importRecalls(ctx, recallFile(recallReport('D-0001-2026', '0143-1473-01')))
    const received = await receive(ctx, id, 'BAD-1', 4)
    expect(received).toMatchObject({ quantityAfter: 4, lotStatus: 'quarantined' })
    expect(await receive(ctx, id, 'GOOD-1', 4)).toMatchObject({ lotStatus: 'available' })
    const lot = await lotOf(db, 'BAD-1')
    expect(lot).toMatchObject({ status: 'quarantined', quantity: 4 })
    await expect(releaseLot(ctx, { lotId: lot.id, reason: 'Looks fine' })).rejects.toEqual(
      expect.objectContaining({
        code: 'CONFLICT',
        message: expect.stringMatching(/D-0001-2026 applies to lot/),
      }),
    )
    expect(await getLot(ctx, lot.id)).toMatchObject({
      releaseProblem: {
        recallId: 'D-0001-2026',
        message: expect.stringMatching(/D-0001-2026 applies to lot BAD-1/),
      },
    })
    const good = await lotOf(db, 'GOOD-1')
    await quarantineLot(ctx, { lotId: good.id, reason: 'Damaged box' })
    expect(await getLot(ctx, good.id)).toMatchObject({ releaseProblem: null })
    // By a file too.
    const count = { variantId: id, lotNumber: 'BAD1', expiresOn: '2027-12-31', before: 0, after: 6 }
    await inTransaction(ctx, (ctx) => setLotQuantity(ctx, count, 'Imported'))
    expect(await lotOf(db, 'BAD1')).toMatchObject({ status: 'quarantined', quantity: 6 })
    expect(await findStockFaults(db)).toEqual([])
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
    const result = await importRecalls(ctx, recallFile(recallReport('D-0001-2026', '0143-1473-01', all)))
    expect(result).toMatchObject({ lots: 1, looseUnits: 5, customers: 1, orders: 2 })
    const [mail, ...others] = await recallMails(db)
    expect(others).toEqual([])
    for (const orderId of sent) expect(mail?.text).toContain(orderId.slice(-8))
    expect(await holdAllRecalledStock(ctx)).toEqual({ lots: 0, looseUnits: 0, takenOffSale: 0 })
    await expect(receive(ctx, id, null)).rejects.toEqual(
      expect.objectContaining({ fields: { lotNumber: expect.stringMatching(/all lots of this package/) } }),
    )
    // The variant's form and the API set the same stock.
    await expect(updateVariant(ctx, id, { stockQuantity: 50 })).rejects.toEqual(
      expect.objectContaining({
        fields: { stockQuantity: expect.stringMatching(/all lots of this package/) },
      }),
    )
    expect(await updateVariant(ctx, id, { sku: 'R-1', stockQuantity: 0 })).toMatchObject({ sku: 'R-1' })
    const input = newVariantSchema.parse({
      productId: await addProduct(db),
      ndc: '0143-1473-01',
      strength: '10',
      strengthUnit: 'mg',
      packageSize: 30,
      packageUnit: 'tablet',
      price: '12.50',
      stockQuantity: 3,
    })
    await expect(createVariant(ctx, input)).rejects.toMatchObject({ code: 'INVALID' })
    const hold = {
      recallId: 'D-0001-2026',
      variantId: id,
      held: 5,
      quantity: 5,
      outcome: 'stock',
      reason: 'Recall ended',
    } as const
    await expect(endHold(ctx, hold)).rejects.toEqual(expect.objectContaining({ code: 'CONFLICT' }))
    await importRecalls(
      ctx,
      recallFile(recallReport('D-0001-2026', '0143-1473-01', { ...all, status: 'Terminated' })),
    )
    const other = recallFile(recallReport('D-0002-2026', '0143-1473-01', all))
    await importRecalls(ctx, other)
    await expect(endHold(ctx, hold)).rejects.toThrow('D-0002-2026 is for all lots and ongoing')
    await importRecalls(
      ctx,
      recallFile(recallReport('D-0002-2026', '0143-1473-01', { ...all, status: 'Completed' })),
    )
    await endHold(ctx, hold)
    await releaseLot(ctx, { lotId: (await lotOf(db, 'ANY')).id, reason: 'The recall has ended' })
    const stock = await db
      .selectFrom('productVariants')
      .select('stockQuantity')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(stock).toEqual({ stockQuantity: 5 })
    expect(await findStockFaults(db)).toEqual([])
  })

  test('what became of held units stays with the recall, with the quantity and the reason', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const actor = await makeUser(db, { isAdmin: true, firstName: 'Jonas', lastName: 'Weber' })
    const jonas = testContext(db, { user: signedIn(actor, { isAdmin: true }) })
    const id = await addPackage(db, '0143-1473-01', '00143147301')
    await receive(ctx, id, null, 132)
    const all = { code_info: 'All lots within expiry' }
    await importRecalls(ctx, recallFile(recallReport('D-0001-2026', '0143-1473-01', all)))
    const end = (held: number, quantity: number, outcome: HoldOutcome, reason: string) =>
      endHold(jonas, { recallId: 'D-0001-2026', variantId: id, held, quantity, outcome, reason })
    await expect(end(132, 133, 'destroyed', 'Too many')).rejects.toMatchObject({
      code: 'INVALID',
      fields: { quantity: 'Enter at most 132.' },
    })
    await expect(end(132, 1, 'stock', 'Still recalled')).rejects.toMatchObject({ code: 'CONFLICT' })
    await end(132, 100, 'supplier', 'Return 4711')
    await expect(end(132, 32, 'destroyed', 'An old page')).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await getRecall(ctx, 'D-0001-2026')).holds).toMatchObject([{ variantId: id, units: 32 }])
    await end(32, 32, 'destroyed', 'Certificate 12')

    const recall = await getRecall(ctx, 'D-0001-2026')
    expect(recall.holds).toEqual([])
    const shown = { name: expect.stringContaining('Ibuprofen'), by: 'Jonas Weber', at: ctx.now.toISOString() }
    expect(recall.endedHolds).toMatchObject([
      { ...shown, units: 32, outcome: 'destroyed', reason: 'Certificate 12' },
      { ...shown, units: 100, outcome: 'supplier', reason: 'Return 4711' },
    ])
    const audited = await db
      .selectFrom('auditLog')
      .select(['actorId', 'objectId'])
      .where('action', '=', 'recall-hold.ended')
      .orderBy('objectId', 'desc')
      .execute()
    expect(audited).toEqual(recall.endedHolds?.map((event) => ({ actorId: actor, objectId: event.id })))
    expect(await findStockFaults(db)).toEqual([])
  })

  test('held units return neither above the maximum stock nor to a deleted variant', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addPackage(db, '0143-1473-01', '00143147301')
    await receive(ctx, id, null, 5)
    const report = (status: string) =>
      recallFile(recallReport('D-0001-2026', '0143-1473-01', { code_info: 'All lots', status }))
    for (const status of ['Ongoing', 'Terminated']) await importRecalls(ctx, report(status))
    const set = (change: { stockQuantity: number; deletedAt?: Date }) =>
      db.updateTable('productVariants').set(change).where('id', '=', id).execute()
    const returnUnits = () =>
      endHold(ctx, {
        recallId: 'D-0001-2026',
        variantId: id,
        held: 5,
        quantity: 5,
        outcome: 'stock',
        reason: 'Recall ended',
      })
    await set({ stockQuantity: maxStock - 4 })
    await expect(returnUnits()).rejects.toMatchObject({ code: 'CONFLICT' })
    await set({ stockQuantity: 0, deletedAt: ctx.now })
    await expect(returnUnits()).rejects.toThrow('This variant was deleted')
    expect((await getRecall(ctx, 'D-0001-2026')).holds).toMatchObject([{ variantId: id, units: 5 }])
  })

  test('customers of orders that were cancelled after shipping are notified', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addPackage(db, '0143-1473-01', '00143147301', 20)
    const buyAndSet = async (...statuses: readonly ('shipped' | 'delivered' | 'cancelled')[]) => {
      const { order } = await buy(await asCustomer(db), id)
      for (const status of statuses) await setOrderStatus(ctx, order.id, { status })
      return order.id
    }
    const shipped = await buyAndSet('shipped', 'cancelled')
    const delivered = await buyAndSet('delivered', 'cancelled')
    await buyAndSet('cancelled')
    const reverted = await buyAndSet('shipped', 'cancelled')
    const old = await buyAndSet('shipped', 'cancelled')
    const shippings = (orderId: string) =>
      db.updateTable('orderEvents').where('orderId', '=', orderId).where('status', '=', 'shipped')
    await shippings(reverted).set({ revertedAt: ctx.now }).execute()
    await shippings(old)
      .set({ at: new Date('2020-01-01') })
      .execute()
    const all = { code_info: 'All lots within expiry' }
    const result = await importRecalls(ctx, recallFile(recallReport('D-0001-2026', '0143-1473-01', all)))
    expect(result).toMatchObject({ openOrders: 0, customers: 2, orders: 2 })
    const { notified } = await getRecall(ctx, 'D-0001-2026')
    expect(notified?.map(({ orderId }) => orderId).toSorted()).toEqual([shipped, delivered].toSorted())
  })

  test('customers whose units were refunded before the order shipped are not notified', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const recalled = await addPackage(db, '0143-1473-01', '00143147301', 20)
    const other = await addVariant(db, { stockQuantity: 20 })
    const hoursLater = (hours: number) => ({ ...ctx, now: new Date(ctx.now.getTime() + hours * 3600_000) })
    const refund = (context: Context, id: string, lineId: string, restock: boolean) =>
      refundOrder(context, { id, key: newId(), lines: [{ lineId, quantity: 2, restock }] })
    /** Two recalled packs with another, shipped. */
    const buyAndShip = async (refundAt: 'before' | 'after' | 'after an undone shipping', restock = false) => {
      const customer = await asCustomer(db)
      const items = [recalled, other].map((productVariantId) => ({ productVariantId, quantity: 2 }))
      const { id, items: lines } = await placeOrder(db, customer.user?.id ?? '', { items })
      const lineId = lines.find(({ productVariantId }) => productVariantId === recalled)?.id ?? ''
      if (refundAt === 'after an undone shipping') {
        const [shipped] = await setOrderStatuses(ctx, { ids: [id], status: 'shipped' })
        await undoStatusChange(ctx, { id, changeId: shipped?.changeId ?? '' })
      }
      if (refundAt !== 'after') await refund(hoursLater(1), id, lineId, restock)
      await setOrderStatus(hoursLater(2), id, { status: 'shipped' })
      if (refundAt === 'after') await refund(hoursLater(3), id, lineId, restock)
      return id
    }
    await buyAndShip('before')
    await buyAndShip('before', true)
    await buyAndShip('after an undone shipping')
    const refunded = await buyAndShip('after')
    const returned = await buyAndShip('after', true)
    const all = { code_info: 'All lots within expiry' }
    const result = await importRecalls(ctx, recallFile(recallReport('D-0001-2026', '0143-1473-01', all)))
    expect(result).toMatchObject({ openOrders: 0, customers: 2, orders: 2 })
    const { notified } = await getRecall(ctx, 'D-0001-2026')
    expect(notified?.map(({ orderId }) => orderId).toSorted()).toEqual([refunded, returned].toSorted())
  })

  test('a report whose lots were all read counts as complete, however many they are', async () => {
    const db = await openDb()
    const lots = Array.from({ length: 201 }, (_, i) => `A${1000 + i}`)
    const report = recallReport('D-0001-2026', '0143-1473-01', { code_info: `Lots ${lots.join(', ')}` })
    await importRecalls(asAdmin(db), recallFile(report))
    const stored = await db.selectFrom('careRecallLots').select('lot').execute()
    expect(stored).toHaveLength(lots.length)
    expect(await db.selectFrom('careRecalls').select('lotNote').execute()).toEqual([{ lotNote: null }])
  })

  test('a recall holds packages whose NDC was typed without dashes', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    // The recalled package as ten and as eleven digits, and another one.
    const ndcs = ['0143147301', '00143147301', '0143147402']
    const ids = await Promise.all(ndcs.map((ndc) => addVariant(db, { ndc, stockQuantity: 5, inStock: true })))
    const after = ndcs.map((ndc, at) => ({ id: ids[at] ?? '', ndc, din: null, upc: null }))
    await replaceIdentifiers(db, { before: [], after })
    const all = recallFile(
      recallReport('D-0001-2026', '0143-1473-01', { code_info: 'All lots within expiry' }),
    )
    expect(await importRecalls(ctx, all)).toMatchObject({ looseUnits: 10 })
    // What the job finds later: stock that was counted after the import.
    for (const id of ids) await changeStock(db, { variantId: id, change: 1, now: ctx.now })
    expect(await holdAllRecalledStock(ctx)).toMatchObject({ looseUnits: 2 })
  })

  test('a recall of a product holds all its packages, and a recall of a package only that one', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const all = 'All lots within expiry'
    const ofProduct = { ...recallRow('D-0001-2026', ''), product_ndcs: '0143-1473', status: 'Ongoing' }
    const ofPackage = { ...recallRow('D-0002-2026', '0143-1474-01'), status: 'Ongoing' }
    const rows = [ofProduct, ofPackage].map((row) => ({
      ...row,
      lots: '',
      all_lots: 'Y',
      code_info_if_no_lot_parsed: all,
    }))
    await importRecalls(ctx, recallTsv(...rows))
    const packages = ['0143-1473-01', '0143-1473-99', '0143-1474-01', '0143-1474-02', '0143-1472-01']
    for (const ndc of packages) await addPackage(db, ndc, `0${ndc.replaceAll('-', '')}`, 5)
    expect(await holdAllRecalledStock(ctx)).toMatchObject({ looseUnits: 15 })
  })
})
