import { seedDemo } from '#db/seed/demo.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import { seedOrders } from '#server/demo/seed-orders.ts'
import { listAdminOrders } from '#server/orders/list-admin-orders.ts'
import { orderQuerySchema } from '#domain/orders/admin-orders.ts'
import { orderStatuses } from '#domain/orders/order-status.ts'
import { signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { ledgerOf } from '#tests/support/ledger.ts'
import { expect, onTestFinished, test, vi } from 'vitest'

eachEngine((_engine, openDb) => {
  test('seeded orders are consistent in stock and money, and send no email', async () => {
    const db = await openDb()
    await seedDemo(db)
    const ctx = testContext(db, { now: new Date() })
    expect(await seedOrders(ctx, 60)).toBe('seeded 60 orders of 15 customers')
    const messages: string[] = []
    const { findings } = await verifyStock({ db, keys: testKeys }, (sentence) => void messages.push(sentence))
    expect([findings, messages]).toEqual([0, []])
    expect(await db.selectFrom('outbox').select('id').execute()).toEqual([])
    expect(await db.selectFrom('refunds').select('id').where('doneAt', 'is', null).execute()).toEqual([])
    const open = await db.selectFrom('checkouts').select('id').where('status', '<>', 'ordered').execute()
    expect(open).toEqual([])
    const cancelled = await db.selectFrom('orders').selectAll().where('status', '=', 'cancelled').execute()
    for (const { totalCents, refundedCents } of cancelled) expect(refundedCents).toBe(totalCents)

    const user = signedIn(await makeUser(db, { isAdmin: true }), { isAdmin: true })
    const query = { ...orderQuerySchema.parse({ q: 'customer.example' }), size: 50 }
    const page = await listAdminOrders({ ...ctx, user }, query)
    expect(page.total).toBe(60)
    expect(new Set(page.rows.map(({ createdAt }) => createdAt.slice(0, 10))).size).toBeGreaterThan(30)
    const dates = page.rows.map(({ createdAt }) => createdAt)
    expect(dates).toEqual(dates.toSorted().toReversed())

    for (const status of [undefined, ...orderStatuses]) {
      const all = orderQuerySchema.parse({ status, size: 500 })
      const { rows, total } = await listAdminOrders({ ...ctx, user }, all)
      expect(total, status).toBe(rows.length)
    }
  })

  test('seeded cancellations are refunded at once, and nothing is dated in the future', async () => {
    const db = await openDb()
    await seedDemo(db)
    const ctx = testContext(db, { now: new Date() })
    const alwaysCancel = vi.spyOn(Math, 'random').mockReturnValue(0.03)
    onTestFinished(() => alwaysCancel.mockRestore())
    await seedOrders(ctx, 60)
    const orders = await db.selectFrom('orders').selectAll().orderBy('createdAt', 'desc').execute()
    const seeded = orders.filter(({ status }) => status === 'cancelled')
    expect(seeded.length).toBeGreaterThan(50)
    for (const { totalCents, refundedCents } of seeded) expect(refundedCents).toBe(totalCents)
    expect(await db.selectFrom('refunds').select('id').where('doneAt', 'is', null).execute()).toEqual([])
    const transactions = await ledgerOf(db, null)
    expect(transactions.length).toBeGreaterThan(orders.length)
    for (const { createdAt } of [...orders, ...transactions])
      expect(createdAt.getTime()).toBeLessThanOrEqual(Date.now())
  })
})
