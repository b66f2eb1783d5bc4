import { newId } from '#domain/ids.ts'
import type { Db } from '#db/engine/client.ts'
import { claimMails } from '#db/mail/outbox.ts'
import type { Schema } from '#db/schema/schema.ts'
import { replaceSetting } from '#db/settings/settings.ts'
import { orderStatuses, type OrderStatus } from '#domain/orders/order-status.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { getOrder, getOrderDetails } from '#server/orders/get-order.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { setOrderStatuses } from '#server/orders/set-order-statuses.ts'
import { undoStatusChange, undoStatusChanges } from '#server/orders/undo-status-change.ts'
import { decidePrescription } from '#server/prescriptions/decide-prescription.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { previewStatusChange } from '#server/reviews/preview-status-change.ts'
import { didNotLeave, reopenLine } from '#server/reviews/reopen-line.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addVariant, testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { markCleared } from '#tests/support/dispensing.ts'
import { eachEngine } from '#tests/support/engines.ts'
import {
  placeOrder,
  listMilestoneMails,
  listOrderMails,
  placeRxOrder,
  readStock,
} from '#tests/support/orders.ts'
import { runMoneyJobs } from '#tests/support/payment-holds.ts'
import { clearOrder } from '#tests/support/pharmacist.ts'
import { lineOf, openCase } from '#tests/support/review-cases.ts'
import type { Updateable } from 'kysely'
import { expect, test } from 'vitest'

const error = (code: string, message?: RegExp) =>
  expect.objectContaining({ code, ...(message && { message: expect.stringMatching(message) as unknown }) })

const as = (db: Db, id: string, now: Date = testDay) => testContext(db, { user: signedIn(id), now })
const asAdmin = (db: Db, id: string, now: Date = testDay) =>
  testContext(db, { user: signedIn(id, { isAdmin: true }), now })

