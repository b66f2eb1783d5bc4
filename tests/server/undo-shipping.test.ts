import type { Db } from '#db/engine/client.ts'
import { closeItemInputSchema, didNotLeaveInputSchema } from '#domain/dispensing/case-inputs.ts'
import type { Context } from '#server/context.ts'
import { setOrderStatuses } from '#server/orders/set-order-statuses.ts'
import { undoStatusChange } from '#server/orders/undo-status-change.ts'
import { decidePrescription } from '#server/prescriptions/decide-prescription.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { closeItem } from '#server/reviews/close-item.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { didNotLeave } from '#server/reviews/reopen-line.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { runMoneyJobs } from '#tests/support/payment-holds.ts'
import { clearInputOf, clearOrder, transcribe } from '#tests/support/pharmacist.ts'
import { itemOf, lineOf, msLater, openCase, prescriptionOf } from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

/** A charged order whose line is cleared, and staff who ship it and undo that. */
async function setUp(db: Db) {
  const opened = await openCase(db)
  const { order, pharmacist } = opened
  await clearOrder(db, order.id)
  await runMoneyJobs(testContext(db))
  const admin = signedIn(await makeUser(db, { isAdmin: true }), { isAdmin: true })
  const staffAt = (seconds: number): Context => testContext(db, { user: admin, now: msLater(seconds * 1000) })
  const set = async (status: 'shipped' | 'processing', seconds: number): Promise<string> => {
    const [result] = await setOrderStatuses(staffAt(seconds), { ids: [order.id], status })
    if (!result?.changeId) throw new Error(result?.error ?? 'Not changed.')
    return result.changeId
  }
  const undo = (changeId: string, seconds: number) =>
    undoStatusChange(staffAt(seconds), { id: order.id, changeId })
  const pharmacistAt = (seconds: number): Context => ({ ...pharmacist, now: msLater(seconds * 1000) })
  return { ...opened, set, undo, pharmacistAt }
}

type SetUp = Awaited<ReturnType<typeof setUp>>

const changes: [string, (shop: SetUp) => Promise<unknown>][] = [
  [
    'is edited',
    async ({ order, variantId, pharmacistAt }) => {
      const current = await getCase(pharmacistAt(3), order.id)
      const { id, version } = itemOf(current)
      const items = [{ id, version, directions: 'Take half a tablet daily' }]
      await transcribe(pharmacistAt(3), prescriptionOf(current), [variantId], {
        writtenOn: '2026-01-05',
        items,
      })
    },
  ],
  [
    'is closed',
    async ({ order, pharmacistAt }) => {
      const { id, version } = itemOf(await getCase(pharmacistAt(3), order.id))
      const input = { itemId: id, version, reason: 'revoked', note: 'Call from the practice' }
      await closeItem(pharmacistAt(3), closeItemInputSchema.parse(input))
    },
  ],
  [
    'is no longer authenticated',
    async ({ order, variantId, pharmacistAt }) => {
      const current = await getCase(pharmacistAt(3), order.id)
      const { id, version, directions } = itemOf(current)
      await transcribe(pharmacistAt(3), prescriptionOf(current), [variantId], {
        writtenOn: '2026-01-05',
        authentication: null,
        items: [{ id, version, directions }],
      })
    },
  ],
  [
    'loses its approval',
    ({ prescription, pharmacistAt }) =>
      decidePrescription(
        pharmacistAt(3),
        prescription.id,
        { status: 'rejected', statusReason: 'Revoked' },
        { link: 'https://shop.example' },
      ),
  ],
]

eachEngine((_engine, openDb) => {
  test.each(changes)(
    'a cleared line waits for a pharmacist when its item %s before the shipping is undone',
    async (_what, change) => {
      const db = await openDb()
      const shop = await setUp(db)
      const changeId = await shop.set('shipped', 1)
      await change(shop)
      await shop.undo(changeId, 5)
      expect(lineOf(await getCase(shop.pharmacistAt(6), shop.order.id))).toMatchObject({
        status: 'waiting',
        fillStatus: 'reserved',
        decidedBy: null,
      })
      await expect(shop.set('shipped', 20)).rejects.toThrow(/waits for a pharmacist/)
    },
  )

  test('a cleared line waits for a pharmacist when an edit that began before the shipping was stored after it', async () => {
    const db = await openDb()
    const shop = await setUp(db)
    const { order, variantId, pharmacistAt } = shop
    const changeId = await shop.set('shipped', 2)
    const current = await getCase(pharmacistAt(1), order.id)
    const { id, version } = itemOf(current)
    const items = [{ id, version, directions: 'Take half a tablet daily' }]
    await transcribe(pharmacistAt(1), prescriptionOf(current), [variantId], {
      writtenOn: '2026-01-05',
      items,
    })
    await shop.undo(changeId, 5)
    expect(lineOf(await getCase(pharmacistAt(6), order.id)).status).toBe('waiting')
  })

  test('a line whose item is as it was stays cleared when the shipping is undone', async () => {
    const db = await openDb()
    const shop = await setUp(db)
    await shop.undo(await shop.set('shipped', 1), 5)
    expect(lineOf(await getCase(shop.pharmacistAt(6), shop.order.id))).toMatchObject({
      status: 'cleared',
      fillStatus: 'cleared',
    })
  })

  test('a fill that was cleared again is dispensed when an order is shipped by an undo', async () => {
    const db = await openDb()
    const shop = await setUp(db)
    await shop.set('shipped', 1)
    const changeId = await shop.set('processing', 20)
    const { id: lineId, version } = lineOf(await getCase(shop.pharmacistAt(21), shop.order.id))
    const input = didNotLeaveInputSchema.parse({ lineId, version, reason: 'Found on the shelf' })
    const returned = await didNotLeave(shop.pharmacistAt(21), input)
    await clearLine(shop.pharmacistAt(22), clearInputOf(lineOf(returned)))
    await shop.undo(changeId, 25)
    const fills = db.selectFrom('fills').select(['status', 'dispensedAt']).where('status', '<>', 'released')
    expect(await fills.execute()).toEqual([{ status: 'dispensed', dispensedAt: msLater(25_000) }])
  })
})
