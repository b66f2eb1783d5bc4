import { hasUnitsToCount } from '#db/catalog/product-summaries.ts'
import { orderQuerySchema } from '#domain/orders/admin-orders.ts'
import { getDashboard } from '#server/dashboard/get-dashboard.ts'
import { countUnitsSold } from '#server/inventory/count-units-sold.ts'
import { listAdminOrders } from '#server/orders/list-admin-orders.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { openCase } from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

// As after a damaged page of the disk, or a key that was lost.
eachEngine((_engine, openDb) => {
  test('an order or a prescription that cannot be decrypted does not hide the other orders', async () => {
    const db = await openDb()
    const { order: onPrescription } = await openCase(db)
    await db.updateTable('prescriptions').set({ sealedDetails: 'broken' }).execute()
    const userId = await makeUser(db)
    const damaged = await placeOrder(db, userId)
    const whole = await placeOrder(db, userId)
    await db.updateTable('orders').set({ sealedOrder: 'broken' }).where('id', '=', damaged.id).execute()
    const admin = asAdmin(db)
    const { rows } = await listAdminOrders(admin, orderQuerySchema.parse({}))
    expect(rows).toMatchObject([
      { id: whole.id, customerName: '', itemCount: 2, total: '10.00' },
      {
        id: damaged.id,
        customerName: 'This order can’t be read',
        customerEmail: '',
        itemCount: 0,
        total: '10.00',
        captured: '10.00',
      },
      { id: onPrescription.id, prescription: 'missing' },
    ])
    const { recentOrders } = await getDashboard(admin, 30)
    expect(recentOrders?.map(({ id }) => id)).toEqual([whole.id, onPrescription.id])
  })

  test('units that cannot be decrypted do not keep others from being counted', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    const productId = await addProduct(db)
    const productVariantId = await addVariant(db, { productId, stockQuantity: 9 })
    await placeOrder(db, userId, { items: [{ productVariantId, quantity: 2 }] })
    await db.updateTable('unitsToCount').set({ sealedUnits: 'broken' }).execute()
    await placeOrder(db, userId, { items: [{ productVariantId, quantity: 3 }] })
    await countUnitsSold(testContext(db))
    expect(await db.selectFrom('products').select('unitsSold').execute()).toEqual([{ unitsSold: 3 }])
    expect(await hasUnitsToCount(db)).toBe(false)
  })
})
