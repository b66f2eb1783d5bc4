import type { Db } from '#db/engine/client.ts'
import type { OrderLine } from '#domain/orders/orders.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import { processRefunds } from '#server/checkout/process-refunds.ts'
import { unsealMail } from '#server/mail/sealed-mail.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { getOrderDetails } from '#server/orders/get-order.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { refundOrder } from '#server/orders/refund-order.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { setOrderStatuses } from '#server/orders/set-order-statuses.ts'
import type { Context } from '#server/context.ts'
import { previewStatusChange } from '#server/reviews/preview-status-change.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { jobParts, signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { expect, test } from 'vitest'

const error = (code: string, message = /./) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

const keys = ['1', '2', '3'].map((n) => `019a7c1e-0000-4000-8000-00000000000${n}`)
const [first = '', second = '', third = ''] = keys

/** An order of three tracked units at $5 and two untracked ones at $7, and an admin. */
async function makeOrder(db: Db) {
  const [id, adminId] = [await makeUser(db), await makeUser(db, { isAdmin: true })]
  const tracked = await addVariant(db, { stockQuantity: 10, priceCents: 500 })
  const untracked = await addVariant(db, { stockQuantity: 0, trackInventory: false, priceCents: 700 })
  const order = await placeOrder(db, id, {
    items: [
      { productVariantId: tracked, quantity: 3 },
      { productVariantId: untracked, quantity: 2 },
    ],
  })
  const lineOf = (variantId: string): OrderLine => {
    const line = order.items.find(({ productVariantId }) => productVariantId === variantId)
    if (!line) throw new Error('The order has this line.')
    return line
  }
  const ctx = testContext(db, { user: signedIn(adminId, { isAdmin: true }) })
  const refund = (key: string, lines: readonly [line: OrderLine, quantity: number, restock: boolean][]) =>
    refundOrder(ctx, {
      id: order.id,
      key,
      lines: lines.map(([{ id: lineId }, quantity, restock]) => ({ lineId, quantity, restock })),
    })
  return { ctx, order, refund, tracked, three: lineOf(tracked), two: lineOf(untracked) }
}

const stockOf = async (db: Db, id: string): Promise<number> =>
  (
    await db
      .selectFrom('productVariants')
      .select('stockQuantity')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).stockQuantity

const refundedAmounts = async (db: Db): Promise<number[]> =>
  (await db.selectFrom('demoRefunds').select('amountCents').orderBy('id').execute()).map(
    ({ amountCents }) => amountCents,
  )

const processDue = (ctx: Context): Promise<void> =>
  processRefunds(
    { db: ctx.db, log: ctx.log, keys: testKeys, now: () => new Date(ctx.now.getTime() + 1000) },
    jobParts(ctx.db),
    new AbortController().signal,
  )

/**
 * The sales and returns findings of `stock:verify` for a variant. Test variants start with stock
 * that has no ledger row, so other findings are ignored.
 */
async function findingsOf(db: Db, variantId: string): Promise<string[]> {
  const messages: string[] = []
  await verifyStock({ db, keys: testKeys }, (sentence) => void messages.push(sentence))
  return messages.filter((sentence) => sentence.includes(variantId) && /\d returned|\d sold/.test(sentence))
}

