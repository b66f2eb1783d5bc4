import type { Db } from '#db/engine/client.ts'
import { changeStock } from '#db/inventory/stock.ts'
import { insertRecallNotice } from '#db/recalls/recall-notices.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '#server/context.ts'
import { prometheusMetrics } from '#server/integrations/metrics/prometheus.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { startJobs } from '#server/jobs/run-jobs.ts'
import { createLog } from '#server/log.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { findLotOrders } from '#server/orders/find-lot-orders.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { settleRecalls } from '#server/recalls/apply-recalls.ts'
import { importCareUpload, previewCareUpload } from '#server/recalls/care-uploads.ts'
import { getRecall } from '#server/recalls/get-recall.ts'
import { listOrderRecalls } from '#server/recalls/list-order-recalls.ts'
import { recallKeyOf } from '#server/recalls/notify-customers.ts'
import { printRecallResult } from '#server/recalls/print-recall-result.ts'
import { sealNotice } from '#server/recalls/sealed-notice.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { testDay } from '#tests/support/catalog.ts'
import { asCustomer, buy } from '#tests/support/checkouts.ts'
import { offlineJobParts, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { recallReport } from '#tests/support/recall-reports.ts'
import { addPackage, importRecalls, uploadRecalls } from '#tests/support/recalls.ts'
import { expect, onTestFinished, test } from 'vitest'
import { recallFile } from './recall-file-support.ts'

const file = recallFile(recallReport('D-0001-2026', '0143-1473-01'))
const allLots = { code_info: 'All lots within expiry' }

/** A recalled package with units of the recalled lot. Returns the variant's and the lot's id. */
async function addRecalledLot(ctx: Context) {
  const variantId = await addPackage(ctx.db, '0143-1473-01', '00143147301')
  await adjustStock(ctx, {
    variantId,
    quantityChange: 10,
    transactionType: 'purchase',
    notes: null,
    lotNumber: 'BAD 1',
    expiryDate: '2027-12-31',
  })
  const { id } = await ctx.db.selectFrom('stockLots').select('id').executeTakeFirstOrThrow()
  return { variantId, lotId: id }
}

const listLots = (db: Db) => db.selectFrom('stockLots').select(['status', 'quantity']).execute()
const listStock = (db: Db) => db.selectFrom('productVariants').select('stockQuantity').orderBy('id').execute()
const countRecallMails = async (db: Db) =>
  (await listOutbox(testContext(db))).filter(({ subject }) => subject.startsWith('Recall')).length
const damageOrder = (db: Db, id: string) =>
  db.updateTable('orders').set({ sealedOrder: 'damaged' }).where('id', '=', id).execute()

function captureLog() {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)
  return { lines, log: createLog('info', { write }) }
}

