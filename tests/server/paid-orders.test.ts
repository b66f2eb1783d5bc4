import { orderQuerySchema } from '#domain/orders/admin-orders.ts'
import { listAdminOrders } from '#server/orders/list-admin-orders.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { capture, placeHeldOrder } from '#tests/support/payment-holds.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('the filter “Processing and paid” leaves out what is in review, set aside or shipped', async () => {
    const db = await openDb()
    const admin = testContext(db, {
      user: signedIn(await makeUser(db, { isAdmin: true }), { isAdmin: true }),
    })
    const customer = await makeUser(db)
    const held = await placeHeldOrder(db)
    const [paid, setAside, shipped] = [
      await placeOrder(db, customer),
      await placeOrder(db, customer),
      await placeOrder(db, customer),
    ]
    await setOrderStatus(admin, setAside.id, { status: 'pending' })
    await setOrderStatus(admin, shipped.id, { status: 'shipped' })
    const list = async (status: string) => {
      const page = await listAdminOrders(admin, orderQuerySchema.parse({ status }))
      return { ids: page.rows.map(({ id }) => id), total: page.total }
    }
    expect(await list('paid')).toEqual({ ids: [paid.id], total: 1 })
    expect((await list('processing')).ids).toEqual([paid.id, held.order.id])
    await capture(db, held.order.id, held.ctx)
    expect((await list('paid')).ids).toEqual([paid.id, held.order.id])
  })
})
