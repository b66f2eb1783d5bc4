import type { Db } from '#db/engine/client.ts'
import { claimMails } from '#db/mail/outbox.ts'
import type { Schema } from '#db/schema/schema.ts'
import { replaceSetting } from '#db/settings/settings.ts'
import { orderStatuses, type OrderStatus } from '#domain/orders/order-status.ts'
import { countUnitsSold } from '#server/inventory/count-units-sold.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { getCart } from '#server/cart/get-cart.ts'
import { startCheckout } from '#server/checkout/start-checkout.ts'
import { demoPayments } from '#server/integrations/payments/demo-payments.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { processRefunds } from '#server/checkout/process-refunds.ts'
import { reconcileCheckouts } from '#server/jobs/reconcile-checkouts.ts'
import { unsealMail } from '#server/mail/sealed-mail.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { listAllOrders, listOrderHistory, listUserOrders } from '#server/orders/list-orders.ts'
import { reorder } from '#server/orders/reorder.ts'
import { listOrderPrescriptions, getOrder, getOrderDetails } from '#server/orders/get-order.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { previewStatusChange, setOrderStatuses } from '#server/orders/set-order-statuses.ts'
import { undoStatusChange, undoStatusChanges } from '#server/orders/undo-status-change.ts'
import { decidePrescription } from '#server/prescriptions/decide-prescription.ts'
import { deletePrescription } from '#server/prescriptions/delete-prescription.ts'
import { listPrescriptions } from '#server/prescriptions/list-prescriptions.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { jobParts, signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { markCleared } from '#tests/support/dispensing.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { pay } from '#tests/support/checkouts.ts'
import { homeAddress, placeOrder } from '#tests/support/orders.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { ledgerOf } from '#tests/support/ledger.ts'
import type { Updateable } from 'kysely'
import { expect, test } from 'vitest'

const error = (code: string, message?: RegExp) =>
  expect.objectContaining({ code, ...(message && { message: expect.stringMatching(message) as unknown }) })

const as = (db: Db, id: string, now: Date = testDay) => testContext(db, { user: signedIn(id), now })
const asAdmin = (db: Db, id: string, now: Date = testDay) =>
  testContext(db, { user: signedIn(id, { isAdmin: true }), now })

const stockOf = async (db: Db, id: string): Promise<number> =>
  (
    await db
      .selectFrom('productVariants')
      .select('stockQuantity')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).stockQuantity

const findSummary = (db: Db, id: string) =>
  db.selectFrom('products').select(['unitsSold', 'inStock']).where('id', '=', id).executeTakeFirst()

const levelsOf = async (db: Db, id: string) =>
  (await ledgerOf(db, id)).map((row) => [row.transactionType, row.quantityBefore, row.quantityAfter])

/** The emailed milestones in order, with their amounts. */
const mailed = async (db: Db) =>
  (await db.selectFrom('outbox').select(['id', 'sealedMail']).orderBy('id').execute()).flatMap((row) => {
    const mail = row.sealedMail === null ? null : unsealMail(testKeys, row.id, row.sealedMail)
    return mail && 'template' in mail && mail.template === 'order-update'
      ? [[mail.props.milestone, mail.props.amount, mail.to.address]]
      : []
  })

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