eachEngine((_engine, openDb) => {
  test('lines are refunded in part, each once, and restocked where requested', async () => {
    const db = await openDb()
    const { ctx, order, refund, tracked, three, two } = await makeOrder(db)
    await setOrderStatus(ctx, order.id, { status: 'delivered' })
    await refund(first, [
      [three, 1, true],
      [two, 1, true],
    ])
    await refund(first, [
      [two, 1, true],
      [three, 1, true],
    ])
    expect(await stockOf(db, tracked)).toBe(8)
    await refund(second, [[three, 1, false]])
    expect(await stockOf(db, tracked)).toBe(8)
    expect(await getAdminOrder(ctx, order.id)).toMatchObject({
      total: '29.00',
      refundTotal: '17.00',
      leftToRefund: '12.00',
      status: 'delivered',
      items: expect.arrayContaining([
        expect.objectContaining({ id: three.id, refunded: 2, restocked: 1 }),
        expect.objectContaining({ id: two.id, refunded: 1, restocked: 0 }),
      ]) as unknown,
    })
    await processDue(ctx)
    await processDue(ctx)
    expect(await refundedAmounts(db)).toEqual([1200, 500])
    expect(await findingsOf(db, tracked)).toEqual([])
    expect((await getAdminOrder(ctx, order.id)).refunds.every(({ doneAt }) => doneAt !== null)).toBe(true)
  })

  test('a key used for a refund is rejected for another one, even if only restocking differs', async () => {
    const db = await openDb()
    const { ctx, order, refund, tracked, three, two } = await makeOrder(db)
    const another = error('CONFLICT', /started another refund/i)
    const refundBoth = (stockOfThree: boolean, stockOfTwo: boolean) =>
      refund(first, [
        [three, 1, stockOfThree],
        [two, 1, stockOfTwo],
      ])
    await refundBoth(true, false)
    await expect(refundBoth(false, false)).rejects.toEqual(another)
    await expect(refundBoth(true, true)).rejects.toEqual(another)
    await refundBoth(true, false)
    // Refund lines stored before the restock choice was recorded have null there.
    await db.updateTable('refundLines').set({ restock: null }).execute()
    await refundBoth(false, false)
    expect(await stockOf(db, tracked)).toBe(8)
    expect((await getAdminOrder(ctx, order.id)).refundTotal).toBe('12.00')
  })

  test('a refund never exceeds the bought units and rejects lines of other orders', async () => {
    const db = await openDb()
    const { ctx, order, refund, three, two } = await makeOrder(db)
    await refund(first, [[three, 2, false]])
    await expect(refund(second, [[three, 2, false]])).rejects.toEqual(error('CONFLICT', /Only 1 of/))
    await expect(refund(second, [[{ ...two, id: order.id }, 1, false]])).rejects.toEqual(error('INVALID'))
    await expect(refund(second, [])).rejects.toEqual(error('INVALID'))
    const twice = [two, 1, false] as const
    await expect(refund(second, [[...twice], [...twice]])).rejects.toEqual(error('INVALID'))
    await expect(
      refundOrder({ ...ctx, user: signedIn(order.userId ?? '') }, { id: order.id, key: third, lines: [] }),
    ).rejects.toEqual(error('FORBIDDEN'))
    expect((await getAdminOrder(ctx, order.id)).refundTotal).toBe('10.00')
  })

  test('a key used for other lines or quantities is rejected', async () => {
    const db = await openDb()
    const { ctx, order, refund, three, two } = await makeOrder(db)
    await refund(first, [[three, 1, true]])
    const others = error('CONFLICT', /started another refund/i)
    await expect(refund(first, [[three, 2, true]])).rejects.toEqual(others)
    await expect(refund(first, [[two, 1, true]])).rejects.toEqual(others)
    expect((await getAdminOrder(ctx, order.id)).refundTotal).toBe('5.00')
  })

  test('concurrent refunds never exceed the payment', async () => {
    const db = await openDb()
    const { ctx, order, refund, tracked, three, two } = await makeOrder(db)
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 4 }, () => refund(first, [[three, 1, true]])),
      refund(second, [
        [three, 2, true],
        [two, 2, false],
      ]),
      refund(third, [[three, 3, true]]),
      setOrderStatus(ctx, order.id, { status: 'cancelled' }),
    ])
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
    await setOrderStatus(ctx, order.id, { status: 'cancelled' })
    await processDue(ctx)
    expect((await refundedAmounts(db)).reduce((sum, cents) => sum + cents, 0)).toBe(2900)
    expect(await stockOf(db, tracked)).toBe(10)
    expect(await findingsOf(db, tracked)).toEqual([])
  })

  test('cancelling does not refund or restock again what was refunded before', async () => {
    const db = await openDb()
    const { ctx, order, refund, tracked, three } = await makeOrder(db)
    await refund(first, [[three, 1, true]])
    await refund(second, [[three, 1, false]])
    expect(await previewStatusChange(ctx, { target: { ids: [order.id] }, status: 'cancelled' })).toEqual({
      ids: [order.id],
      changed: 1,
      emailed: 1,
      undoable: 0,
      refused: [],
      warnings: [],
      cancelled: 1,
      refund: '19.00',
      voided: 0,
      restocked: 1,
    })
    expect(
      await db
        .selectFrom('auditLog')
        .select('subjectId')
        .where('actorId', '=', ctx.user?.id ?? '')
        .where('action', '=', 'orders.read')
        .execute(),
    ).toEqual([{ subjectId: order.userId }])
    expect(await setOrderStatuses(ctx, { ids: [order.id], status: 'cancelled' })).toEqual([
      { id: order.id, error: null, changeId: null, isChanged: true },
    ])
    expect(await stockOf(db, tracked)).toBe(9)
    expect(await getAdminOrder(ctx, order.id)).toMatchObject({
      leftToRefund: '0.00',
      isCancelledBeforeShipment: true,
    })
    await expect(refund(third, [[three, 1, true]])).rejects.toEqual(error('CONFLICT'))
    await processDue(ctx)
    expect((await refundedAmounts(db)).toSorted((a, b) => a - b)).toEqual([500, 500, 1900])
    expect(await findingsOf(db, tracked)).toEqual([])
  })

  test('cancelling after a partial refund names one amount: preview, page, reply, email and refund', async () => {
    const db = await openDb()
    const { ctx, order, refund, three, two } = await makeOrder(db)
    await refund(first, [
      [three, 1, true],
      [two, 2, false],
    ])
    await processDue(ctx)
    const customer = testContext(db, { user: signedIn(order.userId ?? '') })
    const preview = await previewStatusChange(ctx, { target: { ids: [order.id] }, status: 'cancelled' })
    expect(preview).toMatchObject({ refund: '10.00', restocked: 2 })
    expect((await getOrderDetails(customer, order.id)).cancellation).toMatchObject({
      refundCents: 1000,
      restockedUnits: 2,
    })
    expect((await getAdminOrder(ctx, order.id)).leftToRefund).toBe('10.00')
    for (let i = 0; i < 2; i++) {
      expect((await cancelOrder(customer, order.id)).refundCents).toBe(1000)
    }
    expect((await getOrderDetails(customer, order.id)).cancellation).toBeNull()
    const rows = await db.selectFrom('outbox').select(['id', 'sealedMail']).orderBy('id').execute()
    const mails = rows.map(({ id, sealedMail }) => unsealMail(testKeys, id, sealedMail ?? ''))
    const amounts = mails.flatMap((mail) =>
      'template' in mail && mail.template === 'order-update' && mail.props.milestone === 'cancelled'
        ? [mail.props.amount]
        : [],
    )
    expect(amounts).toEqual(['$10.00'])
    await processDue(ctx)
    expect(await refundedAmounts(db)).toEqual([1900, 1000])
  })

  test('a permanently failed refund can be made again and restocks once', async () => {
    const db = await openDb()
    const { ctx, order, refund, tracked, three } = await makeOrder(db)
    await refund(first, [[three, 2, true]])
    await db.updateTable('refunds').set({ failedAt: ctx.now, dueAt: null }).execute()
    expect((await getAdminOrder(ctx, order.id)).leftToRefund).toBe('29.00')
    await refund(second, [[three, 3, true]])
    expect(await stockOf(db, tracked)).toBe(10)
    expect((await getAdminOrder(ctx, order.id)).refundTotal).toBe('15.00')
    expect(await findingsOf(db, tracked)).toEqual([])
  })

  test('a failed refund of some units that is made again restocks those units once', async () => {
    const db = await openDb()
    const { ctx, order, refund, tracked, three } = await makeOrder(db)
    const fail = () =>
      db
        .updateTable('refunds')
        .set({ failedAt: ctx.now, dueAt: null })
        .where('failedAt', 'is', null)
        .execute()
    await refund(first, [[three, 1, true]])
    await fail()
    await refund(second, [[three, 1, true]])
    await fail()
    await refund(third, [[three, 1, true]])
    expect(await stockOf(db, tracked)).toBe(8)
    expect(await findingsOf(db, tracked)).toEqual([])
    // The other units return when the order is cancelled.
    await setOrderStatus(ctx, order.id, { status: 'cancelled' })
    expect([await stockOf(db, tracked), await findingsOf(db, tracked)]).toEqual([10, []])
  })

  test('concurrent bulk cancellations refund and restock each unit once while others buy', async () => {
    const db = await openDb()
    const { ctx } = await makeOrder(db)
    const buyer = await makeUser(db)
    const variants = [
      await addVariant(db, { stockQuantity: 90, priceCents: 300 }),
      await addVariant(db, { stockQuantity: 90, priceCents: 400 }),
    ]
    const items = variants.map((productVariantId) => ({ productVariantId, quantity: 2 }))
    const ids: string[] = []
    for (let i = 0; i < 25; i++) ids.push((await placeOrder(db, buyer, { items })).id)
    const cancelAll = (ids: string[]) => setOrderStatuses(ctx, { ids, status: 'cancelled' })
    const [bought, ...results] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, async () => placeOrder(db, await makeUser(db), { items }))),
      cancelAll(ids),
      cancelAll(ids.toReversed()),
    ])
    const isDone = (id: string) => ({ id, error: null, changeId: null })
    expect(results).toMatchObject([ids.map(isDone), ids.toReversed().map(isDone)])
    // Each order was changed by one of the two, and had the status already for the other.
    const changed = results.flat().flatMap(({ id, isChanged }) => (isChanged ? [id] : []))
    expect(changed.toSorted()).toEqual(ids.toSorted())
    for (const variantId of variants) {
      expect(await stockOf(db, variantId)).toBe(90 - 2 * bought.length)
      expect(await findingsOf(db, variantId)).toEqual([])
    }
    await processDue(ctx)
    expect(await refundedAmounts(db)).toEqual(ids.map(() => 1400))
  })

  test('a bulk status change returns a result per order, even when one fails', async () => {
    const db = await openDb()
    const { ctx, order } = await makeOrder(db)
    const broken = await placeOrder(db, order.userId ?? '')
    const last = await placeOrder(db, order.userId ?? '')
    await db.updateTable('orders').set({ sealedOrder: 'v1.x' }).where('id', '=', broken.id).execute()
    const ids = [order.id, broken.id, last.id]
    expect(await setOrderStatuses(ctx, { ids, status: 'shipped' })).toEqual([
      { id: order.id, error: null, changeId: expect.any(String), isChanged: true },
      { id: broken.id, error: 'Something went wrong on our end.', changeId: null, isChanged: false },
      { id: last.id, error: null, changeId: expect.any(String), isChanged: true },
    ])
    const rows = await db.selectFrom('orders').select(['id', 'status']).execute()
    expect(Object.fromEntries(rows.map(({ id, status }) => [id, status]))).toEqual({
      [order.id]: 'shipped',
      [broken.id]: 'processing',
      [last.id]: 'shipped',
    })
  })
})
