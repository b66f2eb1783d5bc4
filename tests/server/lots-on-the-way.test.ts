import type { Db } from '#db/engine/client.ts'
import type { ShipTo } from '#domain/checkout/checkout.ts'
import { expiresTooEarly } from '#domain/checkout/checkout-messages.ts'
import { usableUntil } from '#domain/inventory/lots.ts'
import { orderRef } from '#domain/orders/order-ref.ts'
import { estimateDelivery, latestShipping } from '#domain/orders/orders.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { releaseCheckout } from '#server/checkout/release-checkout.ts'
import { startCheckout } from '#server/checkout/start-checkout.ts'
import type { Context } from '#server/context.ts'
import { quarantineLot } from '#server/inventory/quarantine-lot.ts'
import { findOrder, type CustomerOrder } from '#server/orders/find-order.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { getOrderLots } from '#server/orders/get-order-lots.ts'
import { getPackingSlip } from '#server/orders/get-package.ts'
import { listShippingWarnings } from '#server/orders/list-shipping-warnings.ts'
import { repickLots } from '#server/orders/repick-lots.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { previewStatusChange } from '#server/reviews/preview-status-change.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { asCustomer, buy, openCheckout, pay, shipTo } from '#tests/support/checkouts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { addItem } from '#tests/support/dispensing.ts'
import { eachEngine } from '#tests/support/engines.ts'
import {
  adjust,
  dayAfter,
  dayMs,
  expiryAfter,
  idOf,
  lotsOf,
  pickedBy,
  stockOf,
  toText,
  verify,
} from '#tests/support/lots.ts'
import { addPharmacy } from '#tests/support/pharmacies.ts'
import { addPharmacist, clearOrder, transcribe } from '#tests/support/pharmacist.ts'
import { recordStatements } from '#tests/support/record-statements.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { prescriptionOf } from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

const farther = { text: '1 High St, York, YO1 7HZ, United Kingdom', parts: null }

/** Changes when a lot expires, as a release before the check of the arrival left it. */
async function setExpiry(db: Db, lotNumber: string, expiresOn: string): Promise<void> {
  await db.updateTable('stockLots').set({ expiresOn }).where('lotNumber', '=', lotNumber).execute()
}

/** Ends a checkout, as its hold's end does. */
async function release(ctx: Context, checkoutId: string): Promise<void> {
  const query = ctx.db.selectFrom('checkouts').selectAll().where('id', '=', checkoutId)
  await releaseCheckout(ctx, await query.executeTakeFirstOrThrow(), 'cancelled')
}

