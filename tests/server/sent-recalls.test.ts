import type { Role } from '#domain/accounts/permissions.ts'
import { findOrder } from '#server/orders/find-order.ts'
import { refuseLines } from '#server/orders/refuse-lines.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { listOrderRecalls } from '#server/recalls/list-order-recalls.ts'
import { listSentRecalls, type SentRecall } from '#server/recalls/list-sent-recalls.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { capture } from '#tests/support/payment-holds.ts'
import { clearOrder } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { recallReport } from '#tests/support/recall-reports.ts'
import { addPackage, importRecalls } from '#tests/support/recalls.ts'
import { expect, test } from 'vitest'
import { recallFile } from './recall-file-support.ts'

eachEngine((_engine, openDb) => {
  test('staff see the recalls that the customer of a shipped order was notified of', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const rx = await addVariant(db, {
      productId: await addProduct(db, { name: 'Simvastatin', category: 'Rx' }),
      ndc: '0143-1473-01',
    })
    const otc = await addPackage(db, '0143-1474-01', '00143147401')
    const lot = { lotNumber: 'OTC-1', expiryDate: '2027-12-31' }
    const adjustment = { quantityChange: 3, transactionType: 'purchase', notes: null } as const
    await adjustStock(ctx, { variantId: otc, ...adjustment, ...lot })
    const userId = await makeUser(db)
    const { id: prescriptionId } = await addPrescription(db, userId)
    const items = [rx, otc].map((productVariantId) => ({ productVariantId, quantity: 1 }))
    const order = await placeOrder(db, userId, { items, prescriptionId })
    await clearOrder(db, order.id)
    await capture(db, order.id)
    await setOrderStatus(ctx, order.id, { status: 'shipped' })
    const seenBy = async (role: Role) =>
      listSentRecalls(
        testContext(db, { user: signedIn(await makeUser(db, { roles: [role] }), { roles: [role] }) }),
        order.id,
      )
    expect(await seenBy('pharmacist')).toEqual([])

    const reports = [
      recallReport('D-0001-2026', '0143-1473-01', { code_info: 'All lots within expiry' }),
      recallReport('D-0002-2026', '0143-1474-01', { code_info: 'Lot OTC-1' }),
    ]
    await importRecalls(ctx, recallFile(...reports))
    const numberOf = ({ details }: SentRecall): string => details?.recallId ?? ''
    const recalled = async (role: Role) =>
      (await seenBy(role)).toSorted((a, b) => (numberOf(a) < numberOf(b) ? -1 : 1))
    const notice = (canOpen: boolean, details: object) => ({
      reached: 'waiting',
      details: { ...details, canOpen, report: { recallClass: 'II', status: 'Ongoing' } },
    })
    const expected = (canOpen: boolean) => [
      notice(canOpen, {
        recallId: 'D-0001-2026',
        items: [expect.stringMatching(/^Simvastatin, /)],
        sentLots: [],
      }),
      notice(canOpen, { recallId: 'D-0002-2026', sentLots: ['OTC-1'] }),
    ]
    expect(await recalled('admin')).toMatchObject(expected(true))
    expect(await recalled('pharmacist')).toMatchObject(expected(true))
    expect(await recalled('fulfillment')).toMatchObject(expected(false))
    const support = await recalled('support')
    expect(support.map(numberOf)).toEqual(['', 'D-0002-2026'])
    expect(JSON.stringify(support)).not.toMatch(/D-0001|Simvastatin/)
    await expect(seenBy('catalog-manager')).rejects.toMatchObject({ code: 'FORBIDDEN' })

    // The order is set back, and the recalled line is refused.
    await setOrderStatus(ctx, order.id, { status: 'processing' })
    const lineId = order.items.find(({ productVariantId }) => productVariantId === rx)?.id ?? ''
    await refuseLines(ctx, await findOrder(ctx, order.id), [{ lineId, reason: 'Recalled' }])
    expect(await recalled('support')).toEqual(support)
    expect(await recalled('pharmacist')).toMatchObject(expected(true))
    const seenByCustomer = await listOrderRecalls(testContext(db, { user: signedIn(userId) }), order.id)
    expect(seenByCustomer.map(({ items }) => items).flat()).toContainEqual(
      expect.stringMatching(/^Simvastatin, /),
    )
  })
})
