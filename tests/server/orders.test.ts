import type { Db } from '#db/engine/client.ts'
import { countUnitsSold } from '#server/inventory/count-units-sold.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { getCart } from '#server/cart/get-cart.ts'
import { startCheckout } from '#server/checkout/start-checkout.ts'
import { demoPayments } from '#server/integrations/payments/demo-payments.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { processRefunds } from '#server/checkout/process-refunds.ts'
import { reconcileCheckouts } from '#server/jobs/reconcile-checkouts.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { listAllOrders, listOrderHistory, listOrderPage, listUserOrders } from '#server/orders/list-orders.ts'
import { reorder } from '#server/orders/reorder.ts'
import { listOrderPrescriptions, getOrder, getOrderDetails } from '#server/orders/get-order.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { deletePrescription } from '#server/prescriptions/delete-prescription.ts'
import { listUsed } from '#server/prescriptions/list-used.ts'
import { listPrescriptions } from '#server/prescriptions/list-prescriptions.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { jobParts, signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { pay } from '#tests/support/checkouts.ts'
import {
  homeAddress,
  placeOrder,
  listMilestoneMails,
  placeRxOrder,
  readStock,
} from '#tests/support/orders.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { ledgerOf } from '#tests/support/ledger.ts'
import { expect, test } from 'vitest'

const error = (code: string, message?: RegExp) =>
  expect.objectContaining({ code, ...(message && { message: expect.stringMatching(message) as unknown }) })

const as = (db: Db, id: string, now: Date = testDay) => testContext(db, { user: signedIn(id), now })
const asAdmin = (db: Db, id: string, now: Date = testDay) =>
  testContext(db, { user: signedIn(id, { isAdmin: true }), now })

const findSummary = (db: Db, id: string) =>
  db.selectFrom('products').select(['unitsSold', 'inStock']).where('id', '=', id).executeTakeFirst()

const levelsOf = async (db: Db, id: string) =>
  (await ledgerOf(db, id)).map((row) => [row.transactionType, row.quantityBefore, row.quantityAfter])

const runRefunds = (db: Db) =>
  processRefunds(
    { db, log: testContext(db).log, keys: testKeys, now: () => testDay },
    jobParts(db),
    new AbortController().signal,
  )

const runReconciler = (db: Db, now: Date) =>
  reconcileCheckouts(
    { db, log: testContext(db).log, keys: testKeys, now: () => now },
    jobParts(db),
    new AbortController().signal,
  )