eachEngine((_engine, openDb) => {
  test('a lot that expires before the latest expected arrival is not picked, and its last units are refused before the payment', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    const customer = await asCustomer(db)
    await adjust(ctx, id, 1)
    const { order: first } = await buy(customer, id)
    const arrivesBy = (await getAdminOrder(ctx, first.id)).estimatedDelivery ?? ''
    const dayBefore = new Date(Date.parse(arrivesBy) - dayMs).toISOString().slice(0, 10)
    await adjust(ctx, id, 5, { lotNumber: 'EARLY', expiryDate: dayBefore })
    await adjust(ctx, id, 2, { lotNumber: 'ENOUGH', expiryDate: arrivesBy })
    const { order } = await buy(customer, id)
    expect(toText(await pickedBy(db, order.id))).toBe('ENOUGH×1')
    const [line] = (await getOrderLots(ctx, order.id)).lines
    expect(line?.choices.map(({ lotNumber }) => lotNumber)).toEqual(['ENOUGH'])
    const repick = async (lotNumber: string) =>
      repickLots(ctx, { orderId: order.id, lineId: line?.id ?? '', lotId: await idOf(db, lotNumber) })
    await expect(repick('EARLY')).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(buy(customer, id, { quantity: 2 })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('expires before it would arrive'),
    })
    // Farther away, the open checkout arrives later.
    await openCheckout(customer, id)
    await expect(
      startCheckout(
        customer,
        { items: [{ productVariantId: id, quantity: 1 }], shipTo: farther, prescriptionId: null },
        { resume: true },
      ),
    ).rejects.toMatchObject({ message: expect.stringContaining('expires before it would arrive') })
    expect(await lotsOf(db, id)).toEqual({ EARLY: ['available', 5], ENOUGH: ['available', 1] })
    expect([await stockOf(db, id), await verify(db)]).toEqual([6, []])
  })

  test('an open checkout of a variant without lots is resumed for another country, also when a count leaves less than is reserved', async () => {
    const db = await openDb()
    const id = await addVariant(db, { stockQuantity: 2 })
    const customer = await asCustomer(db)
    await openCheckout(await asCustomer(db), id)
    const { payment } = await openCheckout(customer, id)
    await adjust(asAdmin(db), id, -1)
    const items = [{ productVariantId: id, quantity: 1 }]
    const input = { items, shipTo: farther, prescriptionId: null }
    const resumed = await startCheckout(customer, input, { resume: true })
    expect(resumed.payment.id).toBe(payment.id)
  })

  test('after a refused country, the open checkout can still be paid at its former address', async () => {
    const db = await openDb()
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    const expiryDate = estimateDelivery(testDay, { isDomestic: true })
    await adjust(asAdmin(db), id, 1, { lotNumber: 'NEAR', expiryDate })
    const customer = await asCustomer(db)
    const { payment } = await openCheckout(customer, id)
    const items = [{ productVariantId: id, quantity: 1 }]
    const resume = (to: ShipTo) =>
      startCheckout(customer, { items, shipTo: to, prescriptionId: null }, { resume: true })
    await expect(resume(farther)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await resume(shipTo)).payment.id).toBe(payment.id)
    await pay(db, payment)
    const { order } = await finalizeCheckout(customer, payment.id)
    expect(toText(await pickedBy(db, order.id))).toBe('NEAR×1')
  })

  test('a checkout without an address needs lots that last abroad; once paid, it is ordered even if they expire on the way', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    const customer = await asCustomer(db)
    const arrivesBy = estimateDelivery(testDay, { isDomestic: false })
    const dayBefore = new Date(Date.parse(arrivesBy) - dayMs).toISOString().slice(0, 10)
    await adjust(ctx, id, 1, { lotNumber: 'EARLY', expiryDate: dayBefore })
    await expect(openCheckout(customer, id, { shipTo: null })).rejects.toMatchObject({
      message: expect.stringContaining('expires before it would arrive'),
    })
    await adjust(ctx, id, 1, { lotNumber: 'ENOUGH', expiryDate: arrivesBy })
    const { payment } = await openCheckout(customer, id, { shipTo: null })
    await pay(db, payment)
    const later = { ...customer, now: dayAfter(1) }
    const { order } = await finalizeCheckout(later, payment.id, { shipTo: farther })
    // Neither lasts until then: it gets the one that lasts longer.
    expect(toText(await pickedBy(db, order.id))).toBe('ENOUGH×1')
    expect((await getOrderLots(ctx, order.id)).lines).toMatchObject([
      { problem: expect.stringMatching(/ENOUGH .* expires before the order is expected to arrive/) },
    ])
    expect([await stockOf(db, id), await verify(db)]).toEqual([1, []])
  })

  test.each([
    ['keeps', async () => {}],
    ['has lost', release],
  ])(
    'a paid checkout that was checked for today only and %s its reservation is ordered, and its lots are flagged until others are chosen',
    async (_hold, endHold) => {
      const db = await openDb()
      const ctx = asAdmin(db)
      const id = await addVariant(db, { stockQuantity: 0, inStock: false })
      await adjust(ctx, id, 1, { lotNumber: 'SHORT', expiryDate: expiryAfter(90) })
      const customer = await asCustomer(db)
      const { payment, checkoutId } = await openCheckout(customer, id)
      await pay(db, payment)
      // As a release before the check of the arrival left it.
      await db
        .updateTable('stockLots')
        .set({ expiresOn: expiryAfter(1) })
        .execute()
      await endHold(customer, checkoutId)
      const { order } = await finalizeCheckout(customer, payment.id)
      expect(toText(await pickedBy(db, order.id))).toBe('SHORT×1')
      const readLine = async () => (await getOrderLots(ctx, order.id)).lines[0]
      expect(await readLine()).toMatchObject({
        problem: expect.stringMatching(/SHORT .* expires before the order is expected to arrive/),
        choices: [],
      })
      await adjust(ctx, id, 1, { lotNumber: 'LONG', expiryDate: expiryAfter(90) })
      await repickLots(ctx, { orderId: order.id, lineId: (await readLine())?.id ?? '', lotId: null })
      expect(await readLine()).toMatchObject({ lots: [{ lotNumber: 'LONG' }], problem: null })
      await setOrderStatus(ctx, order.id, { status: 'shipped' })
      expect([await stockOf(db, id), await verify(db)]).toEqual([1, []])
    },
  )

  /** An order of which one unit is in EARLY, which expires on the way, and three are in LONG. */
  async function orderPartlyEarly(db: Db) {
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    await addPharmacy(db, { country: 'United States', shipsTo: ['United States'] })
    await adjust(ctx, id, 2, { lotNumber: 'EARLY', expiryDate: expiryAfter(89) })
    await adjust(ctx, id, 3, { lotNumber: 'LONG', expiryDate: expiryAfter(90) })
    const customer = await asCustomer(db)
    const { payment } = await openCheckout(customer, id, { quantity: 4 })
    await pay(db, payment)
    await setExpiry(db, 'EARLY', expiryAfter(2))
    const { order } = await finalizeCheckout(customer, payment.id)
    return { ctx, id, order }
  }

  test('a paid order takes only the missing units from lots that expire on the way', async () => {
    const db = await openDb()
    const { id, order } = await orderPartlyEarly(db)
    expect(toText(await pickedBy(db, order.id))).toBe('EARLY×1 LONG×3')
    expect(await lotsOf(db, id)).toEqual({ EARLY: ['available', 1], LONG: ['available', 0] })
    expect([await stockOf(db, id), await verify(db)]).toEqual([1, []])
  })

  test('the order, its slip, its lots and the preview of shipping say that a lot expires on the way, and whether others could do', async () => {
    const db = await openDb()
    const { ctx, id, order } = await orderPartlyEarly(db)
    const readWarnings = async (): Promise<unknown[]> => {
      const [packed] = (await getPackingSlip(ctx, order.id)).lines
      const [line] = (await getOrderLots(ctx, order.id)).lines
      const preview = await previewStatusChange(ctx, { target: { ids: [order.id] }, status: 'shipped' })
      return [
        (await getAdminOrder(ctx, order.id)).lotProblems,
        [packed?.warning, packed?.problem],
        line?.problem,
        [preview.warnings, preview.refused],
      ]
    }
    const toExpected = (message: unknown) => [
      [{ message, isBlocking: false }],
      [message, null],
      message,
      [[message], []],
    ]
    const early = 'Lot EARLY of .* expires before the order is expected to arrive'
    const noOther = expect.stringMatching(`^${early} \\(Jan 14, 2026\\)\\. No other stock lasts longer\\.$`)
    expect(await readWarnings()).toEqual(toExpected(noOther))
    const [line] = (await getOrderLots(ctx, order.id)).lines
    const repick = () => repickLots(ctx, { orderId: order.id, lineId: line?.id ?? '', lotId: null })
    expect(await repick()).toEqual({ isChanged: false })

    await adjust(ctx, id, 1, { lotNumber: 'NEW', expiryDate: expiryAfter(90) })
    const others = expect.stringMatching(`^${early} .* Choose other lots\\.$`)
    expect(await readWarnings()).toEqual(toExpected(others))
    expect(await repick()).toEqual({ isChanged: true })
    expect(await readWarnings()).toEqual([[], [null, null], null, [[], []]])
    expect([await lotsOf(db, id), await verify(db)]).toEqual([
      { EARLY: ['available', 2], LONG: ['available', 0], NEW: ['available', 0] },
      [],
    ])
  })

  test('a lot that keeps an order here says whether other stock could replace it', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    await adjust(ctx, id, 1, { lotNumber: 'HELD', expiryDate: expiryAfter(90) })
    const { order } = await buy(await asCustomer(db), id)
    await quarantineLot(ctx, { lotId: await idOf(db, 'HELD'), reason: 'Wet carton' })
    const readProblems = async () => (await getAdminOrder(ctx, order.id)).lotProblems
    const toExpected = (advice: string) => [
      { message: expect.stringMatching(`HELD .* is in quarantine\\. ${advice}`), isBlocking: true },
    ]
    expect(await readProblems()).toEqual(toExpected('No other stock can replace this line’s lots'))
    await adjust(ctx, id, 1)
    expect(await readProblems()).toEqual(toExpected('Choose other lots'))
  })

  test('an order that ships late warns of a lot that expires before it would arrive then', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addVariant(db, { stockQuantity: 0, inStock: false })
    const expiryDate = estimateDelivery(testDay, { isDomestic: true })
    await addPharmacy(db, { country: 'United States', shipsTo: ['United States'] })
    await adjust(ctx, id, 2, { lotNumber: 'NEAR', expiryDate })
    const customer = await asCustomer(db)
    const orders = [(await buy(customer, id)).order, (await buy(customer, id)).order]
    const warningsOn = async (day: Date, ids: string[]) =>
      (await previewStatusChange({ ...ctx, now: day }, { target: { ids }, status: 'shipped' })).warnings
    const [first, second] = orders.map((order) => order.id)
    expect(await warningsOn(testDay, [first ?? ''])).toEqual([])
    const warning = 'Lot NEAR of .* expires before the order is expected to arrive \\(Jan 21, 2026\\)\\.'
    const late = new Date(Date.parse(expiryDate))
    expect(await warningsOn(late, [first ?? ''])).toEqual([expect.stringMatching(`^${warning}`)])
    expect(await warningsOn(late, [first ?? '', second ?? ''])).toEqual([
      expect.stringMatching(`^Order ${orderRef(first ?? '')}: ${warning}`),
      expect.stringMatching(`^Order ${orderRef(second ?? '')}: ${warning}`),
    ])
    const { status } = await setOrderStatus({ ...ctx, now: late }, first ?? '', { status: 'shipped' })
    expect(status).toBe('shipped')
  })

  test('the warnings about the lots of several orders take as many reads as those of one', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const expiryDate = estimateDelivery(testDay, { isDomestic: true })
    await addPharmacy(db, { country: 'United States', shipsTo: ['United States'] })
    const customer = await asCustomer(db)
    const orders: CustomerOrder[] = []
    for (const lotNumber of ['NEAR-1', 'NEAR-2', 'NEAR-3']) {
      const id = await addVariant(db, { stockQuantity: 0, inStock: false })
      await adjust(ctx, id, 1, { lotNumber, expiryDate })
      orders.push(await findOrder(ctx, (await buy(customer, id)).order.id))
    }
    const read = async (rows: CustomerOrder[]) => {
      const { db: recorded, statements } = recordStatements(db)
      const late = new Date(Date.parse(expiryDate))
      const warnings = await listShippingWarnings({ ...ctx, db: recorded, now: late }, rows)
      return { warnings, reads: statements.length }
    }
    const one = await read(orders.slice(0, 1))
    const all = await read(orders)
    expect(one.warnings).toEqual([expect.stringMatching(/^Lot NEAR-1 .*No other stock lasts longer\.$/)])
    expect(all.warnings).toEqual(
      orders.map(({ id }, at) =>
        expect.stringMatching(new RegExp(`^Order ${orderRef(id)}: Lot NEAR-${at + 1} .* lasts longer\\.$`)),
      ),
    )
    expect(all.reads).toBe(one.reads)
  })

  test('a line is cleared when its lots outlast the supply, even if they expire on the way', async () => {
    const db = await openDb()
    const productId = await addProduct(db, { name: 'Zorbidon', category: 'Rx', ingredients: 'Zorbidon' })
    const id = await addVariant(db, { productId, stockQuantity: 0, inStock: false })
    await adjust(asAdmin(db), id, 1, { lotNumber: 'EARLY', expiryDate: expiryAfter(90) })
    const customer = await asCustomer(db)
    const userId = customer.user?.id ?? ''
    const { id: prescriptionId } = await addPrescription(db, userId)
    const { payment } = await openCheckout(customer, id, { prescriptionId })
    await pay(db, payment)
    await setExpiry(db, 'EARLY', expiryAfter(4))
    const { order } = await finalizeCheckout(customer, payment.id)
    const pharmacist = await addPharmacist(db)
    const prescription = prescriptionOf(await getCase(pharmacist, order.id))
    await transcribe(pharmacist, prescription, [id], { items: [{ units: '24', daysSupply: '2' }] })
    const { lines } = await clearOrder(db, order.id)
    expect(lines).toMatchObject([{ status: 'cleared' }])
    expect([toText(await pickedBy(db, order.id)), await verify(db)]).toEqual(['EARLY×1', []])
    const support = testContext(db, {
      user: signedIn(await makeUser(db, { roles: ['support'] }), { roles: ['support'] }),
    })
    const hidden = 'A prescription item may expire before the order arrives. The pharmacy can check it.'
    expect((await getAdminOrder(support, order.id)).lotProblems).toEqual([
      { message: hidden, isBlocking: false },
    ])
    expect(JSON.stringify(await getPackingSlip(support, order.id))).not.toMatch(/EARLY|Zorbidon/)
  })

  /** A checkout of a prescription with a supply of 15 days, from a lot that ends on a day. */
  async function startForSupply(db: Db, expiryDate: string) {
    const productId = await addProduct(db, { name: 'Zorbidon', category: 'Rx', ingredients: 'Zorbidon' })
    const id = await addVariant(db, { productId, stockQuantity: 0, inStock: false })
    await adjust(asAdmin(db), id, 1, { lotNumber: 'EXACT', expiryDate })
    const customer = await asCustomer(db)
    const userId = customer.user?.id ?? ''
    const { id: prescriptionId } = await addPrescription(db, userId)
    await addItem(db, { userId, prescriptionId, variantId: id })
    return { customer, open: () => openCheckout(customer, id, { prescriptionId }) }
  }

  test.each([
    ['keeps', async () => {}],
    ['has lost', release],
  ])(
    'a lot lasts for the supply when a day passes until the payment, and the checkout %s its reservation',
    async (_hold, endHold) => {
      const db = await openDb()
      const shipped = latestShipping(testDay)
      const { customer, open } = await startForSupply(db, usableUntil(shipped, 15))
      const { payment, checkoutId } = await open()
      await pay(db, payment)
      await endHold(customer, checkoutId)
      const { order } = await finalizeCheckout({ ...customer, now: dayAfter(1) }, payment.id)
      expect([toText(await pickedBy(db, order.id)), await verify(db)]).toEqual(['EXACT×1', []])
    },
  )

  test('a lot that ends with a supply from today is refused before the payment: it could not ship tomorrow', async () => {
    const db = await openDb()
    const { open } = await startForSupply(db, expiryAfter(15))
    await expect(open()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(expiresTooEarly),
    })
  })

  test('a lot that has expired by the day of the payment is not ordered', async () => {
    const db = await openDb()
    const { customer, open } = await startForSupply(db, expiryAfter(20))
    const { payment } = await open()
    await pay(db, payment)
    await expect(finalizeCheckout({ ...customer, now: dayAfter(21) }, payment.id)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('just sold out'),
    })
  })
})
