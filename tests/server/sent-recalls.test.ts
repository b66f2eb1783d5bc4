import type { Role } from '#domain/accounts/permissions.ts'
import { findOrder } from '#server/orders/find-order.ts'
import { refuseLines } from '#server/orders/refuse-lines.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { listOrderRecalls } from '#server/recalls/list-order-recalls.ts'
import { listSentRecalls, type SentRecall } from '#server/recalls/list-sent-recalls.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { releaseLot } from '#server/inventory/quarantine-lot.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { idOf } from '#tests/support/lots.ts'
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
      isSent: true,
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
    const hidden = { notifiedAt: expect.any(String), reached: 'waiting', isSent: false, details: null }
    const unsent = { isSent: false, details: { sentLots: [], returnedLots: ['OTC-1'] } }
    expect(await recalled('support')).toMatchObject([hidden, unsent])
    expect(await recalled('pharmacist')).toMatchObject([
      {
        isSent: false,
        details: { recallId: 'D-0001-2026', items: [expect.stringMatching(/^Simvastatin, /)] },
      },
      unsent,
    ])
    const inBrief = (recalls: { recallId: string; isSent?: boolean; sentLots: string[] }[]) =>
      Object.fromEntries(
        recalls.map(({ recallId, ...recall }) => [recallId, [recall.isSent, recall.sentLots]]),
      )
    const seenByCustomer = () => listOrderRecalls(testContext(db, { user: signedIn(userId) }), order.id)
    expect((await seenByCustomer()).map(({ items }) => items).flat()).toContainEqual(
      expect.stringMatching(/^Simvastatin, /),
    )
    expect(inBrief(await seenByCustomer())).toEqual({
      'D-0001-2026': [false, []],
      'D-0002-2026': [false, []],
    })

    // It ships again, without the refused line.
    await importRecalls(
      ctx,
      recallFile(recallReport('D-0002-2026', '0143-1474-01', { code_info: 'Lot OTC-2' })),
    )
    await releaseLot(ctx, { lotId: await idOf(db, 'OTC-1'), reason: 'The report was corrected' })
    await setOrderStatus(ctx, order.id, { status: 'shipped' })
    expect(inBrief(await seenByCustomer())).toEqual({
      'D-0001-2026': [false, []],
      'D-0002-2026': [true, ['OTC-1']],
    })
    expect(await recalled('support')).toMatchObject([
      hidden,
      { isSent: true, details: { sentLots: ['OTC-1'] } },
    ])
  })
})
