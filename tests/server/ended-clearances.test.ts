import { updateProfile } from '#server/accounts/update-profile.ts'
import type { Db } from '#db/engine/client.ts'
import type { Context } from '#server/context.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { decideAlert } from '#server/reviews/decide-alert.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { reopenLine } from '#server/reviews/reopen-line.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addCareLists, alertOf, decisionInputOf } from '#tests/support/alerts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { runMoneyJobs } from '#tests/support/payment-holds.ts'
import { clearInputOf, clearOrder, transcribe } from '#tests/support/pharmacist.ts'
import { fieldsOf, itemOf, lineOf, openCase, prescriptionOf, refusal } from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

/** A charged order whose line is cleared, and staff who ship it. */
async function setUp(db: Db) {
  const opened = await openCase(db)
  await clearOrder(db, opened.order.id)
  await runMoneyJobs(testContext(db))
  const admin = await makeUser(db, { isAdmin: true })
  const staff: Context = testContext(db, { user: signedIn(admin, { isAdmin: true }) })
  const ship = () => setOrderStatus(staff, opened.order.id, { status: 'shipped' })
  return { ...opened, ship }
}

eachEngine((_engine, openDb) => {
  test.each([
    ['the authentication is withdrawn', { authentication: null }],
    ['another patient’s name is on the file', { patientName: 'Ida O’Hara', patientNameNote: 'Second name' }],
    ['another prescriber wrote it', { npi: '1234567893' }],
  ])('a cleared line returns to the queue when %s', async (_what, changes) => {
    const db = await openDb()
    const { pharmacist, order, variantId, ship } = await setUp(db)
    const current = await getCase(pharmacist, order.id)
    const { id, version } = itemOf(current)
    const save = (fields: Record<string, unknown>) =>
      transcribe(pharmacist, prescriptionOf(current), [variantId], {
        writtenOn: '2026-01-05',
        items: [{ id, version, directions: itemOf(current).directions }],
        ...fields,
      })
    await save(changes)
    const edited = await getCase(pharmacist, order.id)
    expect(itemOf(edited).version).toBe(version)
    expect(lineOf(edited)).toMatchObject({ status: 'waiting', fillStatus: 'reserved', decidedBy: null })
    expect((await refusal(ship())).message).toContain('waits for a pharmacist')
  })

  test('a cleared line stays cleared when its transcription is saved again or a phone number is added', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await setUp(db)
    for (const prescriberPhone of [null, '503-555-0147']) {
      const current = await getCase(pharmacist, order.id)
      const { id, version, directions } = itemOf(current)
      await transcribe(pharmacist, prescriptionOf(current), [variantId], {
        writtenOn: '2026-01-05',
        prescriberPhone,
        items: [{ id, version, directions }],
      })
      expect(lineOf(await getCase(pharmacist, order.id)).status).toBe('cleared')
    }
  })
})
