import type { Db } from '#db/engine/client.ts'
import { listLineReviews } from '#db/dispensing/line-reviews.ts'
import { lockOrder } from '#db/orders/orders.ts'
import { countUrgentHolds, findOrderHold } from '#db/orders/payment-holds.ts'
import { AppError } from '#domain/errors.ts'
import { handlePaymentEvent } from '#server/checkout/handle-payment-event.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { reopenLine } from '#server/reviews/reopen-line.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { sumOrders } from '#db/orders/order-sums.ts'
import { demoPayments } from '#server/integrations/payments/demo-payments.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { unsealMail } from '#server/mail/sealed-mail.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { getOrder, getOrderDetails } from '#server/orders/get-order.ts'
import { listAdminOrders } from '#server/orders/list-admin-orders.ts'
import { refundOrder } from '#server/orders/refund-order.ts'
import { refuseLines } from '#server/orders/refuse-lines.ts'
import { requestCapture } from '#server/orders/request-capture.ts'
import { reorder } from '#server/orders/reorder.ts'
import { retryCapture } from '#server/orders/retry-capture.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { orderQuerySchema } from '#domain/orders/admin-orders.ts'
import { newId } from '#domain/ids.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { markCleared } from '#tests/support/dispensing.ts'
import { ledgerOf } from '#tests/support/ledger.ts'
import { capture, placeHeldOrder, runMoneyJobs } from '#tests/support/payment-holds.ts'
import { addPharmacist, clearOrder } from '#tests/support/pharmacist.ts'
import { lineOf } from '#tests/support/review-cases.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'

const hours = (count: number): Date => new Date(testDay.getTime() + count * 3600_000)

/** The emailed milestones, oldest first. */
async function milestones(db: Db): Promise<unknown[]> {
  const rows = await db.selectFrom('outbox').select(['id', 'sealedMail']).orderBy('id').execute()
  return rows.map(({ id, sealedMail }) => {
    const mail = unsealMail(testKeys, id, sealedMail ?? '')
    return 'props' in mail && 'milestone' in mail.props ? mail.props.milestone : null
  })
}

const asAdmin = async (ctx: Context): Promise<Context> => ({
  ...ctx,
  user: signedIn(await makeUser(ctx.db, { isAdmin: true }), { isAdmin: true, factorVerifiedAt: ctx.now }),
})

const paymentOf = (ctx: Context, id: string) => demoPayments(ctx.db, () => ctx.now).findPayment(id)

/** The same shop with a provider that refuses every capture; the payment stays authorized. */
const refuseCaptures = (ctx: Context, onCapture: (key: string) => unknown = () => undefined): Context => ({
  ...ctx,
  payments: {
    ...ctx.payments,
    capturePayment: async ({ key, paymentId }) => {
      await onCapture(key)
      const payment = await ctx.payments.findPayment(paymentId)
      if (!payment) throw new Error('no payment')
      return { status: 'refused', payment }
    },
  },
})

/** Refuses lines as a pharmacist's decision does: on the row as it is now. */
const refuse = (ctx: Context, orderId: string, lineIds: string[], options?: { isLate?: boolean }) =>
  inTransaction(ctx, async (ctx) => {
    const row = await lockOrder(ctx.db, orderId)
    if (!row || row.userId === null) throw new Error('no such order')
    const refusals = lineIds.map((lineId) => ({ lineId, reason: 'Not covered' }))
    return refuseLines(ctx, { ...row, userId: row.userId }, refusals, options)
  })

async function stockFindings(db: Db): Promise<string[]> {
  const findings: string[] = []
  await verifyStock({ db, keys: testKeys }, (finding) => findings.push(finding))
  // Test variants start with stock that no ledger row has.
  return findings.filter((finding) => !finding.includes('ledger breaks') && !finding.includes('ledger ends'))
}

