import type { Context } from '#server/context.ts'
import { recordPackCheck } from '#server/orders/record-pack-check.ts'
import { refundOrder } from '#server/orders/refund-order.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { asCustomer, buy } from '#tests/support/checkouts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { recallReport } from '#tests/support/recall-reports.ts'
import { addPackage, importRecalls, recallMails } from '#tests/support/recalls.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { recallFile } from './recall-file-support.ts'

eachEngine((_engine, openDb) => {
  test('a recall of all lots is set aside for a pack only with the permission and a reason, by a colleague', async () => {
    const db = await openDb()
    const id = await addPackage(db, '0143-1473-01', '00143147301', 20)
    const customer = await asCustomer(db)
    const { order } = await buy(customer, id)
    const report = recallReport('D-0001-2026', '0143-1473-01', { code_info: 'All lots within expiry' })
    await importRecalls(asAdmin(db), recallFile(report))
    const check = (ctx: Context, reason: string) =>
      recordPackCheck(ctx, {
        orderId: order.id,
        lineId: order.items[0]?.id ?? '',
        recallId: 'D-0001-2026',
        lotNumber: 'GOOD-7',
        reason,
      })
    const packer = testContext(db, { user: signedIn(await makeUser(db), { roles: ['fulfillment'] }) })
    await expect(check(packer, 'Another labeler')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const own = testContext(db, { user: signedIn(customer.user?.id ?? '', { isAdmin: true }) })
    await expect(check(own, 'Another labeler')).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(check(asAdmin(db), '')).rejects.toMatchObject({
      fields: { reason: 'Enter why the recall does not affect this package.' },
    })
    const ship = () => setOrderStatus(asAdmin(db), order.id, { status: 'shipped' })
    await expect(ship()).rejects.toThrow('is for all lots')
    await check(asAdmin(db), 'Another labeler')
    expect((await ship()).status).toBe('shipped')
  })

  test('a pack of an unknown lot ships once staff have checked it', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const id = await addPackage(db, '0143-1473-01', '00143147301', 20)
    const { order } = await buy(await asCustomer(db), id)
    await importRecalls(ctx, recallFile(recallReport('D-0001-2026', '0143-1473-01')))
    const ship = () => setOrderStatus(ctx, order.id, { status: 'shipped' })
    await expect(ship()).rejects.toEqual(
      expect.objectContaining({
        code: 'CONFLICT',
        message: expect.stringMatching(/Check the lot on the package/),
      }),
    )
    const lineId = order.items[0]?.id ?? ''
    const check = { orderId: order.id, lineId, recallId: 'D-0001-2026', reason: '' }
    await expect(recordPackCheck(ctx, { ...check, lotNumber: 'bad 1' })).rejects.toEqual(
      expect.objectContaining({ fields: { lotNumber: expect.stringMatching(/lists this lot/) } }),
    )
    await recordPackCheck(ctx, { ...check, lotNumber: 'GOOD-7' })
    // A check no longer counts once the recall lists the lot that was read.
    const longer = { code_info: 'Lots BAD-1, GOOD-7' }
    await importRecalls(ctx, recallFile(recallReport('D-0001-2026', '0143-1473-01', longer)))
    await expect(ship()).rejects.toThrow('Check the lot on the package')
    await importRecalls(ctx, recallFile(recallReport('D-0001-2026', '0143-1473-01')))
    expect((await ship()).status).toBe('shipped')
    // The pack was checked, so its customer is not notified.
    await importRecalls(
      ctx,
      recallFile(recallReport('D-0001-2026', '0143-1473-01', { classification: 'Class I' })),
    )
    expect(await recallMails(db)).toEqual([])
    // What was refunded whole keeps nothing from shipping.
    const other = await addPackage(db, '0143-1473-02', '00143147302', 20)
    const user = await asCustomer(db)
    const mixed = await placeOrder(db, user.user?.id ?? '', {
      items: [id, other].map((productVariantId) => ({ productVariantId, quantity: 1 })),
    })
    await expect(setOrderStatus(ctx, mixed.id, { status: 'shipped' })).rejects.toThrow('may affect')
    const lines = [{ lineId: mixed.items[0]?.id ?? '', quantity: 1, restock: false }]
    await refundOrder(ctx, { id: mixed.id, key: randomUUID(), lines })
    expect((await setOrderStatus(ctx, mixed.id, { status: 'shipped' })).status).toBe('shipped')
    // A recall that has ended, of unknown lots, is information.
    const { order: next } = await buy(await asCustomer(db), id)
    await importRecalls(
      ctx,
      recallFile(recallReport('D-0001-2026', '0143-1473-01', { status: 'Terminated' })),
    )
    expect((await setOrderStatus(ctx, next.id, { status: 'shipped' })).status).toBe('shipped')
  })
})