eachEngine((_engine, openDb) => {
  test('cancelling refunds and restocks once, with an email', async () => {
    const db = await openDb()
    const id = await makeUser(db, { email: 'zoe@customer.example' })
    const productId = await addProduct(db)
    const [first, second] = [
      await addVariant(db, { productId, stockQuantity: 2, priceCents: 333 }),
      await addVariant(db, { productId, stockQuantity: 9, trackInventory: false }),
    ]
    const items = [
      { productVariantId: first, quantity: 2 },
      { productVariantId: second, quantity: 3 },
    ]
    const order = await placeOrder(db, id, { items })
    expect([await readStock(db, first), await readStock(db, second)]).toEqual([0, 9])
    // Two processes at once: each unit counts once.
    await Promise.all([countUnitsSold(testContext(db)), countUnitsSold(testContext(db))])
    expect(await findSummary(db, productId)).toMatchObject({ unitsSold: 5 })
    const cancelled = await cancelOrder(as(db, id), order.id)
    expect(cancelled).toMatchObject({ order: { status: 'cancelled' }, refundCents: order.totalCents })
    expect(await cancelOrder(as(db, id), order.id)).toEqual(cancelled)
    expect(await readStock(db, first)).toBe(2)
    expect(await levelsOf(db, first)).toEqual([
      ['sale', 2, 0],
      ['cancellation', 0, 2],
    ])
    expect(await levelsOf(db, second)).toEqual([])
    expect(await findSummary(db, productId)).toEqual({ unitsSold: 5, inStock: true })
    await Promise.all([countUnitsSold(testContext(db)), countUnitsSold(testContext(db))])
    expect(await findSummary(db, productId)).toEqual({ unitsSold: 0, inStock: true })

    await runRefunds(db)
    await runRefunds(db)
    expect(order.totalCents).toBe(2 * 333 + 3 * 500)
    const payment = await demoPayments(db).findPayment(order.stripePaymentId)
    expect(payment?.refundedCents).toBe(order.totalCents)
    expect((await getOrder(as(db, id), order.id)).refundedCents).toBe(order.totalCents)
    expect(await listMilestoneMails(db)).toEqual([
      ['received', null, 'somebody@customer.example'],
      ['cancelled', '$21.66', 'zoe@customer.example'],
      ['refunded', '$21.66', 'zoe@customer.example'],
    ])
    const { events, refunds } = await getOrderDetails(as(db, id), order.id)
    expect(events).toEqual([{ status: 'cancelled', at: testDay }])
    expect(refunds).toEqual([{ amountCents: 2166, createdAt: testDay, doneAt: testDay, failedAt: null }])
    const log = await db.selectFrom('auditLog').select('action').where('objectId', '=', order.id).execute()
    expect(log.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['order.placed', 'order.cancelled', 'payment.refund-begun', 'payment.refunded']),
    )
    expect(log.filter(({ action }) => action === 'order.cancelled')).toHaveLength(1)
  })

  test('concurrent cancellations cancel once', async () => {
    const db = await openDb()
    const id = await makeUser(db)
    const variantId = await addVariant(db, { stockQuantity: 5 })
    const order = await placeOrder(db, id, { items: [{ productVariantId: variantId, quantity: 3 }] })
    const answers = await Promise.all(Array.from({ length: 8 }, () => cancelOrder(as(db, id), order.id)))
    expect(new Set(answers.map(({ order: { status } }) => status))).toEqual(new Set(['cancelled']))
    expect(await readStock(db, variantId)).toBe(5)
    expect(await db.selectFrom('refunds').select('id').execute()).toHaveLength(1)
    expect(await db.selectFrom('orderEvents').select('id').execute()).toHaveLength(1)
    expect((await listMilestoneMails(db)).filter(([milestone]) => milestone === 'cancelled')).toHaveLength(1)
  })

  test('only the customer and admins can read an order, and each read is recorded', async () => {
    const db = await openDb()
    const [id, other, admin] = [await makeUser(db), await makeUser(db), await makeUser(db, { isAdmin: true })]
    const order = await placeOrder(db, id)
    const foreign = await placeOrder(db, other)
    expect(order).toMatchObject({ userId: id, shippingAddress: homeAddress, items: [{ quantity: 2 }] })
    expect(await getOrder(as(db, id), order.id)).toEqual(order)
    expect(await getOrder(asAdmin(db, admin), order.id)).toEqual(order)
    expect(await listUserOrders(asAdmin(db, admin), id, { after: null, limit: null })).toEqual([order])
    const missing = error('NOT_FOUND')
    for (const name of [order.id, 'x', '019a7c1e-0000-7000-8000-000000000000']) {
      await expect(getOrder(as(db, other), name)).rejects.toEqual(missing)
      await expect(cancelOrder(as(db, other), name)).rejects.toEqual(missing)
      await expect(reorder(as(db, other), name)).rejects.toEqual(missing)
      await expect(listOrderPrescriptions(as(db, other), name)).rejects.toEqual(missing)
    }
    await expect(getOrderDetails(asAdmin(db, admin), order.id)).rejects.toEqual(missing)
    await expect(reorder(asAdmin(db, admin), order.id)).rejects.toEqual(missing)
    await expect(listUserOrders(as(db, other), id, { after: null, limit: null })).rejects.toEqual(missing)
    await expect(setOrderStatus(as(db, id), order.id, { status: 'shipped' })).rejects.toEqual(
      error('FORBIDDEN'),
    )
    await expect(listAllOrders(as(db, id), { after: null, limit: null })).rejects.toEqual(error('FORBIDDEN'))
    await expect(getOrder(testContext(db), order.id)).rejects.toEqual(error('UNAUTHENTICATED'))

    const all: unknown[] = []
    for await (const one of await listAllOrders(asAdmin(db, admin), { after: null, limit: null }))
      all.push(one)
    expect(all).toEqual([foreign, order])
    const looks = await db
      .selectFrom('auditLog')
      .select(['action', 'actorId', 'subjectId'])
      .where('action', 'in', ['orders.read', 'order.read'])
      .orderBy('id')
      .execute()
    expect(looks).toEqual([
      { action: 'order.read', actorId: id, subjectId: id },
      { action: 'order.read', actorId: admin, subjectId: id },
      { action: 'orders.read', actorId: admin, subjectId: id },
      { action: 'orders.read', actorId: admin, subjectId: other },
      { action: 'orders.read', actorId: admin, subjectId: id },
    ])
  })

  test('lists page from the newest to the oldest, each order once', async () => {
    const db = await openDb()
    const [id, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })]
    const variantId = await addVariant(db)
    const placed: string[] = []
    for (let i = 0; i < 23; i++) {
      const items = [{ productVariantId: variantId, quantity: 1 }]
      placed.unshift((await placeOrder(db, id, { items })).id)
    }
    const first = await listOrderHistory(as(db, id), { page: 1 })
    const second = await listOrderHistory(as(db, id), { page: 2 })
    expect([first.pages, first.orders.length, second.orders.length]).toEqual([2, 20, 3])
    expect([...first.orders, ...second.orders].map((order) => order.id)).toEqual(placed)
    expect((await listOrderHistory(as(db, id), { page: 99 })).page).toBe(2)
    const read: string[] = []
    for (let after: string | null = null; ; after = read.at(-1) ?? null) {
      const page = await listUserOrders(asAdmin(db, admin), id, { after, limit: 10 })
      read.push(...page.map((order) => order.id))
      if (page.length < 10) break
    }
    expect(read).toEqual(placed)
    const someone = await makeUser(db)
    for (const after of ['x', placed[0] ?? '']) {
      await expect(listUserOrders(as(db, someone), someone, { after, limit: 5 })).rejects.toEqual(
        error('INVALID'),
      )
    }
    const empty = { orders: [], page: 1, pages: 1 }
    expect(await listOrderPage(as(db, someone), { page: 3 })).toEqual(empty)
    expect(await listOrderHistory(as(db, someone), { page: 3 })).toEqual({
      ...empty,
      refundedUnits: new Map(),
    })
  })

  test('reordering adds the available items once and lists the unavailable ones', async () => {
    const db = await openDb()
    const [id, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })]
    const named = async (name: string) => addVariant(db, { productId: await addProduct(db, { name }) })
    const [stored, scarce, soldOut, deleted] = [
      await named('Kept'),
      await named('Scarce'),
      await named('Gone'),
      await named('Deleted'),
    ]
    const items = [stored, scarce, soldOut, deleted].map((productVariantId) => ({
      productVariantId,
      quantity: 5,
    }))
    const order = await placeOrder(db, id, { items })
    for (const [variantId, quantityChange] of [
      [scarce, -93],
      [soldOut, -95],
    ] as const) {
      await adjustStock(asAdmin(db, admin), {
        variantId,
        quantityChange,
        transactionType: 'damaged',
        notes: null,
      })
    }
    await db.updateTable('productVariants').set({ deletedAt: testDay }).where('id', '=', deleted).execute()
    const again = await reorder(as(db, id), order.id)
    expect(again).toEqual({ inCart: ['Kept', 'Scarce'], fewer: ['Scarce'], missing: ['Gone', 'Deleted'] })
    expect(await reorder(as(db, id), order.id)).toEqual(again)
    const { cart } = await getCart(as(db, id), null)
    expect(cart.lines.map((line) => [line.variant.id, line.quantity])).toEqual([
      [stored, 5],
      [scarce, 2],
    ])
  })

  test('a prescription has its newest order, and cannot be deleted while an order uses it', async () => {
    const db = await openDb()
    const id = await makeUser(db)
    const { prescription, variantId } = await placeRxOrder(db, id)
    const unused = await addPrescription(db, id)
    const items = [{ productVariantId: variantId, quantity: 1 }]
    const newest = await placeOrder(db, id, { items, prescriptionId: prescription.id })
    const known = async () =>
      new Map((await listPrescriptions(as(db, id))).map((one) => [one.id, one.orderId]))
    expect(await known()).toEqual(
      new Map([
        [unused.id, null],
        [prescription.id, newest.id],
      ]),
    )
    expect(await listOrderPrescriptions(as(db, id), newest.id)).toMatchObject([
      { id: prescription.id, orderId: newest.id, status: 'under_review' },
    ])
    expect([...(await listUsed(as(db, id)))]).toEqual([prescription.id])
    expect([...(await listUsed(as(db, await makeUser(db))))]).toEqual([])
    await expect(deletePrescription(as(db, id), prescription.id)).rejects.toEqual(
      error('CONFLICT', /because an order uses it/),
    )
    await cancelOrder(as(db, id), newest.id)
    await expect(deletePrescription(as(db, id), prescription.id)).rejects.toEqual(error('CONFLICT'))
    await deletePrescription(as(db, id), unused.id)
    expect([...(await known()).keys()]).toEqual([prescription.id])
  })

  test('deleting a prescription while ordering with it does one or the other, not both', async () => {
    const db = await openDb()
    const id = await makeUser(db)
    const variantId = await addVariant(db, { productId: await addProduct(db, { category: 'Rx' }) })
    for (let round = 0; round < 4; round++) {
      const { id: prescriptionId } = await addPrescription(db, id)
      const items = [{ productVariantId: variantId, quantity: 1 }]
      const outcomes = await Promise.allSettled([
        placeOrder(db, id, { items, prescriptionId }),
        deletePrescription(as(db, id), prescriptionId),
      ])
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const orders = await db.selectFrom('orders').select('prescriptionId').execute()
      expect(orders.every((order) => order.prescriptionId !== null)).toBe(true)
    }
  })

  test('a deleted user’s orders are in no list and stay sealed; an open payment is refunded', async () => {
    const db = await openDb()
    const [id, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })]
    const { order } = await placeRxOrder(db, id)
    const variantId = await addVariant(db)
    const { payment } = await startCheckout(as(db, id), {
      items: [{ productVariantId: variantId, quantity: 4 }],
      shipTo: null,
      prescriptionId: null,
    })
    await pay(db, payment)
    await deleteUser(as(db, id), id)

    const stored = await db.selectFrom('orders').selectAll().executeTakeFirstOrThrow()
    expect(stored).toMatchObject({ id: order.id, userId: null, prescriptionId: null, status: 'cancelled' })
    expect(stored.sealedOrder).toMatch(/^v1\./)
    const ctx = asAdmin(db, admin)
    const missing = error('NOT_FOUND')
    await expect(getOrder(ctx, order.id)).rejects.toEqual(missing)
    await expect(cancelOrder(ctx, order.id)).rejects.toEqual(missing)
    await expect(setOrderStatus(ctx, order.id, { status: 'shipped' })).rejects.toEqual(missing)
    await expect(listUserOrders(ctx, id, { after: null, limit: null })).rejects.toEqual(missing)
    const all: unknown[] = []
    for await (const one of await listAllOrders(ctx, { after: null, limit: null })) all.push(one)
    expect(all).toEqual([])

    const later = new Date(testDay.getTime() + 3600_000)
    await runReconciler(db, later)
    await processRefunds(
      { db, log: testContext(db).log, keys: testKeys, now: () => later },
      jobParts(db),
      new AbortController().signal,
    )
    expect(await demoPayments(db).findPayment(payment.id)).toMatchObject({ refundedCents: 2000 })
    expect(await readStock(db, variantId)).toBe(100)
    expect(await db.selectFrom('orders').select('id').execute()).toHaveLength(1)
  })
})
