import type { Db } from '#db/engine/client.ts'
import { newId } from '#domain/ids.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { getPackingSlip } from '#server/orders/get-package.ts'
import { refundOrder } from '#server/orders/refund-order.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { listOrderRecalls } from '#server/recalls/list-order-recalls.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { asCustomer } from '#tests/support/checkouts.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { recallReport } from '#tests/support/recall-reports.ts'
import { addPackage, importRecalls } from '#tests/support/recalls.ts'
import { expect, test } from 'vitest'
import { recallFile } from './recall-file-support.ts'

const everyLot = recallFile(
  recallReport('D-0001-2026', '0143-1473-01', { code_info: 'All lots within expiry' }),
)

/** A customer's order of two packs of two lots, and an admin whose request began at some hour. */
async function buyTwo(db: Db) {
  const adminAt = (hours: number) => {
    const ctx = asAdmin(db)
    return { ...ctx, now: new Date(ctx.now.getTime() + hours * 3600_000) }
  }
  const customer = await asCustomer(db)
  const variantId = await addPackage(db, '0143-1473-01', '00143147301')
  for (const [lotNumber, expiryDate] of [
    ['FIRST', '2027-06-30'],
    ['SECOND', '2027-12-31'],
  ] as const) {
    const received = { quantityChange: 1, transactionType: 'purchase', notes: null } as const
    await adjustStock(asAdmin(db), { variantId, ...received, lotNumber, expiryDate })
  }
  const items = [{ productVariantId: variantId, quantity: 2 }]
  const { id, items: lines } = await placeOrder(db, customer.user?.id ?? '', { items })
  const lineId = lines[0]?.id ?? ''
  return {
    id,
    customer,
    adminAt,
    refund: (hours: number, quantity: number) =>
      refundOrder(adminAt(hours), { id, key: newId(), lines: [{ lineId, quantity, restock: false }] }),
    ship: (hours: number) => setOrderStatus(adminAt(hours), id, { status: 'shipped' }),
  }
}

eachEngine((_engine, openDb) => {
  // Requests that wait for the order's row can end in another order than they began.
  test('a refund that began before the shipping but was made after it counts as after it', async () => {
    const db = await openDb()
    const { adminAt, refund, ship } = await buyTwo(db)
    await ship(2)
    await refund(1, 2)
    expect(await importRecalls(adminAt(3), everyLot)).toMatchObject({ customers: 1, orders: 1 })
  })

  test('the customer reads of the recalled lots that were sent, without those refunded before', async () => {
    const db = await openDb()
    const { id, customer, adminAt, refund, ship } = await buyTwo(db)
    await refund(1, 1)
    const packed = await getPackingSlip(adminAt(2), id)
    await ship(2)
    await refund(3, 1)
    expect(await importRecalls(adminAt(4), everyLot)).toMatchObject({ customers: 1 })
    const [recall] = await listOrderRecalls({ ...customer, now: adminAt(4).now }, id)
    expect(recall?.sentLots).toHaveLength(1)
    expect(packed.lines.flatMap(({ lots }) => lots.map(({ lotNumber }) => lotNumber))).toEqual(
      recall?.sentLots,
    )
  })
})