eachEngine((_engine, openDb) => {
  test('the page of a recall reads only the notified orders that it shows', async () => {
    const db = await openDb()
    const { lines, log } = captureLog()
    const ctx = { ...asAdmin(db), log }
    const { variantId } = await addRecalledLot(ctx)
    const { order: open } = await buy(await asCustomer(db), variantId)
    await importRecalls(ctx, file)
    const recallId = 'D-0001-2026'
    const recallKey = recallKeyOf(ctx.keys, recallId)
    const ids = Array.from({ length: 150 }, (_, at) => newId(at)).toSorted()
    for (const id of ids) {
      const notice = { recallId, orderId: id, lineIds: [], mailId: null, at: ctx.now.toISOString() }
      const sealedNotice = sealNotice(ctx.keys, id, notice)
      await insertRecallNotice(db, { id, recallKey, orderKey: id, personKey: id, sealedNotice })
    }
    const damaged = { sealedNotice: 'damaged' }
    await db
      .updateTable('recallNotices')
      .set(damaged)
      .where('id', '=', ids[149] ?? '')
      .execute()
    const first = await getRecall(ctx, recallId)
    expect(first.notified?.map(({ orderId }) => orderId)).toEqual(ids.slice(0, 100))
    expect(first.notifiedPage).toEqual({ total: 150, before: 0, unreadable: 0, next: ids[99] })
    expect(first.open).toMatchObject([{ orderId: open.id }])
    expect(lines).toEqual([])
    const second = await getRecall(ctx, recallId, first.notifiedPage?.next ?? '')
    expect(second.notified?.map(({ orderId }) => orderId)).toEqual(ids.slice(100, 149))
    expect(second.notifiedPage).toEqual({ total: 150, before: 100, unreadable: 1, next: null })
    // Open orders are on the first page only: all of them are decrypted to find these.
    expect(second.open).toBeNull()
    const stale = await getRecall(ctx, recallId, ids[149])
    expect(stale.notified).toHaveLength(100)
    expect(stale).toMatchObject({ open: [{ orderId: open.id }], notifiedPage: { before: 0 } })
    expect((await getRecall(ctx, recallId, '\0')).notified).toHaveLength(100)
  })

  test('orders that cannot be decrypted do not keep a recall from the stock and other customers', async () => {
    const db = await openDb()
    const { lines, log } = captureLog()
    const ctx = { ...asAdmin(db), log }
    const { variantId, lotId } = await addRecalledLot(ctx)
    const orders = []
    for (let i = 0; i < 4; i++) orders.push((await buy(await asCustomer(db), variantId)).order.id)
    const [sent = '', sentDamaged = '', open = '', openDamaged = ''] = orders
    for (const id of [sent, sentDamaged]) await setOrderStatus(ctx, id, { status: 'shipped' })
    for (const id of [sentDamaged, openDamaged]) await damageOrder(db, id)

    const uploadId = await uploadRecalls(ctx, file)
    expect((await previewCareUpload(ctx, uploadId)).effects).toMatchObject({
      lots: [{ lotId }],
      openOrders: 1,
      shippedOrders: 1,
      unreadableOrders: 1,
    })
    lines.length = 0
    const result = await importCareUpload(ctx, uploadId)
    expect(result).toMatchObject({ lots: 1, openOrders: 1, customers: 1, unreadableOrders: 1 })
    expect(printRecallResult(result).at(-1)).toMatch(/^1 shipped order couldn’t be decrypted/)
    expect(await listLots(db)).toEqual([{ status: 'quarantined', quantity: 6 }])
    const logged = { level: 'error', msg: 'order could not be decrypted' }
    expect(lines).toEqual([
      expect.objectContaining({ ...logged, orderId: openDamaged }),
      expect.objectContaining({ ...logged, orderId: sentDamaged }),
    ])
    expect(await findLotOrders(ctx, lotId)).toMatchObject([{ orderId: open }])
    expect(await getRecall(ctx, 'D-0001-2026')).toMatchObject({
      open: [{ orderId: open }],
      notified: [{ orderId: sent }],
    })
    await settleRecalls({ ...ctx, now: new Date(ctx.now.getTime() + 120_000) })
    expect(await db.selectFrom('recallTasks').selectAll().execute()).toEqual([])
    expect(await countRecallMails(db)).toBe(1)
  })

  test('a notice that cannot be decrypted still keeps its customer from a second email', async () => {
    const db = await openDb()
    const { lines, log } = captureLog()
    const ctx = { ...asAdmin(db), log }
    const { variantId } = await addRecalledLot(ctx)
    const customer = await asCustomer(db, { log })
    const orders = [(await buy(customer, variantId)).order.id, (await buy(customer, variantId)).order.id]
    const [first = '', second = ''] = orders
    await setOrderStatus(ctx, first, { status: 'shipped' })
    await importRecalls(ctx, file)
    await db.updateTable('recallNotices').set({ sealedNotice: 'damaged' }).execute()
    // As one that was just being shipped while the recall was imported.
    await db.updateTable('orders').set({ status: 'shipped' }).where('id', '=', second).execute()
    await settleRecalls(ctx)
    await settleRecalls(ctx)
    expect(await countRecallMails(db)).toBe(1)
    expect(await db.selectFrom('recallNotices').select('id').execute()).toHaveLength(2)
    const [damaged] = await db.selectFrom('recallNotices').select('id').orderBy('id').execute()
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'error',
        msg: 'recall notice could not be decrypted',
        noticeId: damaged?.id,
      }),
    ])
    expect((await getRecall(ctx, 'D-0001-2026')).notified).toMatchObject([{ orderId: second }])
    expect(await listOrderRecalls(customer, first)).toEqual([])
    expect(await listOrderRecalls(customer, second)).toHaveLength(1)
  })

  test('recalled stock is held although notifying a customer fails, which its job reports', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const notified = await addPackage(db, '0143-1473-01', '00143147301', 5)
    const counted = await addPackage(db, '0143-1474-01', '00143147401')
    const customer = await asCustomer(db)
    const { order } = await buy(customer, notified)
    await setOrderStatus(ctx, order.id, { status: 'shipped' })
    await importRecalls(ctx, recallFile(recallReport('D-0002-2026', '0143-1474-01', allLots)))
    await db.deleteFrom('recallTasks').execute()
    // The customer's key is lost, so their address cannot be read.
    await db.updateTable('userKeys').set({ wrappedKey: 'damaged' }).execute()
    await expect(
      importRecalls(ctx, recallFile(recallReport('D-0001-2026', '0143-1473-01', allLots))),
    ).rejects.toThrow('does not hold a sealed value')
    // What a stock count brought in since.
    await changeStock(db, { variantId: counted, change: 3, now: ctx.now })
    expect(await listStock(db)).toEqual([{ stockQuantity: 0 }, { stockQuantity: 3 }])

    const { lines, log } = captureLog()
    const metrics = prometheusMetrics({
      readShop: () => Promise.reject(new Error('This test reads what the process counts.')),
      poolStates: () => ({}),
      pressure: () => 0,
    })
    const stop = startJobs({ db, keys: testKeys, now: () => testDay, log, metrics }, offlineJobParts(db))
    onTestFinished(stop)
    await expect
      .poll(() => listStock(db), { timeout: 60_000 })
      .toEqual([{ stockQuantity: 0 }, { stockQuantity: 0 }])
    await expect
      .poll(async () => (await metrics.read()).split('\n'), { timeout: 60_000 })
      .toEqual(
        expect.arrayContaining([
          'meridian_job_failing{run="recalls"} 1',
          'meridian_job_failing{run="recalled stock"} 0',
        ]),
      )
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'error', msg: 'job failed', job: 'recalls' }),
    )
  })
})
