import type { Db } from '#db/engine/client.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { setOrderStatuses } from '#server/orders/set-order-statuses.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { previewStatusChange } from '#server/reviews/preview-status-change.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { runMoneyJobs } from '#tests/support/payment-holds.ts'
import { addPharmacy } from '#tests/support/pharmacies.ts'
import { clearInputOf, transcribe } from '#tests/support/pharmacist.ts'
import { recordStatements } from '#tests/support/record-statements.ts'
import { lineOf, openCase, prescriptionOf } from '#tests/support/review-cases.ts'
import { expect, test, vi } from 'vitest'

/** An order that a pharmacist cleared, with a decision on its destination. */
async function clearAbroad(db: Db) {
  const { pharmacist, order, variantId } = await openCase(db, { country: 'Canada' })
  const opened = await getCase(pharmacist, order.id)
  const line = lineOf(await transcribe(pharmacist, prescriptionOf(opened), [variantId]))
  await clearLine(pharmacist, clearInputOf(line, { destinationNote: 'Same owner, state license held' }))
  await runMoneyJobs(pharmacist)
  return order.id
}

/** The ids of a customer's orders of medicines without a prescription. */
async function placeOrders(db: Db, count: number): Promise<string[]> {
  const customerId = await makeUser(db)
  const items = [{ productVariantId: await addVariant(db, { stockQuantity: count }), quantity: 1 }]
  const ids: string[] = []
  while (ids.length < count) ids.push((await placeOrder(db, customerId, { items })).id)
  return ids
}

const previewShipping = (db: Db, ids: string[]) =>
  previewStatusChange(asAdmin(db), { target: { ids }, status: 'shipped' })

eachEngine((_engine, openDb) => {
  test('a damaged decision neither hides its order nor keeps it from shipping', async () => {
    const db = await openDb()
    const id = await clearAbroad(db)
    expect((await getAdminOrder(asAdmin(db), id)).destinationWarning).toBeNull()
    const draft = 'The label of Lisinopril is a draft and prints “Not for dispensing”.'
    expect(await previewShipping(db, [id])).toMatchObject({ changed: 1, refused: [], warnings: [draft] })

    await db.updateTable('lineReviews').set({ sealedDecision: 'damaged' }).execute()
    const admin = asAdmin(db)
    const logged = vi.spyOn(admin.log, 'error')
    const { destinationWarning } = await getAdminOrder(admin, id)
    expect(logged.mock.calls).toEqual([
      [expect.objectContaining({ orderId: id }), 'decision about a line could not be read'],
    ])
    expect(destinationWarning).toContain('does not list the United States as a destination.')
    expect(await previewShipping(db, [id])).toMatchObject({
      changed: 1,
      refused: [],
      warnings: [
        `No pharmacy ships order ${id.slice(-8)} to its destination. Contact the customer first.`,
        draft,
      ],
    })
    const shipped = await setOrderStatuses(asAdmin(db), { ids: [id], status: 'shipped' })
    expect(shipped).toMatchObject([{ id, error: null, isChanged: true }])
  })

  test('decisions are read only when no pharmacy ships to the destination', async () => {
    const db = await openDb()
    const id = await clearAbroad(db)
    const countStatements = async () => {
      const recorded = recordStatements(db)
      await getAdminOrder(asAdmin(recorded.db), id)
      return recorded.statements.length
    }
    // The first call compiles the prepared statements.
    await countStatements()
    const unserved = await countStatements()
    await addPharmacy(db, { country: 'United States', shipsTo: ['United States'] })
    expect(await countStatements()).toBe(unserved - 1)
  })

  test('for each further order, the preview of shipping runs only the three statements of the change', async () => {
    const db = await openDb()
    const ids = await placeOrders(db, 3)
    const countFor = async (target: string[]) => {
      const recorded = recordStatements(db)
      expect((await previewShipping(recorded.db, target)).warnings).toHaveLength(1)
      return recorded.statements.length
    }
    await countFor(ids)
    const one = await countFor(ids.slice(0, 1))
    // The order's row, its refunds and its recalls. Pharmacies are read once for all orders.
    expect(await countFor(ids)).toBe(one + 2 * 3)
  })

  test('the preview of shipping more than 25 orders says what was not checked', async () => {
    const db = await openDb()
    const ids = await placeOrders(db, 26)
    const { warnings } = await previewShipping(db, ids)
    expect(warnings).toEqual([
      'We didn’t check these orders’ destinations and lots. We check up to 25 at a time.',
      'We didn’t check these orders for changed packages. We check up to 25 orders at a time.',
    ])
    const some = (await previewShipping(db, ids.slice(1))).warnings?.join()
    expect(some).toMatch(/^No pharmacy ships orders .* Contact the customers first\.$/)
    const cancel = { target: { ids }, status: 'cancelled' } as const
    expect((await previewStatusChange(asAdmin(db), cancel)).warnings).toEqual([])

    // Their labels are not checked either.
    await db.updateTable('orders').set({ hasRx: true }).where('id', 'in', ids.slice(3)).execute()
    expect((await previewShipping(db, ids)).warnings).toEqual([
      'We didn’t check these orders’ destinations and lots. We check up to 25 at a time.',
      'We didn’t check these orders for changed packages. We check up to 25 orders at a time.',
      'We didn’t check these orders for draft labels. We check up to 25 orders at a time.',
    ])
    await db.updateTable('orders').set({ hasRx: false }).execute()

    // What has shipped is not warned about.
    await setOrderStatuses(asAdmin(db), { ids, status: 'shipped' })
    const deliver = { target: { ids }, status: 'delivered' } as const
    expect((await previewStatusChange(asAdmin(db), deliver)).warnings).toEqual([])
  })
})
