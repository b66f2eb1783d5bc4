import { listFillsOfOrders, updateSealedFill } from '#db/dispensing/fills.ts'
import type { Db } from '#db/engine/client.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import { openUserKey } from '#server/crypto/user-key.ts'
import { readAllTherapy } from '#server/dispensing/read-therapy.ts'
import { openFill, sealFill } from '#server/dispensing/sealed-item.ts'
import { findOrder } from '#server/orders/find-order.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { getPackingSlip } from '#server/orders/get-package.ts'
import { refundOrder } from '#server/orders/refund-order.ts'
import { refuseLines } from '#server/orders/refuse-lines.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { undoStatusChange } from '#server/orders/undo-status-change.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { getLabel } from '#server/reviews/get-label.ts'
import { reopenLine } from '#server/reviews/reopen-line.ts'
import { verifyFills } from '#server/reviews/verify-fills.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { readStock } from '#tests/support/orders.ts'
import { placeHeldOrder, runMoneyJobs } from '#tests/support/payment-holds.ts'
import { addPharmacist, clearInputOf, clearOrder, transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { itemOf, lineOf, prescriptionOf } from '#tests/support/review-cases.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'

async function findingsOf(db: Db): Promise<string[]> {
  const findings: string[] = []
  const add = (finding: string): void => void findings.push(finding)
  await verifyFills({ db, keys: testKeys }, add)
  await verifyStock({ db, keys: testKeys }, add)
  // Test variants start with stock that no ledger row has.
  return findings.filter((finding) => !finding.includes('ledger breaks') && !finding.includes('ledger ends'))
}

/** Captured, with two packs of a medicine. */
async function placeClearedOrder(db: Db) {
  const placed = await placeHeldOrder(db)
  await clearOrder(db, placed.order.id)
  await runMoneyJobs(placed.ctx)
  return placed
}

const failRefunds = (db: Db) =>
  db.updateTable('refunds').set({ failedAt: testDay, dueAt: null }).where('doneAt', 'is', null).execute()

const fillsOf = (db: Db) => db.selectFrom('fills').select(['lineId', 'status']).execute()

eachEngine((_engine, openDb) => {
  test('support refunds and restocks a medicine that they may not see, which then does not ship', async () => {
    const db = await openDb()
    const { order, rx, rxLine } = await placeClearedOrder(db)
    const stock = await readStock(db, rx)
    const support = testContext(db, { user: signedIn(await makeUser(db), { roles: ['support'] }) })
    const refund = (key: string, quantity: number) =>
      refundOrder(support, {
        id: order.id,
        key: `019a7c1e-0000-4000-8000-00000000000${key}`,
        lines: [{ lineId: rxLine.id, quantity, restock: true }],
      })
    await refund('1', 1)
    expect(await readStock(db, rx)).toBe(stock + 1)
    expect(await fillsOf(db)).toEqual([{ lineId: rxLine.id, status: 'cleared' }])
    await refund('2', 1)
    expect(await readStock(db, rx)).toBe(stock + 2)
    expect(await fillsOf(db)).toEqual([{ lineId: rxLine.id, status: 'released' }])
    expect(await findingsOf(db)).toEqual([])

    const packer = testContext(db, { user: signedIn(await makeUser(db), { roles: ['fulfillment'] }) })
    await setOrderStatus(packer, order.id, { status: 'shipped' })
    expect(await fillsOf(db)).toEqual([{ lineId: rxLine.id, status: 'released' }])
    expect(await findingsOf(db)).toEqual([])
  })

  test('the label and the fill have only the units that ship', async () => {
    const db = await openDb()
    const { ctx, order, rxLine } = await placeClearedOrder(db)
    const admin = asAdmin(db)
    const pharmacist = await addPharmacist(db)
    const readLabel = async () => {
      const { label } = await getLabel(pharmacist, { orderId: order.id, lineId: rxLine.id })
      return [label.quantity, label.daysSupply]
    }
    const readFill = async () => {
      const userId = ctx.user?.id ?? ''
      const key = await openUserKey(ctx, userId)
      if (!key) throw new Error('The user has no key.')
      const { fills } = await readAllTherapy(ctx, key, userId)
      return fills.map(({ units, daysSupply, status }) => [units, daysSupply, status])
    }
    const refund = (restock: boolean) => {
      const lines = [{ lineId: rxLine.id, quantity: 1, restock }]
      return refundOrder(admin, { id: order.id, key: randomUUID(), lines })
    }
    expect(await readLabel()).toEqual(['48 tablets', 30])
    await refund(false)
    expect(await readLabel()).toEqual(['24 tablets', 15])
    // Its refund fails and nothing was restocked, so it ships unless it is refunded again.
    await failRefunds(db)
    expect(await readLabel()).toEqual(['48 tablets', 30])
    await refund(true)
    expect([await readLabel(), await readFill()]).toEqual([['24 tablets', 15], [[48, 30, 'cleared']]])

    await setOrderStatus(admin, order.id, { status: 'shipped' })
    expect([await readLabel(), await readFill()]).toEqual([['24 tablets', 15], [[24, 15, 'dispensed']]])
    expect(await findingsOf(db)).toEqual([])

    const { undo } = await getAdminOrder(admin, order.id)
    await undoStatusChange(admin, { id: order.id, changeId: undo?.changeId ?? '' })
    expect([await readLabel(), await readFill()]).toEqual([['24 tablets', 15], [[48, 30, 'cleared']]])
    expect(await findingsOf(db)).toEqual([])
    await setOrderStatus(admin, order.id, { status: 'shipped' })
    // What is returned later was dispensed.
    await refund(true)
    expect([await readLabel(), await readFill()]).toEqual([['24 tablets', 15], [[24, 15, 'dispensed']]])
    expect(await findingsOf(db)).toEqual([])
  })

  test('units of a fill that no refund explains are found', async () => {
    const db = await openDb()
    const { ctx, order, rxLine } = await placeClearedOrder(db)
    const key = await openUserKey(ctx, ctx.user?.id ?? '')
    if (!key) throw new Error('The user has no key.')
    const findWith = async (units: number) => {
      const [row] = await listFillsOfOrders(db, [order.id])
      if (!row) throw new Error('The order has no fill.')
      await updateSealedFill(db, row.id, sealFill(key, row.id, { ...openFill(key, row), units }))
      return findingsOf(db)
    }
    const finding = (units: number) => [
      `Order ${order.id}: line ${rxLine.id} is for 48 units, but its fill has ${units}.`,
    ]
    const lines = [{ lineId: rxLine.id, quantity: 1, restock: true }]
    await refundOrder(asAdmin(db), { id: order.id, key: randomUUID(), lines })
    // Shipping sets the units.
    expect([await findWith(24), await findWith(48)]).toEqual([finding(24), []])
    await setOrderStatus(asAdmin(db), order.id, { status: 'shipped' })
    expect([await findWith(23), await findWith(24)]).toEqual([finding(23), []])
  })

  test('a line with nothing left to ship has no label', async () => {
    const db = await openDb()
    const { order, rxLine } = await placeClearedOrder(db)
    const lines = [{ lineId: rxLine.id, quantity: 2, restock: true }]
    await refundOrder(asAdmin(db), { id: order.id, key: randomUUID(), lines })
    const line = { orderId: order.id, lineId: rxLine.id }
    await expect(getLabel(await addPharmacist(db), line)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'No units of this line are left to ship, so it has no label.',
    })
  })

  test('a line whose units were all refunded is not cleared again, nor dispensed with the rest', async () => {
    const db = await openDb()
    const { order, rxLine } = await placeClearedOrder(db)
    const pharmacist = await addPharmacist(db)
    const readLine = async () => lineOf(await getCase(pharmacist, order.id))
    const { id: lineId, version } = await readLine()
    await reopenLine(pharmacist, { lineId, version })
    const admin = asAdmin(db)
    const lines = [{ lineId: rxLine.id, quantity: 2, restock: true }]
    await refundOrder(admin, { id: order.id, key: randomUUID(), lines })
    await expect(clearLine(pharmacist, clearInputOf(await readLine()))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'All units of this line were refunded. Refuse the line.',
    })
    expect(await fillsOf(db)).toEqual([{ lineId: rxLine.id, status: 'released' }])
    // Whatever its fill says, it is not among the lines that ship.
    await db.updateTable('fills').set({ status: 'cleared' }).execute()
    await setOrderStatus(admin, order.id, { status: 'shipped' })
    expect(await fillsOf(db)).toEqual([{ lineId: rxLine.id, status: 'cleared' }])
  })

  test('a line of an order that was moved back is cleared again on the item it was dispensed on', async () => {
    const db = await openDb()
    const { ctx, order, rx, rxLine } = await placeClearedOrder(db)
    const admin = asAdmin(db)
    const lines = [{ lineId: rxLine.id, quantity: 1, restock: true }]
    await refundOrder(admin, { id: order.id, key: randomUUID(), lines })
    await setOrderStatus(admin, order.id, { status: 'shipped' })
    await setOrderStatus(admin, order.id, { status: 'processing' })
    const pharmacist = await addPharmacist(db)
    const readLine = async () => lineOf(await getCase(pharmacist, order.id))
    const { id: lineId, version, itemId } = await readLine()
    await reopenLine(pharmacist, { lineId, version })

    const userId = ctx.user?.id ?? ''
    const { id: prescriptionId } = await addPrescription(db, userId)
    const unread = prescriptionOf(await getCase(pharmacist, prescriptionId))
    const otherCase = await transcribe(pharmacist, unread, [rx], { duplicateNote: 'Another one' })
    const clearOn = async (chosenId: string | null) => {
      const line = await readLine()
      const chosen = line.candidates.find((candidate) => candidate.itemId === chosenId)
      const { itemVersion } = chosen ?? { itemVersion: 0 }
      const decisions = { earlyNote: 'Checked', destinationNote: 'Checked' }
      return clearLine(pharmacist, clearInputOf(line, { itemId: chosenId, itemVersion, ...decisions }))
    }
    await expect(clearOn(itemOf(otherCase).id)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'This line was dispensed on another prescription. Record first that it did not leave.',
    })
    expect(lineOf(await clearOn(itemId))).toMatchObject({ status: 'cleared', fillStatus: 'dispensed' })
    await setOrderStatus(admin, order.id, { status: 'shipped' })
    expect(await fillsOf(db)).toEqual([{ lineId: rxLine.id, status: 'dispensed' }])
    expect(await findingsOf(db)).toEqual([])
  })

  test('a medicine that is back in stock does not ship when its refund fails', async () => {
    const db = await openDb()
    const { order, rxLine, otcLine } = await placeClearedOrder(db)
    const admin = asAdmin(db)
    const lines = [{ lineId: rxLine.id, quantity: 2, restock: true }]
    await refundOrder(admin, { id: order.id, key: randomUUID(), lines })
    await failRefunds(db)
    expect((await getPackingSlip(admin, order.id)).lines).toMatchObject([{ id: otcLine.id, problem: null }])
    await setOrderStatus(admin, order.id, { status: 'shipped' })
    expect(await fillsOf(db)).toEqual([{ lineId: rxLine.id, status: 'released' }])
    expect(await findingsOf(db)).toEqual([])
  })

  test('refusing a line refunds its units whose refund failed, and restocks what is not in stock', async () => {
    const db = await openDb()
    const { order, rx, rxLine } = await placeClearedOrder(db)
    const stock = await readStock(db, rx)
    const admin = asAdmin(db)
    const lines = [{ lineId: rxLine.id, quantity: 1, restock: true }]
    await refundOrder(admin, { id: order.id, key: randomUUID(), lines })
    await failRefunds(db)
    await refuseLines(admin, await findOrder(admin, order.id), [{ lineId: rxLine.id, reason: 'Recalled' }])
    const refunds = db.selectFrom('refunds').select('amountCents').where('failedAt', 'is', null)
    expect(await refunds.execute()).toEqual([{ amountCents: 2000 }])
    expect(await readStock(db, rx)).toBe(stock + 2)
  })
})