eachEngine((engine, openDb) => {
  test('a prescription order is authorized, and charged once when it is cleared, however many callers ask', async () => {
    const db = await openDb()
    const { ctx, order } = await placeHeldOrder(db)
    expect(order).toMatchObject({ status: 'processing', totalCents: 2500, capturedCents: 0 })
    expect(await findOrderHold(db, order.id)).toMatchObject({ status: 'authorized', authorizedCents: 2500 })
    const admin = await asAdmin(ctx)
    await expect(setOrderStatus(admin, order.id, { status: 'shipped' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await markCleared(db, order.id, testDay, { captures: false })
    await expect(setOrderStatus(admin, order.id, { status: 'shipped' })).rejects.toMatchObject({
      message: 'This order can’t be shipped: its payment is authorized, but not captured yet.',
    })
    await expect(
      refundOrder(admin, {
        id: order.id,
        key: newId(),
        lines: [{ lineId: order.items[0]?.id ?? '', quantity: 1, restock: true }],
      }),
    ).rejects.toMatchObject({
      message: 'The card was not charged for this order yet. Cancel the order instead.',
    })
    const decisions = await Promise.all(Array.from({ length: 5 }, () => requestCapture(ctx, order.id)))
    expect(decisions.filter(Boolean)).toHaveLength(1)
    await Promise.all([runMoneyJobs(ctx), runMoneyJobs(ctx), runMoneyJobs(ctx)])
    expect(await paymentOf(ctx, order.stripePaymentId)).toMatchObject({
      status: 'succeeded',
      capturedCents: 2500,
    })
    expect(await getOrder(ctx, order.id)).toMatchObject({ capturedCents: 2500 })
    expect(await setOrderStatus(admin, order.id, { status: 'shipped' })).toMatchObject({ status: 'shipped' })
    expect(await milestones(db)).toEqual(['authorized', 'charged', 'shipped'])
  })

  test('refused lines are never charged, and every screen says the same', async () => {
    const db = await openDb()
    const { ctx, order, rx, rxLine } = await placeHeldOrder(db)
    const first = await refuse(ctx, order.id, [rxLine.id])
    expect(first).toMatchObject({ totalCents: 500, status: 'processing' })
    expect(await refuse(ctx, order.id, [rxLine.id])).toMatchObject({ totalCents: 500 })
    await expect(refuse(ctx, order.id, ['another'])).rejects.toMatchObject({ code: 'INVALID' })
    await capture(db, order.id, ctx)
    expect(await paymentOf(ctx, order.stripePaymentId)).toMatchObject({
      capturedCents: 500,
      refundedCents: 0,
    })
    const expected = { totalCents: 500, capturedCents: 500, refundedCents: 0 }
    const details = await getOrderDetails(ctx, order.id)
    expect(details.order).toMatchObject({
      ...expected,
      items: [{ product: { category: 'OTC' } }],
      refusedItems: [{ id: rxLine.id, reason: 'Not covered', quantity: 2 }],
    })
    expect(details.payment).toMatchObject({ state: 'charged', authorizedCents: 2500, capturedCents: 500 })
    const admin = await asAdmin(ctx)
    expect(await getAdminOrder(admin, order.id)).toMatchObject({
      total: '5.00',
      payment: { state: 'charged', authorized: '25.00', captured: '5.00' },
      leftToRefund: '5.00',
      items: [{ refunded: 0 }],
      refusedItems: [{ id: rxLine.id, price: '10.00', reason: 'Not covered' }],
    })
    const { rows } = await listAdminOrders(admin, orderQuerySchema.parse({}))
    expect(rows).toMatchObject([{ total: '5.00', captured: '5.00', payment: 'charged', itemCount: 1 }])
    expect(await sumOrders(db)).toMatchObject({ cents: 500 })
    expect(await ledgerOf(db, rx)).toMatchObject([
      { transactionType: 'sale', quantityChange: -2 },
      { transactionType: 'cancellation', quantityChange: 2 },
    ])
    expect(await stockFindings(db)).toEqual([])
    expect(await reorder(ctx, order.id, 'refused')).toMatchObject({ inCart: [rxLine.product.name] })
    // Cancelling afterwards refunds and restocks the rest only.
    expect(await cancelOrder(ctx, order.id)).toMatchObject({ refundCents: 500, card: 'refunds' })
    await runMoneyJobs(ctx)
    expect(await paymentOf(ctx, order.stripePaymentId)).toMatchObject({ refundedCents: 500 })
    expect(await stockFindings(db)).toEqual([])
    expect(await milestones(db)).toEqual(['authorized', 'reduced', 'charged', 'cancelled', 'refunded'])
  })

  test('when no line remains the order is cancelled, its total stays and nothing is charged', async () => {
    const db = await openDb()
    const { ctx, order, rxLine, otcLine } = await placeHeldOrder(db)
    await refuse(ctx, order.id, [rxLine.id])
    await refuse(ctx, order.id, [otcLine.id])
    expect(await requestCapture(ctx, order.id)).toBe(false)
    await runMoneyJobs(ctx)
    expect(await getOrder(ctx, order.id)).toMatchObject({
      status: 'cancelled',
      totalCents: 2500,
      capturedCents: 0,
      items: [],
    })
    expect(await findOrderHold(db, order.id)).toMatchObject({ status: 'voided', dueAt: null })
    expect(await paymentOf(ctx, order.stripePaymentId)).toMatchObject({ status: 'canceled' })
    expect(await sumOrders(db)).toMatchObject({ cents: 0 })
    expect(await stockFindings(db)).toEqual([])
    expect(await milestones(db)).toEqual(['authorized', 'reduced', 'voided'])
  })

  test('cancelling before the capture voids, and during the capture refunds whatever was charged', async () => {
    const db = await openDb()
    const before = await placeHeldOrder(db)
    expect(await cancelOrder(before.ctx, before.order.id)).toMatchObject({ refundCents: 0, card: 'voids' })
    await runMoneyJobs(before.ctx)
    expect(await paymentOf(before.ctx, before.order.stripePaymentId)).toMatchObject({ status: 'canceled' })

    // The provider charges, but its answer is lost, and the customer cancels.
    const { ctx, order, rxLine } = await placeHeldOrder(db)
    const { capturePayment } = ctx.payments
    const lost = async (request: Parameters<typeof capturePayment>[0]) => {
      await capturePayment(request)
      throw new AppError('UNAVAILABLE')
    }
    await requestCapture(ctx, order.id)
    await expect(refuse(ctx, order.id, [rxLine.id])).rejects.toMatchObject({ code: 'CONFLICT' })
    await runMoneyJobs({ ...ctx, payments: { ...ctx.payments, capturePayment: lost } })
    expect(await cancelOrder(ctx, order.id)).toMatchObject({ refundCents: 0, card: 'waits' })
    for (const at of [1, 2]) await runMoneyJobs(ctx, hours(at))
    expect(await paymentOf(ctx, order.stripePaymentId)).toMatchObject({ refundedCents: 2500 })
    expect(await getOrder(ctx, order.id)).toMatchObject({
      status: 'cancelled',
      capturedCents: 2500,
      refundedCents: 2500,
    })

    // The provider is away before it charges: the job then voids.
    const third = await placeHeldOrder(db)
    const away = async () => Promise.reject(new AppError('UNAVAILABLE'))
    await requestCapture(third.ctx, third.order.id)
    await runMoneyJobs({ ...third.ctx, payments: { ...third.ctx.payments, capturePayment: away } })
    await cancelOrder(third.ctx, third.order.id)
    for (const at of [1, 2]) await runMoneyJobs(third.ctx, hours(at))
    expect(await paymentOf(third.ctx, third.order.stripePaymentId)).toMatchObject({ status: 'canceled' })
    expect(await stockFindings(db)).toEqual([])
  })

  test('a capture whose answer is lost keeps its amount and key, and is recorded once', async () => {
    const db = await openDb()
    const { ctx, order } = await placeHeldOrder(db)
    const { capturePayment } = ctx.payments
    const seen: string[] = []
    const flaky = async (request: Parameters<typeof capturePayment>[0]) => {
      seen.push(`${request.key} ${request.amountCents}`)
      if (seen.length === 3) await capturePayment(request)
      throw new AppError('UNAVAILABLE')
    }
    await requestCapture(ctx, order.id)
    const failing = { ...ctx, payments: { ...ctx.payments, capturePayment: flaky } }
    for (const at of [0, 1, 2, 3]) await runMoneyJobs(failing, hours(at))
    expect(seen).toHaveLength(3)
    expect(new Set(seen).size).toBe(1)
    expect(await getOrder(ctx, order.id)).toMatchObject({ capturedCents: 2500 })
    expect(await milestones(db)).toEqual(['authorized', 'charged'])
  })

  test('a refused capture goes back to staff, who try again under a new key', async () => {
    const db = await openDb()
    const { ctx, order } = await placeHeldOrder(db)
    const keys: string[] = []
    const refusing = refuseCaptures(ctx, (key) => keys.push(key))
    await markCleared(db, order.id, testDay, { captures: false })
    await requestCapture(ctx, order.id)
    await runMoneyJobs(refusing)
    const admin = await asAdmin(ctx)
    expect(await getAdminOrder(admin, order.id)).toMatchObject({
      status: 'processing',
      payment: { state: 'refused', captured: '0.00', refusedAt: ctx.now.toISOString() },
    })
    expect(await countUrgentHolds(db, { before: ctx.now })).toEqual({ dueSoon: 0, refused: 1 })
    expect(await countUrgentHolds(db, { before: hours(8 * 24) })).toEqual({ dueSoon: 1, refused: 1 })
    await retryCapture(admin, order.id)
    await retryCapture(admin, order.id)
    await runMoneyJobs(refusing)
    expect(new Set(keys).size).toBe(2)
    await retryCapture(admin, order.id)
    await runMoneyJobs(ctx)
    expect(await getOrderDetails(ctx, order.id)).toMatchObject({ payment: { state: 'charged' } })
    await expect(retryCapture(admin, order.id)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('an order that was cancelled during a refused capture is voided', async () => {
    const db = await openDb()
    const { ctx, order } = await placeHeldOrder(db)
    await requestCapture(ctx, order.id)
    await runMoneyJobs(refuseCaptures(ctx, () => cancelOrder(ctx, order.id)))
    expect(await findOrderHold(db, order.id)).toMatchObject({
      status: 'voided',
      refusedAt: null,
      dueAt: null,
    })
    expect(await paymentOf(ctx, order.stripePaymentId)).toMatchObject({ status: 'canceled' })
    expect(await stockFindings(db)).toEqual([])

    // The hourly look voids one that was missed.
    const missed = await placeHeldOrder(db)
    await db.updateTable('orders').set({ status: 'cancelled' }).where('id', '=', missed.order.id).execute()
    for (const at of [1, 2]) await runMoneyJobs(missed.ctx, hours(at))
    expect(await findOrderHold(db, missed.order.id)).toMatchObject({ status: 'voided', dueAt: null })
  })

  test('a refused capture is not tried again while a line is back in the queue', async () => {
    const db = await openDb()
    const { ctx, order } = await placeHeldOrder(db)
    await clearOrder(db, order.id)
    await runMoneyJobs(refuseCaptures(ctx))
    const pharmacist = await addPharmacist(db)
    const { id: lineId, version } = lineOf(await getCase(pharmacist, order.id))
    await reopenLine(pharmacist, { lineId, version })
    await expect(retryCapture(pharmacist, order.id)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'A pharmacist must review this order again before it is charged.',
    })
    expect(await findOrderHold(db, order.id)).toMatchObject({ status: 'authorized', refusedAt: ctx.now })
    // Clearing it again charges the order.
    await clearOrder(db, order.id)
    await runMoneyJobs(ctx)
    expect(await getOrder(ctx, order.id)).toMatchObject({ capturedCents: 2500 })
  })

  test('before an authorization lapses, staff are warned; then undecided lines are removed and the rest is charged', async () => {
    const db = await openDb()
    const { ctx, order, rxLine } = await placeHeldOrder(db)
    const hold = await findOrderHold(db, order.id)
    const lapses = (hold?.captureBefore?.getTime() ?? 0) - testDay.getTime()
    const left = (hoursLeft: number) => new Date(testDay.getTime() + lapses - hoursLeft * 3600_000)
    await runMoneyJobs(ctx, left(60))
    expect(await findOrderHold(db, order.id)).toMatchObject({ status: 'authorized', warnedAt: null })
    await runMoneyJobs(ctx, left(40))
    expect(await findOrderHold(db, order.id)).toMatchObject({ status: 'authorized', warnedAt: left(40) })
    await runMoneyJobs(ctx, left(24))
    await runMoneyJobs(ctx, left(23))
    expect(await getOrder(ctx, order.id)).toMatchObject({
      status: 'processing',
      totalCents: 500,
      capturedCents: 500,
      refusedItems: [{ id: rxLine.id, reason: 'Not decided in time' }],
    })
    expect(await milestones(db)).toEqual(['authorized', 'reduced-late', 'charged'])
    expect(await listLineReviews(db, [order.id])).toMatchObject([{ status: 'refused', decidedBy: null }])
    expect(await stockFindings(db)).toEqual([])

    // A line that was cleared in time stays, also when nothing has asked for the capture.
    const cleared = await placeHeldOrder(db)
    await markCleared(db, cleared.order.id, testDay, { captures: false })
    for (const at of [1, 2]) await runMoneyJobs(cleared.ctx, hours(at))
    expect(await getOrder(cleared.ctx, cleared.order.id)).toMatchObject({
      totalCents: 2500,
      capturedCents: 2500,
    })
  })

  test('before an authorization lapses the order is locked before its reviews, as by a pharmacist', async () => {
    const db = await openDb()
    const { ctx, order, rxLine } = await placeHeldOrder(db)
    const lapses = (await findOrderHold(db, order.id))?.captureBefore?.getTime() ?? 0
    const pharmacist = db.transaction().execute(async (tx) => {
      await lockOrder(tx, order.id)
      // Until the job waits for the order.
      await sleep(400)
      const review = tx.selectFrom('lineReviews').select('lineId').where('orderId', '=', order.id)
      return (engine === 'postgres' ? review.forUpdate().noWait() : review).execute()
    })
    const [locked] = await Promise.all([pharmacist, runMoneyJobs(ctx, new Date(lapses - 23 * 3600_000))])
    expect(locked).toEqual([{ lineId: rxLine.id }])
    expect(await listLineReviews(db, [order.id])).toMatchObject([{ status: 'refused' }])
  })

  test('a line that returns to the queue while the job waits for the order is not charged', async () => {
    const db = await openDb()
    const { ctx, order } = await placeHeldOrder(db)
    await markCleared(db, order.id, testDay, { captures: false })
    let job = Promise.resolve()
    await db.transaction().execute(async (tx) => {
      await lockOrder(tx, order.id)
      job = runMoneyJobs(ctx, hours(1))
      // Until the job has read the lines and waits for the order.
      await sleep(400)
      await tx.updateTable('lineReviews').set({ status: 'waiting' }).execute()
    })
    await job
    expect(await findOrderHold(db, order.id)).toMatchObject({ status: 'authorized', amountCents: null })
    await runMoneyJobs(ctx, hours(3))
    expect(await getOrder(ctx, order.id)).toMatchObject({ capturedCents: 0 })
  })

  test('a lapsed authorization cancels the order and says why, and its webhook comes three times', async () => {
    const db = await openDb()
    const { ctx, order } = await placeHeldOrder(db)
    // Voided in the provider's dashboard.
    await ctx.payments.voidPayment({ paymentId: order.stripePaymentId, key: 'by hand' })
    for (const type of ['payment_intent.canceled', 'charge.expired', 'payment_intent.canceled']) {
      const event = { id: newId(), type, paymentId: order.stripePaymentId, sessionId: null }
      await handlePaymentEvent(testContext(db, { payments: ctx.payments }), event)
    }
    expect(await getOrderDetails(ctx, order.id)).toMatchObject({
      order: { status: 'cancelled', totalCents: 2500, capturedCents: 0 },
      payment: { state: 'lapsed' },
    })
    expect(await milestones(db)).toEqual(['authorized', 'lapsed'])
    expect(await stockFindings(db)).toEqual([])
  })

  test('what was captured outside the shop is recorded, and refused lines are refunded', async () => {
    const db = await openDb()
    const { ctx, order, rxLine } = await placeHeldOrder(db)
    await refuse(ctx, order.id, [rxLine.id])
    await ctx.payments.capturePayment({
      paymentId: order.stripePaymentId,
      amountCents: 2500,
      key: 'by hand',
    })
    // The webhook is lost: the shop looks by itself.
    for (const at of [2, 3]) await runMoneyJobs(ctx, hours(at))
    expect(await getOrder(ctx, order.id)).toMatchObject({
      totalCents: 500,
      capturedCents: 2500,
      refundedCents: 2000,
    })
    expect(await sumOrders(db)).toMatchObject({ cents: 500 })
  })

  test('an account that is deleted before the charge is not charged', async () => {
    const db = await openDb()
    const { ctx, order } = await placeHeldOrder(db)
    await deleteUser(ctx, ctx.user?.id ?? '')
    await runMoneyJobs(ctx)
    expect(await paymentOf(ctx, order.stripePaymentId)).toMatchObject({ status: 'canceled' })
    expect(await lockOrder(db, order.id)).toMatchObject({ status: 'cancelled', userId: null })
    expect(await stockFindings(db)).toEqual([])
  })

  test('a charged line that is refused later is refunded', async () => {
    const db = await openDb()
    const { ctx, order, rxLine } = await placeHeldOrder(db)
    await capture(db, order.id, ctx)
    await refuse(ctx, order.id, [rxLine.id])
    await runMoneyJobs(ctx)
    expect(await getOrder(ctx, order.id)).toMatchObject({
      totalCents: 500,
      capturedCents: 2500,
      refundedCents: 2000,
    })
    expect(await stockFindings(db)).toEqual([])
  })
})
