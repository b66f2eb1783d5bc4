import type { Db } from '#db/engine/client.ts'
import { returnToLots, takeFromLots } from '#db/inventory/lots.ts'
import { takeFromStock } from '#db/inventory/stock.ts'
import { adjustmentFormSchema } from '#domain/inventory/stock-adjustment.ts'
import type { Context } from '#server/context.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { expireLots } from '#server/inventory/expire-lots.ts'
import { getLot, listLots } from '#server/inventory/list-lots.ts'
import { readLotHistory } from '#server/inventory/read-lot-history.ts'
import { lotQuerySchema } from '#domain/inventory/lot-list.ts'
import { recordStock } from '#server/inventory/record-stock.ts'
import { quarantineLot, releaseLot, writeOffLot } from '#server/inventory/quarantine-lot.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { readOrderLines } from '#server/orders/order-reader.ts'
import { findLotOrders } from '#server/orders/find-lot-orders.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { getOrderLots } from '#server/orders/get-order-lots.ts'
import { getPackingSlip } from '#server/orders/get-package.ts'
import { repickLots } from '#server/orders/repick-lots.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { getLabel } from '#server/reviews/get-label.ts'
import { updateVariant } from '#server/catalog/update-variant.ts'
import { refundOrder } from '#server/orders/refund-order.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { asCustomer, buy, openCheckout, pay } from '#tests/support/checkouts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { signedIn, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { capture } from '#tests/support/payment-holds.ts'
import { addItem } from '#tests/support/dispensing.ts'
import { clearOrder } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import {
  adjust,
  dayAfter,
  expiryAfter,
  idOf,
  lotsOf,
  pickedBy,
  stockOf,
  toText,
  verify,
  type LotInput,
} from '#tests/support/lots.ts'
import { seededRandom } from '#domain/seeded-random.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'

const refusal = (code: string, field: string, message: RegExp) =>
  expect.objectContaining({ code, fields: { [field]: expect.stringMatching(message) } })