eachEngine((_engine, openDb) => {
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
      expect([await readStock(db, variantId), refunds.length]).toEqual(isCancelled ? [5, 1] : [2, 0])
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
        expect([await readStock(db, variantId), refunds.length], `${from} to ${to}`).toEqual(
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
    expect((await listMilestoneMails(db)).at(-1)).toEqual(['cancelled', null, expect.any(String)])
    await expect(cancelOrder(as(db, id), order.id)).rejects.toEqual(error('CONFLICT', /after it shipped/))
    expect(await db.selectFrom('refunds').select('id').execute()).toEqual([])
    expect((await setStatus('delivered')).status).toBe('delivered')
  })

  test('a prescription line ships only while its clearance holds, with the reason', async () => {
    const db = await openDb()
    const [id, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })]
    const ctx = asAdmin(db, admin)
    const { order, prescription } = await placeRxOrder(db, id)
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
    expect((await listMilestoneMails(db)).map(([milestone]) => milestone)).toEqual([
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

  test('a status and what was typed about the shipment are one change, with the number in its email', async () => {
    const db = await openDb()
    const [id, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })]
    const { id: orderId, estimatedDelivery } = await placeOrder(db, id)
    const shown = { trackingNumber: null, carrier: null, estimatedDelivery }
    const typed = { trackingNumber: '1Z999', carrier: 'UPS', estimatedDelivery: '2026-02-01' }
    const ship = (expectedShipment: typeof shown, expectedStatus: OrderStatus = 'processing') => {
      const edit = { status: 'shipped', expectedStatus, ...typed, expectedShipment } as const
      return setOrderStatus(asAdmin(db, admin), orderId, edit)
    }
    // Refused as a whole when someone else has saved another shipment, or set another status.
    await setOrderStatus(asAdmin(db, admin), orderId, { carrier: 'DHL' })
    await expect(ship(shown)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Someone else changed this shipment after you opened it.',
      current: { ...shown, carrier: 'DHL' },
    })
    await setOrderStatus(asAdmin(db, admin), orderId, { carrier: null })
    await expect(ship(shown, 'pending')).rejects.toMatchObject({ code: 'CONFLICT', current: 'processing' })
    expect(await getAdminOrder(asAdmin(db, admin), orderId)).toMatchObject({ status: 'processing', ...shown })

    expect(await ship(shown)).toMatchObject({ status: 'shipped', ...typed })
    // As after a lost response.
    expect(await ship(shown)).toMatchObject({ status: 'shipped', ...typed })
    const mails = (await listOrderMails(db)).filter(({ props }) => props.milestone === 'shipped')
    expect(mails.map(({ props }) => props.trackingNumber)).toEqual(['1Z999'])
  })

  test('a status change is undone once, before its email leaves, and not after', async () => {
    const db = await openDb()
    const [id, admin] = [await makeUser(db), await makeUser(db, { isAdmin: true })]
    const seconds = (count: number): Date => new Date(testDay.getTime() + count * 1000)
    const at = (count: number) => asAdmin(db, admin, seconds(count))
    const { order } = await placeRxOrder(db, id)
    const target = { ids: [order.id] }
    // Before a pharmacist clears it, the preview has the reason that the change would have.
    const early = await previewStatusChange(at(0), { target, status: 'shipped' })
    expect(early).toMatchObject({ changed: 0, emailed: 0 })
    expect(await setOrderStatuses(at(0), { ids: target.ids, status: 'shipped' })).toEqual([
      { id: order.id, error: early.refused[0]?.message, changeId: null, isChanged: false },
    ])
    await markCleared(db, order.id)
    const ship = async (from: number): Promise<string> => {
      const [result] = await setOrderStatuses(at(from), { ids: [order.id], status: 'shipped' })
      return result?.changeId ?? ''
    }
    const claim = (now: Date) => claimMails(db, { now, leaseEnds: seconds(900), limit: 10 })
    await claim(testDay)
    const cleared = await db.selectFrom('fills').selectAll().execute()
    const before = await listMilestoneMails(db)
    expect(await previewStatusChange(at(0), { target, status: 'shipped' })).toMatchObject({
      changed: 1,
      emailed: 1,
      undoable: 1,
      refused: [],
    })

    // The email waits, and the undo withdraws it. Two at once, and one more, undo once.
    const changeId = await ship(1)
    expect(await listMilestoneMails(db)).toHaveLength(before.length + 1)
    expect(await claim(seconds(11))).toEqual([])
    expect(await getAdminOrder(at(11), order.id)).toMatchObject({ undo: { changeId, status: 'shipped' } })
    await Promise.all([1, 2].map(() => undoStatusChange(at(12), { id: order.id, changeId })))
    await undoStatusChange(at(60), { id: order.id, changeId })
    expect(await listMilestoneMails(db)).toEqual(before)
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
      {
        id: order.id,
        error: expect.stringContaining('the email has already been sent'),
        changeId: null,
        isChanged: false,
      },
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
    // Of a change that one order refuses, the others are undone, and each undo says what it did.
    const [fine, waiting] = [await placeOrder(db, id), await placeRxOrder(db, await makeUser(db))]
    const mixed = [fine.id, waiting.order.id]
    await claim(seconds(180))
    const partly = await setOrderStatuses(at(180), { ids: mixed, status: 'shipped' })
    expect(partly).toEqual([
      { id: fine.id, error: null, changeId: expect.any(String), isChanged: true },
      {
        id: waiting.order.id,
        error: expect.stringContaining('pharmacist'),
        changeId: null,
        isChanged: false,
      },
    ])
    const undoes = partly.map(({ id, changeId }) => ({ id, changeId: changeId ?? newId() }))
    expect(await undoStatusChanges(at(185), undoes)).toEqual([
      { id: fine.id, error: null, changeId: null, isChanged: true },
      { id: waiting.order.id, error: expect.any(String), changeId: null, isChanged: false },
    ])
    expect(await getOrder(at(185), fine.id)).toMatchObject({ status: 'processing' })
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
    expect(cancelled).toEqual({ id: second.id, error: null, changeId: null, isChanged: true })
    const [again] = await setOrderStatuses(at(203), { ids: [second.id], status: 'cancelled' })
    expect(again).toEqual({ id: second.id, error: null, changeId: null, isChanged: false })
    // Nothing holds these: that the order was received, and that it was cancelled.
    expect(await claim(seconds(203))).toHaveLength(2)
  })

  test.each(['reopened', 'returned'])(
    'an undo does not ship a line again that was %s since',
    async (change) => {
      const db = await openDb()
      const { pharmacist, order } = await openCase(db)
      await clearOrder(db, order.id)
      await runMoneyJobs(pharmacist)
      const ctx = asAdmin(db, await makeUser(db, { isAdmin: true }))
      await setOrderStatus(ctx, order.id, { status: 'shipped' })
      const moveBack = async (): Promise<string> =>
        (await setOrderStatuses(ctx, { ids: [order.id], status: 'processing' }))[0]?.changeId ?? ''
      await undoStatusChange(ctx, { id: order.id, changeId: await moveBack() })
      expect((await getOrder(ctx, order.id)).status).toBe('shipped')

      const changeId = await moveBack()
      const { id: lineId, version } = lineOf(await getCase(pharmacist, order.id))
      if (change === 'reopened') await reopenLine(pharmacist, { lineId, version })
      else await didNotLeave(pharmacist, { lineId, version, reason: 'Found on the shelf' })
      await expect(undoStatusChange(ctx, { id: order.id, changeId })).rejects.toEqual(
        error('CONFLICT', /can’t be shipped: .* waits for a pharmacist/),
      )
      expect((await getOrder(ctx, order.id)).status).toBe('processing')
    },
  )
})