/** An order with a medicine that needs a prescription, and that prescription, under review. */
async function placeRx(db: Db, userId: string) {
  const prescription = await addPrescription(db, userId)
  const variantId = await addVariant(db, { productId: await addProduct(db, { category: 'Rx' }) })
  const items = [{ productVariantId: variantId, quantity: 1 }]
  const order = await placeOrder(db, userId, { items, prescriptionId: prescription.id })
  return { order, prescription, variantId }
}

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
    expect([await stockOf(db, first), await stockOf(db, second)]).toEqual([0, 9])
    // Two processes at once: each unit counts once.
    await Promise.all([countUnitsSold({ db, keys: testKeys }), countUnitsSold({ db, keys: testKeys })])
    expect(await findSummary(db, productId)).toMatchObject({ unitsSold: 5 })
    const cancelled = await cancelOrder(as(db, id), order.id)
    expect(cancelled).toMatchObject({ order: { status: 'cancelled' }, refundCents: order.totalCents })
    expect(await cancelOrder(as(db, id), order.id)).toEqual(cancelled)
    expect(await stockOf(db, first)).toBe(2)
    expect(await levelsOf(db, first)).toEqual([
      ['sale', 2, 0],
      ['cancellation', 0, 2],
    ])
    expect(await levelsOf(db, second)).toEqual([])
    expect(await findSummary(db, productId)).toEqual({ unitsSold: 5, inStock: true })
    await Promise.all([countUnitsSold({ db, keys: testKeys }), countUnitsSold({ db, keys: testKeys })])
    expect(await findSummary(db, productId)).toEqual({ unitsSold: 0, inStock: true })

    await runRefunds(db)
    await runRefunds(db)
    expect(order.totalCents).toBe(2 * 333 + 3 * 500)
    const payment = await demoPayments(db).findPayment(order.stripePaymentId)
    expect(payment?.refundedCents).toBe(order.totalCents)
    expect((await getOrder(as(db, id), order.id)).refundedCents).toBe(order.totalCents)
    expect(await mailed(db)).toEqual([
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
    expect(await stockOf(db, variantId)).toBe(5)
    expect(await db.selectFrom('refunds').select('id').execute()).toHaveLength(1)
    expect(await db.selectFrom('orderEvents').select('id').execute()).toHaveLength(1)
    expect((await mailed(db)).filter(([milestone]) => milestone === 'cancelled')).toHaveLength(1)
  })

  test('when a customer cancels while an admin ships, exactly one succeeds', async () => {
    const db = await openDb()
    const [id, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })]
    for (let round = 0; round < 6; round++) {
      const variantId = await addVariant(db, { stockQuantity: 5 })
      const order = await placeOrder(db, id, { items: [{ productVariantId: variantId, quantity: 3 }] })
      const acts = [
        async () => (await cancelOrder(as(db, id), order.id)).order,
        () => setOrderStatus(asAdmin(db, admin), order.id, { status: 'shipped' }),
      ]
      const outcomes = await Promise.allSettled((round % 2 ? acts : acts.toReversed()).map((act) => act()))
      const won = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.status] : []))
      const lost = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
      expect(won).toHaveLength(1)
      expect(lost).toEqual([error('CONFLICT')])
      const refunds = await db.selectFrom('refunds').select('id').where('orderId', '=', order.id).execute()
      const isCancelled = won[0] === 'cancelled'
      expect([await stockOf(db, variantId), refunds.length]).toEqual(isCancelled ? [5, 1] : [2, 0])
      expect((await getOrder(as(db, id), order.id)).status).toBe(won[0])
    }
  })

  test('an admin can set any status after any other, but a refunded order stays cancelled', async () => {
    const db = await openDb()
    const [id, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })]
    const ctx = asAdmin(db, admin)
    const setStatus = (orderId: string, status: OrderStatus) => setOrderStatus(ctx, orderId, { status })
    for (const from of orderStatuses) {
      for (const to of orderStatuses) {
        const variantId = await addVariant(db, { stockQuantity: 5 })
        const order = await placeOrder(db, id, { items: [{ productVariantId: variantId, quantity: 1 }] })
        await setStatus(order.id, from)
        const isRefused = from === 'cancelled' && to !== 'cancelled'
        if (isRefused)
          await expect(setStatus(order.id, to), `${from} to ${to}`).rejects.toEqual(error('CONFLICT'))
        else expect((await setStatus(order.id, to)).status, `${from} to ${to}`).toBe(to)
        const wasCancelled =
          from === 'cancelled' || (to === 'cancelled' && (from === 'pending' || from === 'processing'))
        const refunds = await db.selectFrom('refunds').select('id').where('orderId', '=', order.id).execute()
        expect([await stockOf(db, variantId), refunds.length], `${from} to ${to}`).toEqual(
          wasCancelled ? [5, 1] : [4, 0],
        )
      }
    }
  })

  test('cancelling after shipping refunds nothing and can be undone', async () => {
    const db = await openDb()
    const [id, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })]
    const order = await placeOrder(db, id)
    const setStatus = (status: OrderStatus) => setOrderStatus(asAdmin(db, admin), order.id, { status })
    await setStatus('shipped')
    await expect(cancelOrder(as(db, id), order.id)).rejects.toEqual(error('CONFLICT', /already shipped/))
    await setStatus('cancelled')
    expect((await mailed(db)).at(-1)).toEqual(['cancelled', null, expect.any(String)])
    await expect(cancelOrder(as(db, id), order.id)).rejects.toEqual(error('CONFLICT', /after it shipped/))
    expect(await db.selectFrom('refunds').select('id').execute()).toEqual([])
    expect((await setStatus('delivered')).status).toBe('delivered')
  })

  test('a prescription line ships only while its clearance holds, with the reason', async () => {
    const db = await openDb()
    const [id, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })]
    const ctx = asAdmin(db, admin)
    const { order, prescription } = await placeRx(db, id)
    const refusedFor = async (reason: RegExp, context = ctx) => {
      for (const status of ['shipped', 'delivered'] as const) {
        await expect(setOrderStatus(context, order.id, { status })).rejects.toEqual(error('CONFLICT', reason))
      }
    }
    await refusedFor(/waits for a pharmacist/)
    expect((await setOrderStatus(ctx, order.id, { status: 'pending' })).status).toBe('pending')
    const status = 'approved'
    await decidePrescription(ctx, prescription.id, { status }, { link: 'https://shop.example' })
    await refusedFor(/waits for a pharmacist/)

    await markCleared(db, order.id)
    const review = (changes: Updateable<Schema['lineReviews']>) =>
      db.updateTable('lineReviews').set(changes).execute()
    const item = (changes: Updateable<Schema['prescriptionItems']>) =>
      db.updateTable('prescriptionItems').set(changes).execute()
    await review({ status: 'asked' })
    await refusedFor(/waits for the customer’s answer/)
    await review({ status: 'cleared' })
    await item({ status: 'closed' })
    await refusedFor(/was closed/)
    await item({ status: 'active' })
    await refusedFor(/has expired/, { ...ctx, now: new Date('2027-01-03T00:00:00Z') })
    await db.updateTable('fills').set({ status: 'released' }).execute()
    await refusedFor(/has no cleared fill/)
    await db.updateTable('fills').set({ status: 'cleared' }).execute()
    await replaceSetting(db, { name: 'twoPharmacists', before: null, after: 'true', now: testDay })
    await refusedFor(/waits for a second pharmacist/)
    await review({ checkedBy: 'another pharmacist' })

    const shipment = { trackingNumber: '1Z999', carrier: 'UPS', estimatedDelivery: '2026-02-01' }
    const shipped = await setOrderStatus(ctx, order.id, { status: 'shipped', ...shipment })
    expect(shipped).toMatchObject({ status: 'shipped', ...shipment })
    const fills = await db.selectFrom('fills').select(['status', 'dispensedAt']).execute()
    expect(fills).toEqual([{ status: 'dispensed', dispensedAt: testDay }])
    // A status that is moved back leaves the fill dispensed.
    await setOrderStatus(ctx, order.id, { status: 'processing' })
    await setOrderStatus(ctx, order.id, { status: 'delivered' })
    expect(await db.selectFrom('fills').select('status').execute()).toEqual([{ status: 'dispensed' }])
  })

  test('each milestone is emailed once, and an unchanged order sends nothing', async () => {
    const db = await openDb()
    const [id, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })]
    const order = await placeOrder(db, id)
    const set = (edit: Parameters<typeof setOrderStatus>[2]) =>
      setOrderStatus(asAdmin(db, admin), order.id, edit)
    await set({})
    await set({ status: 'processing' })
    await set({ carrier: 'UPS' })
    await set({ status: 'pending' })
    await set({ status: 'processing' })
    await set({ status: 'shipped' })
    await set({ status: 'shipped' })
    await set({ trackingNumber: '1Z999' })
    await set({ trackingNumber: '1Z999' })
    await set({ status: 'delivered' })
    expect((await mailed(db)).map(([milestone]) => milestone)).toEqual([
      'received',
      'processing',
      'shipped',
      // For the tracking number added later.
      'shipped',
      'delivered',
    ])
    const { events } = await getOrderDetails(as(db, id), order.id)
    expect(events.map(({ status }) => status)).toEqual(['pending', 'processing', 'shipped', 'delivered'])
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
    expect(await listOrderHistory(as(db, someone), { page: 3 })).toEqual({ orders: [], page: 1, pages: 1 })
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
    const { prescription, variantId } = await placeRx(db, id)
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

  test('a status change is undone once, before its email leaves, and not after', async () => {
    const db = await openDb()
    const [id, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })]
    const seconds = (count: number): Date => new Date(testDay.getTime() + count * 1000)
    const at = (count: number) => asAdmin(db, admin, seconds(count))
    const { order } = await placeRx(db, id)
    const target = { ids: [order.id] }
    // Before a pharmacist clears it, the preview has the reason that the change would have.
    const early = await previewStatusChange(at(0), { target, status: 'shipped' })
    expect(early).toMatchObject({ changed: 0, emailed: 0 })
    expect(await setOrderStatuses(at(0), { ids: target.ids, status: 'shipped' })).toEqual([
      { id: order.id, error: early.refused[0]?.message, changeId: null },
    ])
    await markCleared(db, order.id)
    const ship = async (from: number): Promise<string> => {
      const [result] = await setOrderStatuses(at(from), { ids: [order.id], status: 'shipped' })
      return result?.changeId ?? ''
    }
    const claim = (now: Date) => claimMails(db, { now, leaseEnds: seconds(900), limit: 10 })
    await claim(testDay)
    const cleared = await db.selectFrom('fills').selectAll().execute()
    const before = await mailed(db)
    expect(await previewStatusChange(at(0), { target, status: 'shipped' })).toMatchObject({
      changed: 1,
      emailed: 1,
      undoable: 1,
      refused: [],
    })

    // The email waits, and the undo withdraws it. Two at once, and one more, undo once.
    const changeId = await ship(1)
    expect(await mailed(db)).toHaveLength(before.length + 1)
    expect(await claim(seconds(11))).toEqual([])
    expect(await getAdminOrder(at(11), order.id)).toMatchObject({ undo: { changeId, status: 'shipped' } })
    await Promise.all([1, 2].map(() => undoStatusChange(at(12), { id: order.id, changeId })))
    await undoStatusChange(at(60), { id: order.id, changeId })
    expect(await mailed(db)).toEqual(before)
    expect(await db.selectFrom('fills').selectAll().execute()).toEqual(cleared)
    expect(await getAdminOrder(at(12), order.id)).toMatchObject({
      status: 'processing',
      undo: null,
      events: [{ status: 'shipped', reverted: { at: seconds(12).toISOString() } }],
    })
    // The customer sees neither.
    expect((await getOrderDetails(as(db, id), order.id)).events).toEqual([])
    const audit = await db
      .selectFrom('auditLog')
      .select('action')
      .where('actorId', '=', admin)
      .where('action', 'in', ['order.changed', 'order.change-reverted'])
      .orderBy('id')
      .execute()
    expect(audit.map(({ action }) => action)).toEqual(['order.changed', 'order.change-reverted'])

    // Too late: the email is due, or a process is already sending it.
    const late = await ship(100)
    const tooLate = error('CONFLICT', /too late to undo/)
    await expect(undoStatusChange(at(113), { id: order.id, changeId: late })).rejects.toEqual(tooLate)
    expect(await claim(seconds(112))).toHaveLength(1)
    expect(await undoStatusChanges(at(111), [{ id: order.id, changeId: late }])).toEqual([
      { id: order.id, error: expect.stringContaining('the email has left'), changeId: null },
    ])
    expect(await getOrder(at(113), order.id)).toMatchObject({ status: 'shipped' })
    // Several at once, each while its email becomes due: one of the two wins, never both.
    const orders = [await placeOrder(db, id), await placeOrder(db, id), await placeOrder(db, id)]
    const ids = orders.map((one) => one.id)
    await claim(seconds(150))
    const made = await setOrderStatuses(at(150), { ids, status: 'delivered' })
    const [reverted, claimed] = await Promise.all([
      undoStatusChanges(
        at(162),
        made.map(({ id, changeId }) => ({ id, changeId: changeId ?? '' })),
      ),
      claim(seconds(162)),
    ])
    const stayed = reverted.filter(({ error }) => error !== null)
    expect(claimed).toHaveLength(stayed.length)
    const statuses = await db.selectFrom('orders').select(['id', 'status']).where('id', 'in', ids).execute()
    for (const { id, status } of statuses) {
      expect(status).toBe(stayed.some((one) => one.id === id) ? 'delivered' : 'processing')
    }
    // A later change, a cancellation, and another customer's order or none.
    const second = await placeOrder(db, id)
    const [pending] = await setOrderStatuses(at(200), { ids: [second.id], status: 'pending' })
    await setOrderStatus(at(201), second.id, { trackingNumber: '1Z9' })
    const change = { id: second.id, changeId: pending?.changeId ?? '' }
    await expect(undoStatusChange(at(202), change)).rejects.toEqual(
      error('CONFLICT', /order has changed since/),
    )
    await expect(undoStatusChange(at(202), { ...change, id: order.id })).rejects.toEqual(error('NOT_FOUND'))
    await expect(undoStatusChange(as(db, id), change)).rejects.toEqual(error('FORBIDDEN'))
    const [cancelled] = await setOrderStatuses(at(203), { ids: [second.id], status: 'cancelled' })
    expect(cancelled).toEqual({ id: second.id, error: null, changeId: null })
    // Nothing holds these: that the order was received, and that it was cancelled.
    expect(await claim(seconds(203))).toHaveLength(2)
  })

  test('a deleted user’s orders are in no list and stay sealed; an open payment is refunded', async () => {
    const db = await openDb()
    const [id, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })]
    const { order } = await placeRx(db, id)
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
    expect(await stockOf(db, variantId)).toBe(100)
    expect(await db.selectFrom('orders').select('id').execute()).toHaveLength(1)
  })
})
