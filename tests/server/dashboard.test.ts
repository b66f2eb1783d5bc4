import { foldOrderSums, sumOrders, sumOrdersByDay } from '#db/orders/order-sums.ts'
import type { Db } from '#db/engine/client.ts'
import { addRefundedCents } from '#db/orders/orders.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import type { Context } from '#server/context.ts'
import { updateVariant } from '#server/catalog/update-variant.ts'
import { getDashboard } from '#server/dashboard/get-dashboard.ts'
import { caseQuerySchema } from '#domain/dispensing/case-inputs.ts'
import { newId, timeOfId } from '#domain/ids.ts'
import { closeBatches } from '#server/ledger/close-batches.ts'
import { processRefunds } from '#server/checkout/process-refunds.ts'
import { listCases } from '#server/reviews/list-cases.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { jobParts, signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { expect, test } from 'vitest'

const daysAgo = (days: number): Date => new Date(testDay.getTime() - days * 24 * 3600 * 1000)

async function asAdmin(db: Db): Promise<Context> {
  return testContext(db, { user: signedIn(await makeUser(db, { isAdmin: true }), { isAdmin: true }) })
}

eachEngine((_engine, openDb) => {
  test('a shop without sales has figures', async () => {
    const db = await openDb()
    const { sales, ...figures } = await getDashboard(await asAdmin(db), 7)
    expect(figures).toEqual({
      days: 7,
      lowStock: { lowCount: 0, outOfStockCount: 0, rows: [] },
      outdatedLists: 0,
      lacksPharmacist: false,
      prescriptions: { count: 0, oldestDays: null, waitingOrders: 0, capturesDueSoon: 0, refusedCaptures: 0 },
      recentOrders: [],
    })
    const { perDay, ...sums } = sales!
    expect(sums).toEqual({
      revenueCents: 0,
      orders: 0,
      activeProducts: 0,
      pendingOrders: 0,
      topMedicines: [],
    })
    expect(perDay).toHaveLength(7)
  })

  test('revenue is captured money less refunds, by day for both periods; units are those that left the stock', async () => {
    const db = await openDb()
    const admin = await asAdmin(db)
    const customer = await makeUser(db, { firstName: 'Ada', lastName: 'Marsh' })
    const aspirin = await addVariant(db, {
      productId: await addProduct(db, { name: 'Aspirin', route: 'oral', dosageForms: 'tablet' }),
    })
    const zinc = await addVariant(db, {
      productId: await addProduct(db, { name: 'Zinc', route: 'topical', dosageForms: 'cream' }),
      stockQuantity: 12,
    })
    const buy = (productVariantId: string, quantity: number, days: number) =>
      placeOrder(db, customer, {
        items: [{ productVariantId, quantity }],
        ctx: { now: daysAgo(days) },
        user: { firstName: 'Ada', lastName: 'Marsh' },
      })
    await buy(aspirin, 1, 40)
    await buy(aspirin, 2, 8)
    await buy(zinc, 2, 3)
    const cancelled = await buy(zinc, 4, 2)
    const shipped = await buy(aspirin, 3, 0)
    await setOrderStatus(admin, shipped.id, { status: 'shipped' })
    await setOrderStatus(admin, cancelled.id, { status: 'cancelled' })
    await processRefunds(
      { db, log: admin.log, keys: testKeys, now: () => testDay },
      jobParts(db),
      new AbortController().signal,
    )

    const dashboard = await getDashboard(admin, 7)
    // 1 + 2 + 2 + 3 units at \$5.00; the cancelled order was refunded.
    const sales = dashboard.sales!
    expect(sales).toMatchObject({ revenueCents: 4000, orders: 5, activeProducts: 2, pendingOrders: 3 })
    expect(sales.perDay.map(({ now, before }) => [now.cents, now.orders, before.cents])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
      [1000, 1, 0],
      [0, 1, 0],
      [0, 0, 1000],
      [1500, 1, 0],
    ])
    expect(sales.topMedicines).toMatchObject([
      { name: 'Aspirin', kind: 'oral · tablet', units: 3, previousUnits: 2 },
      { name: 'Zinc', kind: 'topical · cream', units: 2, previousUnits: 0 },
    ])
    expect(dashboard.lowStock).toMatchObject({
      lowCount: 1,
      outOfStockCount: 0,
      rows: [{ variantId: zinc, stockQuantity: 10 }],
    })
    expect(dashboard.recentOrders).toHaveLength(5)
    expect(dashboard.recentOrders?.[0]).toMatchObject({
      id: shipped.id,
      customerName: 'Ada Marsh',
      status: 'shipped',
      total: '15.00',
    })
    const read = await db
      .selectFrom('auditLog')
      .select(['subjectId', 'action'])
      .where('actorId', '=', admin.user?.id ?? '')
      .where('action', '=', 'orders.read')
      .execute()
    expect(read).toEqual([{ subjectId: customer, action: 'orders.read' }])
    await expect(getDashboard({ ...admin, user: signedIn(customer) }, 7)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  })

  test('a variant that moves to another product takes its sales along, also those already summed', async () => {
    const db = await openDb()
    // The id of a batch is never earlier than the last id of this process.
    const now = new Date(timeOfId(newId(Date.now())))
    const admin = { ...(await asAdmin(db)), now: new Date(now.getTime() + 10 * 60_000) }
    const customer = await makeUser(db)
    const [aspirin, zinc] = [
      await addProduct(db, { name: 'Aspirin' }),
      await addProduct(db, { name: 'Zinc' }),
    ]
    const productVariantId = await addVariant(db, { productId: aspirin })
    await addVariant(db, { productId: zinc })
    await placeOrder(db, customer, { items: [{ productVariantId, quantity: 3 }], ctx: { now } })
    await closeBatches({ ...testContext(db), now: () => now }, { customers: 1 })
    const top = async () => (await getDashboard(admin, 7)).sales?.topMedicines
    expect(await top()).toMatchObject([{ name: 'Aspirin', units: 3 }])
    await updateVariant(admin, productVariantId, { productId: zinc })
    expect(await top()).toMatchObject([{ name: 'Zinc', units: 3 }])
  })

  test('orders of deleted accounts are not counted, but their revenue is', async () => {
    const db = await openDb()
    const admin = await asAdmin(db)
    const customer = await makeUser(db)
    await placeOrder(db, customer)
    await deleteUser(admin, customer)
    expect(await getDashboard(admin, 30)).toMatchObject({
      sales: { revenueCents: 1000, orders: 0, pendingOrders: 0 },
      recentOrders: [],
    })
  })

  test('the sums by day equal the orders, before and after they are folded by two processes at once', async () => {
    const db = await openDb()
    const admin = await asAdmin(db)
    const [customer, deleted] = [await makeUser(db), await makeUser(db)]
    await placeOrder(db, customer, { ctx: { now: daysAgo(1) } })
    const shipped = await placeOrder(db, customer)
    await foldOrderSums(db, new AbortController().signal)
    await setOrderStatus(admin, shipped.id, { status: 'shipped' })
    await addRefundedCents(db, { id: shipped.id, amountCents: 300, now: testDay })
    await placeOrder(db, deleted, { ctx: { now: daysAgo(1) } })
    await deleteUser(admin, deleted)
    const read = async () => [
      await sumOrders(db),
      (await sumOrdersByDay(db, { before: daysAgo(7), to: daysAgo(-7) })).toSorted((a, b) =>
        a.day < b.day ? -1 : 1,
      ),
    ]
    const day = (days: number): string => daysAgo(days).toISOString().slice(0, 10)
    const expected = [
      { cents: 3 * 1000 - 300, orders: 2, pending: 1 },
      [
        { day: day(1), cents: 2000, orders: 2 },
        { day: day(0), cents: 700, orders: 1 },
      ],
    ]
    expect(await read()).toEqual(expected)
    await Promise.all([1, 2].map(() => foldOrderSums(db, new AbortController().signal)))
    expect(await db.selectFrom('orderSumChanges').selectAll().execute()).toEqual([])
    expect(await read()).toEqual(expected)
  })

  test('low stock comes before out of stock; untracked and deleted variants are absent', async () => {
    const db = await openDb()
    const productId = await addProduct(db)
    const outOfStock = await addVariant(db, { productId, stockQuantity: 0, inStock: false })
    const ten = await addVariant(db, { productId, stockQuantity: 10 })
    const one = await addVariant(db, { productId, stockQuantity: 1 })
    await addVariant(db, { productId, stockQuantity: 11 })
    await addVariant(db, { productId, stockQuantity: 0, trackInventory: false })
    await addVariant(db, { productId, stockQuantity: 2, deletedAt: testDay })
    const { lowCount, outOfStockCount, rows } = (await getDashboard(await asAdmin(db), 7)).lowStock!
    expect([lowCount, outOfStockCount, rows.map(({ variantId }) => variantId)]).toEqual([
      2,
      1,
      [one, ten, outOfStock],
    ])
  })

  test('counts the new cases of the queue, the age of the oldest, and the paid orders among them', async () => {
    const db = await openDb()
    const admin = await asAdmin(db)
    const customer = await makeUser(db)
    const { id: prescriptionId } = await addPrescription(db, customer, { now: daysAgo(4) })
    await addPrescription(db, customer, { now: daysAgo(1) })
    const productId = await addProduct(db, { category: 'Rx' })
    const items = [{ productVariantId: await addVariant(db, { productId }), quantity: 1 }]
    // Two orders on one prescription are two cases, which are as old as the orders.
    await placeOrder(db, customer, { items, prescriptionId, ctx: { now: daysAgo(3) } })
    await placeOrder(db, customer, { items, prescriptionId })
    expect((await getDashboard(admin, 7)).prescriptions).toEqual({
      count: 3,
      oldestDays: 3,
      waitingOrders: 2,
      capturesDueSoon: 0,
      refusedCaptures: 0,
    })
    expect((await listCases(admin, caseQuerySchema.parse({}))).counts.new).toBe(3)
  })
})