eachEngine((_engine, openDb, openWithUrl) => {
  test('the list of lots has its total, finds by number and product, and pages in its order', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    const other = await addVariant(db, {
      productId: await addProduct(db, { name: 'Zafirlukast' }),
      stockQuantity: 0,
      inStock: false,
    })
    for (let i = 0; i < 51; i++)
      await adjust(ctx, id, 1 + i, { lotNumber: `A${i}`, expiryDate: expiryAfter(100 + i) })
    await adjust(ctx, other, 7, { lotNumber: 'X_1', expiryDate: expiryAfter(20) })
    const list = (params: Record<string, string>) => listLots(ctx, lotQuerySchema.parse(params))
    const numbers = async (params: Record<string, string>) =>
      (await list(params)).rows.map(({ lotNumber }) => lotNumber)
    const first = await list({})
    expect([first.total, first.rows.length, first.previous]).toEqual([52, 50, null])
    expect(first.rows[0]?.lotNumber).toBe('X_1')
    expect(await numbers({ after: first.next ?? '' })).toEqual(['A49', 'A50'])
    expect((await numbers({ sort: 'quantity', dir: 'desc' })).slice(0, 2)).toEqual(['A50', 'A49'])
    expect(await numbers({ q: 'zafir' })).toEqual(['X_1'])
    expect(await numbers({ q: 'x_' })).toEqual(['X_1'])
    expect(await list({ q: 'a_' })).toMatchObject({ rows: [], total: 0 })
    expect((await list({ days: '30' })).total).toBe(1)
    expect((await list({ variant: id })).total).toBe(51)
  })

  test('sales take the lot that expires first, and what is in no lot last; a cancellation returns it', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    await adjust(ctx, id, 2)
    const receipt = await adjust(ctx, id, 3, { lotNumber: 'late', expiryDate: '2027-06' })
    expect(receipt).toMatchObject({ quantityAfter: 5, lotNumber: 'LATE', expiryDate: '2027-06-30' })
    await adjust(ctx, id, 2, { lotNumber: 'soon', expiryDate: '2026-03-01' })
    const customer = await asCustomer(db)
    const { order: first } = await buy(customer, id, { quantity: 3 })
    expect(toText(await pickedBy(db, first.id))).toBe('SOON×2 LATE×1')
    const { order: second } = await buy(customer, id, { quantity: 3 })
    expect(toText(await pickedBy(db, second.id))).toBe('LATE×2')
    expect(await lotsOf(db, id)).toEqual({ LATE: ['available', 0], SOON: ['available', 0] })
    await cancelOrder(customer, first.id)
    expect(await lotsOf(db, id)).toEqual({ LATE: ['available', 1], SOON: ['available', 2] })
    expect(await stockOf(db, id)).toBe(4)
    expect(await verify(db)).toEqual([])
  })

  test('lots that are wrong, dated differently or not named are reported by field', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    await adjust(ctx, id, 2)
    await adjust(ctx, id, 5, { lotNumber: 'A', expiryDate: '2027-06-30' })
    const attempts: [change: number, lot: LotInput, code: string, field: string, message: RegExp][] = [
      [5, { lotNumber: 'B' }, 'INVALID', 'expiryDate', /Enter the expiry date of lot B/],
      [5, { lotNumber: 'B', expiryDate: '2025-12-31' }, 'INVALID', 'expiryDate', /Lot B has expired/],
      [
        5,
        { lotNumber: 'B', expiryDate: '2206-06-30' },
        'INVALID',
        'expiryDate',
        /Jun 30, 2206 .*Check the year/,
      ],
      [5, { lotNumber: 'A', expiryDate: '2027-07-31' }, 'CONFLICT', 'expiryDate', /date Jun 30, 2027/],
      [-1, { lotNumber: 'B' }, 'INVALID', 'lotNumber', /no lot B/],
      [-6, { lotNumber: 'A' }, 'CONFLICT', 'quantityChange', /There are 5 in lot A/],
      [-3, {}, 'INVALID', 'lotNumber', /Enter a lot number. 2 units are not in a lot/],
    ]
    for (const [change, lot, ...expected] of attempts) {
      await expect(adjust(ctx, id, change, lot)).rejects.toEqual(refusal(...expected))
    }
    await adjust(ctx, id, -1, { lotNumber: ' a\u202E\u200B ' })
    await adjust(ctx, id, 1, { lotNumber: 'A' })
    await adjust(ctx, id, -2)
    await quarantineLot(ctx, { lotId: await idOf(db, 'A'), reason: 'Recall' })
    await expect(adjust(ctx, id, 1, { lotNumber: 'A' })).rejects.toEqual(
      refusal('CONFLICT', 'lotNumber', /in quarantine/),
    )
    expect([await stockOf(db, id), await verify(db)]).toEqual([0, []])
  })

  test('a lot stored before numbers were normalized is found as stored and as a reader sees it', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    const stored = 'A\u00A012'
    await adjust(ctx, id, 5, { lotNumber: 'OLD', expiryDate: '2027-06-30' })
    await db.updateTable('stockLots').set({ lotNumber: stored }).execute()
    expect(await adjust(ctx, id, -1, { lotNumber: stored })).toMatchObject({ lotNumber: stored })
    await expect(adjust(ctx, id, 2, { lotNumber: 'A 12', expiryDate: '2027-07-31' })).rejects.toEqual(
      refusal('CONFLICT', 'expiryDate', /date Jun 30, 2027/),
    )
    await adjust(ctx, id, 2, { lotNumber: 'a 12' })
    expect(await lotsOf(db, id)).toEqual({ [stored]: ['available', 6] })
    // During a deploy, the earlier release can store a second lot that looks the same.
    await adjust(ctx, id, 7, { lotNumber: 'B', expiryDate: '2027-06-30' })
    await db.updateTable('stockLots').set({ lotNumber: 'A 12' }).where('lotNumber', '=', 'B').execute()
    await adjust(ctx, id, -1, { lotNumber: stored })
    await adjust(ctx, id, -2, { lotNumber: 'A 12' })
    expect(await lotsOf(db, id)).toEqual({ [stored]: ['available', 5], 'A 12': ['available', 5] })
    expect(await verify(db)).toEqual([])
  })

  test('a repeated form with a lot number that looks the same changes the stock once', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const variantId = await addVariant(db, { stockQuantity: 0, inStock: false })
    const form = {
      variantId,
      quantityChange: 3,
      transactionType: 'purchase',
      lotNumber: 'A\u00A012',
      expiryDate: '2027-06-30',
      requestKey: randomUUID(),
    }
    const send = () => adjustStock(ctx, adjustmentFormSchema.parse(form))
    expect(await send()).toMatchObject({ lotNumber: 'A 12', quantityAfter: 3 })
    expect(await send()).toMatchObject({ lotNumber: 'A 12', quantityAfter: 3 })
    expect(await stockOf(db, variantId)).toBe(3)
  })

  test('quarantined and expired units leave the stock by a ledger row, and units returned to them too', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    await adjust(ctx, id, 4, { lotNumber: 'A', expiryDate: expiryAfter(10) })
    const customer = await asCustomer(db)
    const { order } = await buy(customer, id, { quantity: 1 })
    const lotId = await idOf(db, 'A')
    await quarantineLot(ctx, { lotId, reason: 'Recall' })
    await expect(quarantineLot(ctx, { lotId, reason: 'Recall' })).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(buy(customer, id)).rejects.toMatchObject({ code: 'CONFLICT' })
    await cancelOrder(customer, order.id)
    expect([await stockOf(db, id), await lotsOf(db, id)]).toEqual([0, { A: ['quarantined', 4] }])
    await releaseLot(ctx, { lotId, reason: 'Not ours' })
    expect(await stockOf(db, id)).toBe(4)

    const later = asAdmin(db, dayAfter(11))
    await expect(buy({ ...customer, now: later.now }, id)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect([await expireLots(later), await expireLots(later)]).toEqual([1, 0])
    await expect(releaseLot(later, { lotId, reason: 'No' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Lot A expired on Jan 15, 2026. It can’t be sold.',
    })
    expect([await stockOf(db, id), await lotsOf(db, id)]).toEqual([0, { A: ['expired', 4] }])
    // A form without a key, as a page of an earlier release sends it again.
    const { version } = await getLot(later, lotId)
    const form = { lotId, quantity: 1, version, reason: 'Destroyed' }
    await writeOffLot(later, form)
    await expect(writeOffLot(later, form)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await lotsOf(db, id)).toEqual({ A: ['expired', 3] })
    const rest = { ...form, version: version + 1 }
    await expect(writeOffLot(later, { ...rest, quantity: 4 })).rejects.toMatchObject({ code: 'CONFLICT' })
    await writeOffLot(later, { ...rest, quantity: 3 })
    expect([await lotsOf(db, id), await verify(db)]).toEqual([{ A: ['expired', 0] }, []])
  })

  test('the history of a lot has its receipts, sales and actions, each with its units', async () => {
    const db = await openDb()
    const at = (minutes: number): Context => asAdmin(db, new Date(testDay.getTime() + minutes * 60_000))
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    const lot = { lotNumber: 'A', expiryDate: expiryAfter(300) }
    await adjust(at(1), id, 40, { lotNumber: 'B', expiryDate: expiryAfter(400) })
    await adjust(at(2), id, 30, lot)
    await adjust(at(3), id, 12, lot)
    await buy({ ...(await asCustomer(db)), now: at(4).now }, id, { quantity: 2 })
    const lotId = await idOf(db, 'A')
    await quarantineLot(at(5), { lotId, reason: 'Wet carton' })
    const { version } = await getLot(at(6), lotId)
    await writeOffLot(at(6), { lotId, quantity: 3, version, reason: 'Destroyed' })
    await releaseLot(at(7), { lotId, reason: 'The rest is dry' })
    const { rows, earlierSales } = (await getLot(at(8), lotId)).history
    expect(rows).toMatchObject([
      { action: 'released', units: 37, reason: 'The rest is dry', at: at(7).now.toISOString() },
      { action: 'written-off', units: 3, reason: 'Destroyed' },
      { action: 'quarantined', units: 40, reason: 'Wet carton' },
      { type: 'sale', change: -2 },
      { type: 'adjustment', change: 12 },
      { type: 'adjustment', change: 30, at: at(2).now.toISOString() },
    ])
    expect(earlierSales).toEqual({ count: 0, change: 0 })
    const row = await db.selectFrom('stockLots').selectAll().where('id', '=', lotId).executeTakeFirstOrThrow()
    const read = (maxRead: number) => readLotHistory(at(8), row, maxRead)
    expect((await read(4)).isCut).toBe(true)
    expect((await read(4)).rows.at(-1)).toMatchObject({ type: 'adjustment', change: 12 })
    expect(await read(6)).toEqual({ ...(await getLot(at(8), lotId)).history, isCut: false })
    // A row that the previous release wrote.
    await db.updateTable('lotEvents').set({ quantity: null }).execute()
    const { history } = await getLot(at(8), lotId)
    expect(history.rows.slice(0, 3)).toMatchObject([{ units: 37 }, { units: null }, { units: 40 }])
  })

  test('what expires within the days’ supply is not picked, and a lot in quarantine does not ship', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const productId = await addProduct(db, { name: 'Zorbidon', category: 'Rx', ingredients: 'Zorbidon' })
    const id = await addVariant(db, { productId, stockQuantity: 0, inStock: false })
    await adjust(ctx, id, 3, { lotNumber: 'SOON', expiryDate: expiryAfter(10) })
    await adjust(ctx, id, 2, { lotNumber: 'LATE', expiryDate: expiryAfter(400) })
    const customer = await asCustomer(db)
    const userId = customer.user?.id ?? ''
    const { id: covering } = await addPrescription(db, userId)
    await addItem(db, { userId, prescriptionId: covering, variantId: id })
    const { order: covered } = await buy(customer, id, { prescriptionId: covering })
    expect(toText(await pickedBy(db, covered.id))).toBe('LATE×1')

    // How long it lasts is known once it is transcribed.
    const other = await asCustomer(db)
    const { id: prescriptionId } = await addPrescription(db, other.user?.id ?? '')
    const { order } = await buy(other, id, { prescriptionId })
    expect(toText(await pickedBy(db, order.id))).toBe('SOON×1')
    await clearOrder(db, order.id)
    expect([toText(await pickedBy(db, order.id)), await verify(db)]).toEqual(['LATE×1', []])

    const third = await asCustomer(db)
    const { id: next } = await addPrescription(db, third.user?.id ?? '')
    await addItem(db, { userId: third.user?.id ?? '', prescriptionId: next, variantId: id })
    await expect(buy(third, id, { prescriptionId: next })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('expires before you would use it up'),
    })

    await capture(db, order.id)
    await quarantineLot(ctx, { lotId: await idOf(db, 'LATE'), reason: 'Recall' })
    const [line] = (await getOrderLots(ctx, order.id)).lines
    expect(line).toMatchObject({ problem: expect.stringMatching(/LATE .* is in quarantine/), choices: [] })
    const lineId = line?.id ?? ''
    expect(await findLotOrders(ctx, await idOf(db, 'LATE'))).toHaveLength(2)
    const ship = () => setOrderStatus(ctx, order.id, { status: 'shipped' })
    await expect(ship()).rejects.toMatchObject({ message: expect.stringMatching(/is in quarantine/) })
    const shipper = signedIn(ctx.user?.id ?? '', { permissions: new Set(['orders.read', 'orders.ship']) })
    const blind = setOrderStatus({ ...ctx, user: shipper }, order.id, { status: 'shipped' })
    await expect(blind).rejects.toMatchObject({
      message:
        'This order can’t be shipped: The lot of a prescription item must be checked by the pharmacy before it is packed.',
    })
    const repick = (lotId: string | null) => repickLots(ctx, { orderId: order.id, lineId, lotId })
    await expect(repick(null)).rejects.toMatchObject({ code: 'CONFLICT' })
    await adjust(ctx, id, 1, { lotNumber: 'NEW', expiryDate: expiryAfter(300) })
    await expect(repick(await idOf(db, 'SOON'))).rejects.toMatchObject({ code: 'CONFLICT' })
    await repick(await idOf(db, 'NEW'))
    const [packed] = (await getPackingSlip(ctx, order.id)).lines
    expect([packed?.lots, packed?.problem]).toMatchObject([[{ lotNumber: 'NEW', quantity: 1 }], null])
    expect((await getLabel(ctx, { orderId: order.id, lineId })).label.lot).toBe('NEW')
    expect((await ship()).status).toBe('shipped')
    expect(await lotsOf(db, id)).toEqual({
      SOON: ['available', 3],
      LATE: ['quarantined', 1],
      NEW: ['available', 0],
    })
    expect([await stockOf(db, id), await verify(db)]).toEqual([3, []])
  })

  test('units that another customer is paying for are not offered to an order whose lot is in quarantine', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    await adjust(ctx, id, 1, { lotNumber: 'A', expiryDate: expiryAfter(90) })
    const { order } = await buy(await asCustomer(db), id)
    await adjust(ctx, id, 1, { lotNumber: 'B', expiryDate: expiryAfter(120) })
    const other = await asCustomer(db)
    const { payment } = await openCheckout(other, id)
    const readLine = async () => (await getOrderLots(ctx, order.id)).lines[0]
    const lotsFor = async () => (await readLine())?.choices.map(({ lotNumber }) => lotNumber)
    const lotId = await idOf(db, 'B')
    const lineId = order.items[0]?.id ?? ''
    const repick = (choice: string | null) => repickLots(ctx, { orderId: order.id, lineId, lotId: choice })
    await quarantineLot(ctx, { lotId: await idOf(db, 'A'), reason: 'Recall' })
    expect(await lotsFor()).toEqual([])
    expect((await readLine())?.problem).toMatch(/No other stock can replace/)
    await expect(repick(lotId)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(repick(null)).rejects.toMatchObject({ code: 'CONFLICT' })

    await adjust(ctx, id, 1, { lotNumber: 'B', expiryDate: expiryAfter(120) })
    expect(await lotsFor()).toEqual(['B'])
    await repick(lotId)
    await pay(db, payment)
    expect((await finalizeCheckout(other, payment.id)).order.id).not.toBe(order.id)
    expect([await stockOf(db, id), await verify(db)]).toEqual([0, []])
  })

  test('units that are refunded in part return to their own lots, also after one that was lost', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    for (const [i, lotNumber] of ['A', 'B', 'C'].entries())
      await adjust(ctx, id, 1, { lotNumber, expiryDate: expiryAfter(90 + i) })
    const { order } = await buy(await asCustomer(db), id, { quantity: 3 })
    for (const restock of [false, true]) {
      const lines = [{ lineId: order.items[0]?.id ?? '', quantity: 1, restock }]
      await refundOrder(ctx, { id: order.id, key: randomUUID(), lines })
    }
    expect((await getPackingSlip(ctx, order.id)).lines).toMatchObject([{ lots: [{ lotNumber: 'C' }] }])
    const lotIds = await Promise.all(['A', 'B', 'C'].map((lotNumber) => idOf(db, lotNumber)))
    const holding = await Promise.all(lotIds.map((lotId) => findLotOrders(ctx, lotId)))
    expect(holding).toMatchObject([[], [], [{ orderId: order.id, units: 1 }]])
    const returned = { A: ['available', 0], B: ['available', 1], C: ['available', 0] }
    expect([await lotsOf(db, id), await verify(db)]).toEqual([returned, []])
  })

  test('a refund that fails after a later one leaves its own lot to ship', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    for (const [i, lotNumber] of ['A', 'B', 'C'].entries())
      await adjust(ctx, id, 1, { lotNumber, expiryDate: expiryAfter(90 + i) })
    const { order } = await buy(await asCustomer(db), id, { quantity: 3 })
    const lineId = order.items[0]?.id ?? ''
    const at = (minute: number): Date => new Date(ctx.now.getTime() + minute * 60_000)
    const refundOneAt = async (minute: number, restock = true): Promise<void> => {
      const lines = [{ lineId, quantity: 1, restock }]
      await refundOrder({ ...ctx, now: at(minute) }, { id: order.id, key: randomUUID(), lines })
    }
    const lotsToShip = async () =>
      (await getPackingSlip(ctx, order.id)).lines.flatMap(({ lots }) =>
        (lots ?? []).map(({ lotNumber }) => lotNumber),
      )
    await refundOneAt(1, false)
    await refundOneAt(2)
    // A clock of another process, or a transaction that is still running, can date it before.
    await db
      .updateTable('refunds')
      .set({ failedAt: at(1.5), dueAt: null })
      .where('createdAt', '=', at(1))
      .execute()
    expect(await lotsToShip()).toEqual(['A', 'C'])
    await refundOneAt(4)
    expect(await lotsToShip()).toEqual(['C'])
    expect(await lotsOf(db, id)).toEqual({ A: ['available', 1], B: ['available', 1], C: ['available', 0] })
    expect(await verify(db)).toEqual([])
  })

  test('lots picked again for units beside a refunded one in no lot belong to these units', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    await adjust(ctx, id, 3)
    const { order } = await buy(await asCustomer(db), id, { quantity: 3 })
    const lineId = order.items[0]?.id ?? ''
    const refund = (restock: boolean) =>
      refundOrder(ctx, { id: order.id, key: randomUUID(), lines: [{ lineId, quantity: 1, restock }] })
    await refund(false)
    await adjust(ctx, id, 2, { lotNumber: 'B', expiryDate: expiryAfter(90) })
    await repickLots(ctx, { orderId: order.id, lineId, lotId: await idOf(db, 'B') })
    const toShip = async () => (await getPackingSlip(ctx, order.id)).lines
    expect(await toShip()).toMatchObject([{ quantity: 2, lots: [{ lotNumber: 'B', quantity: 2 }] }])
    await refund(true)
    expect(await toShip()).toMatchObject([{ quantity: 1, lots: [{ lotNumber: 'B', quantity: 1 }] }])
    await setOrderStatus(ctx, order.id, { status: 'cancelled' })
    expect([await lotsOf(db, id), await verify(db)]).toEqual([{ B: ['available', 2] }, []])
    expect(await stockOf(db, id)).toBe(4)
  })

  test('a lot on both sides of a refunded unit in no lot is listed once in every view', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const productId = await addProduct(db, { name: 'Zorbidon', category: 'Rx', ingredients: 'Zorbidon' })
    const id = await addVariant(db, { productId, stockQuantity: 0, inStock: false })
    await adjust(ctx, id, 4)
    const customer = await asCustomer(db)
    const { id: prescriptionId } = await addPrescription(db, customer.user?.id ?? '')
    const { order } = await buy(customer, id, { prescriptionId, quantity: 4 })
    const lineId = order.items[0]?.id ?? ''
    await clearOrder(db, order.id)
    await capture(db, order.id)
    const refundOne = () =>
      refundOrder(ctx, {
        id: order.id,
        key: randomUUID(),
        lines: [{ lineId, quantity: 1, restock: false }],
      })
    await refundOne()
    const { id: first } = await db.selectFrom('refunds').select('id').executeTakeFirstOrThrow()
    await refundOne()
    await db.updateTable('refunds').set({ failedAt: ctx.now, dueAt: null }).where('id', '=', first).execute()
    const lotNumber = 'LOT-OF-21-CHARACTERS-'
    await adjust(ctx, id, 3, { lotNumber, expiryDate: expiryAfter(90) })
    const lotId = await idOf(db, lotNumber)
    await repickLots(ctx, { orderId: order.id, lineId, lotId })
    expect((await pickedBy(db, order.id)).map(({ quantity, start }) => [quantity, start])).toEqual([
      [1, undefined],
      [2, 2],
    ])
    const lots = [{ lotId, lotNumber, expiresOn: expiryAfter(90), quantity: 3 }]
    expect((await getPackingSlip(ctx, order.id)).lines).toMatchObject([{ quantity: 3, lots }])
    expect((await getOrderLots(ctx, order.id)).lines).toMatchObject([{ quantity: 3, lots, inNoLot: 0 }])
    expect((await getAdminOrder(ctx, order.id)).items).toMatchObject([{ quantity: 4, lots }])
    expect((await getLabel(ctx, { orderId: order.id, lineId })).label.lot).toBe(lotNumber)
  })

  /** An order of both units of lot A, five units in lot C, and a refund of one unit that failed. */
  async function failRefund(db: Db, restock: boolean) {
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    await adjust(ctx, id, 2, { lotNumber: 'A', expiryDate: expiryAfter(90) })
    const { order } = await buy(await asCustomer(db), id, { quantity: 2 })
    await adjust(ctx, id, 5, { lotNumber: 'C', expiryDate: expiryAfter(120) })
    const lineId = order.items[0]?.id ?? ''
    const refund = () =>
      refundOrder(ctx, { id: order.id, key: randomUUID(), lines: [{ lineId, quantity: 1, restock }] })
    await refund()
    await db.updateTable('refunds').set({ failedAt: ctx.now, dueAt: null }).execute()
    const lotId = await idOf(db, 'C')
    const repick = (ctx: Context) => repickLots(ctx, { orderId: order.id, lineId, lotId })
    return { ctx, id, orderId: order.id, refund, repick }
  }

  test.each([
    ['restocked', true, 'C×1'],
    ['not restocked', false, 'C×2'],
  ])(
    'a unit whose refund failed is booked once when its line is picked again and cancelled: %s',
    async (_, restock, slip) => {
      const db = await openDb()
      const { ctx, id, orderId, repick } = await failRefund(db, restock)
      await repick(ctx)
      await repick(ctx)
      expect((await getPackingSlip(ctx, orderId)).lines.map(({ lots }) => toText(lots))).toEqual([slip])
      await setOrderStatus(ctx, orderId, { status: 'cancelled' })
      expect(await lotsOf(db, id)).toEqual({ A: ['available', 2], C: ['available', 5] })
      expect([await stockOf(db, id), await verify(db)]).toEqual([7, []])
    },
  )

  test('a unit that is back in stock does not ship when its refund fails', async () => {
    const db = await openDb()
    const { ctx, id, orderId } = await failRefund(db, true)
    const left = { quantity: 1, lots: [{ lotNumber: 'A', quantity: 1 }], problem: null }
    expect((await getPackingSlip(ctx, orderId)).lines).toMatchObject([left])
    await setOrderStatus(ctx, orderId, { status: 'shipped' })
    expect(await lotsOf(db, id)).toEqual({ A: ['available', 1], C: ['available', 5] })
    expect([await stockOf(db, id), await verify(db)]).toEqual([6, []])
  })

  test('picking again, refunding and cancelling at the same time return each unit once', async () => {
    const { db, openAgain } = await openWithUrl()
    const { ctx, id, orderId, refund, repick } = await failRefund(db, true)
    const cancel = () => setOrderStatus(ctx, orderId, { status: 'cancelled' })
    const second = { ...ctx, db: openAgain() }
    await Promise.allSettled([repick(ctx), repick(second), refund(), repick(second), refund(), cancel()])
    await cancel()
    expect(await lotsOf(db, id)).toEqual({ A: ['available', 2], C: ['available', 5] })
    expect([await stockOf(db, id), await verify(db)]).toEqual([7, []])
  })

  test('a lot to which an order returned more than it took is found', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    for (const lotNumber of ['A', 'C']) await adjust(ctx, id, 2, { lotNumber, expiryDate: expiryAfter(90) })
    const [a, c] = [await idOf(db, 'A'), await idOf(db, 'C')]
    await returnToLots(db, [{ lotId: a, quantity: 1 }])
    await takeFromLots(db, [{ lotId: c, quantity: 1 }])
    const lots = [
      { lotId: a, change: 1 },
      { lotId: c, change: -1 },
    ]
    const changes = [await takeFromStock(db, { variantId: id, quantity: 0 })].filter(
      (change) => change !== null,
    )
    const entries = changes.map((change) => ({ change: { ...change, lots }, notes: null }))
    for (const entry of entries) await recordStock(ctx, { ...entry, transactionType: 'adjustment' })
    expect(await verify(db)).toEqual([
      `Variant ${id}: the ledger has 3 of lot ${a}, but only 2 were added to it.`,
    ])
    // Staff correct it.
    await adjust(ctx, id, -1, { lotNumber: 'A' })
    await adjust(ctx, id, 1, { lotNumber: 'C' })
    expect(await verify(db)).toEqual([])
  })

  test('a lot whose units were refunded does not keep the rest of its line from shipping', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    for (const [i, lotNumber] of ['A', 'B'].entries())
      await adjust(ctx, id, 1, { lotNumber, expiryDate: expiryAfter(90 + i) })
    const { order } = await buy(await asCustomer(db), id, { quantity: 2 })
    const lineId = order.items[0]?.id ?? ''
    await quarantineLot(ctx, { lotId: await idOf(db, 'A'), reason: 'Broken seal' })
    const ship = () => setOrderStatus(ctx, order.id, { status: 'shipped' })
    await expect(ship()).rejects.toMatchObject({ code: 'CONFLICT' })
    const lines = [{ lineId, quantity: 1, restock: true }]
    await refundOrder(ctx, { id: order.id, key: randomUUID(), lines })
    const left = { quantity: 1, lots: [{ lotNumber: 'B', quantity: 1 }], problem: null }
    expect((await getOrderLots(ctx, order.id)).lines).toMatchObject([left])
    expect((await getPackingSlip(ctx, order.id)).lines).toMatchObject([left])
    expect((await ship()).status).toBe('shipped')
    expect(await verify(db)).toEqual([])
  })

  test('a stock count without a lot never takes units of a lot', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    await adjust(ctx, id, 4)
    await adjust(ctx, id, 5, { lotNumber: 'A', expiryDate: expiryAfter(90) })
    await updateVariant(ctx, id, { stockQuantity: 6 })
    await expect(updateVariant(ctx, id, { stockQuantity: 4 })).rejects.toEqual(
      refusal('INVALID', 'stockQuantity', /5 units are in lots/),
    )
    expect([await stockOf(db, id), await lotsOf(db, id), await verify(db)]).toEqual([
      6,
      { A: ['available', 5] },
      [],
    ])
    await db.updateTable('stockLots').set({ quantity: 7 }).where('lotNumber', '=', 'A').execute()
    expect(await verify(db)).toEqual([
      expect.stringMatching(/the ledger has 5 of lot \S+, but the lot has 7 in stock/),
      expect.stringMatching(/its lots have 7 in stock, but the stock is 6/),
    ])
  })

  test('when many customers buy the last unit of a lot, one gets it; the others get the next lot or nothing', async () => {
    const { db, openAgain } = await openWithUrl()
    const second = openAgain()
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    await adjust(asAdmin(db), id, 1, { lotNumber: 'LAST', expiryDate: expiryAfter(30) })
    await adjust(asAdmin(db), id, 2, { lotNumber: 'NEXT', expiryDate: expiryAfter(60) })
    const customers = await Promise.all(Array.from({ length: 6 }, (_, i) => asCustomer(i % 2 ? db : second)))
    const outcomes = await Promise.allSettled(customers.map((customer) => buy(customer, id)))
    const orders = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.order.id] : []))
    const picks = await Promise.all(orders.map(async (order) => toText(await pickedBy(db, order))))
    expect(picks.toSorted()).toEqual(['LAST×1', 'NEXT×1', 'NEXT×1'])
    expect([await stockOf(db, id), await verify(db)]).toEqual([0, []])
  })

  test('no sequence of receipts, sales, cancellations, expiries and quarantines makes lots differ from the stock', async () => {
    const db = await openDb()
    const random = seededRandom('lots')
    let day = 0
    const ctx = (): Context => asAdmin(db, dayAfter(day))
    const variants = [
      await addVariant(db, { stockQuantity: 0 }),
      await addVariant(db, { stockQuantity: 0 }),
    ] as const
    const open: { id: string; customer: Context }[] = []
    const counts = { sold: 0, refused: 0, returned: 0, quarantined: 0, released: 0, expired: 0 }
    const sale = async (): Promise<void> => {
      const customer = await asCustomer(db, { now: dayAfter(day) })
      const outcome = await buy(customer, random.pick(variants), { quantity: 1 + random.below(4) }).catch(
        () => null,
      )
      if (!outcome) return void counts.refused++
      counts.sold++
      open.push({ id: outcome.order.id, customer })
      const today = expiryAfter(day)
      for (const { lotId, expiresOn } of await pickedBy(db, outcome.order.id)) {
        const lot = await db
          .selectFrom('stockLots')
          .select('status')
          .where('id', '=', lotId)
          .executeTakeFirst()
        expect([lot?.status, expiresOn >= today]).toEqual(['available', true])
      }
    }
    const giveBack = async (): Promise<void> => {
      const [order] = open.splice(random.below(open.length || 1), 1)
      if (!order) return
      counts.returned++
      if (random.chance(0.5))
        return void (await cancelOrder({ ...order.customer, now: dayAfter(day) }, order.id))
      const row = await db
        .selectFrom('orders')
        .selectAll()
        .where('id', '=', order.id)
        .executeTakeFirstOrThrow()
      const lines = readOrderLines(testKeys, row).map(({ id: lineId }) => ({
        lineId,
        quantity: 1,
        restock: true,
      }))
      await refundOrder(ctx(), { id: order.id, key: randomUUID(), lines })
      if (random.chance(0.5)) await cancelOrder({ ...order.customer, now: dayAfter(day) }, order.id)
    }
    const change = async (): Promise<void> => {
      const lot = { lotNumber: `L${random.below(6)}`, expiryDate: expiryAfter(day + 1 + random.below(6)) }
      const quantity = random.below(9) - 2
      await adjust(ctx(), random.pick(variants), quantity || 5, random.chance(0.8) ? lot : {}).catch(
        () => null,
      )
    }
    const decide = async (): Promise<void> => {
      const isHeld = random.chance(0.5)
      const lots = await db
        .selectFrom('stockLots')
        .selectAll()
        .where('status', isHeld ? '!=' : '=', 'available')
        .where('quantity', '>', 0)
        .orderBy('lotNumber')
        .orderBy('expiresOn')
        .execute()
      const lot = lots[random.below(lots.length || 1)]
      if (!lot) return
      const done = async (work: Promise<unknown>): Promise<number> =>
        work.then(
          () => 1,
          () => 0,
        )
      if (lot.status === 'available')
        counts.quarantined += await done(quarantineLot(ctx(), { lotId: lot.id, reason: 'Recall' }))
      else if (random.chance(0.7))
        counts.released += await done(releaseLot(ctx(), { lotId: lot.id, reason: 'Fine' }))
      else
        await writeOffLot(ctx(), {
          lotId: lot.id,
          quantity: lot.quantity,
          version: lot.version,
          reason: 'Gone',
        })
    }
    for (let step = 0; step < 200; step++) {
      const dice = random.below(100)
      if (dice < 40) await sale()
      else if (dice < 52) await giveBack()
      else if (dice < 70) await change()
      else if (dice < 86) await decide()
      else if (dice < 91) counts.expired += await expireLots(ctx())
      else day++
      if (step % 20 === 19) expect(await verify(db)).toEqual([])
    }
    expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([])
  })
})
