import { caseQuerySchema } from '#domain/dispensing/case-inputs.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import type { Db } from '#db/engine/client.ts'
import type { Context } from '#server/context.ts'
import { getPackingSlip } from '#server/orders/get-package.ts'
import { setOrderStatuses } from '#server/orders/set-order-statuses.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { decideAlert } from '#server/reviews/decide-alert.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { listCases } from '#server/reviews/list-cases.ts'
import { previewStatusChange } from '#server/reviews/preview-status-change.ts'
import { reopenLine } from '#server/reviews/reopen-line.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addCareLists, alertOf, decisionInputOf } from '#tests/support/alerts.ts'
import { addVariant, testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
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
  return { ...opened, staff, ship }
}

/** What staff did with a patient's medicines, by the audit log. */
const actionsOf = async (db: Db, { user }: Context, subjectId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('auditLog')
    .select('action')
    .where('actorId', '=', user?.id ?? '')
    .where('subjectId', '=', subjectId)
    .where('action', 'in', ['alerts.read', 'order.line-reopened'])
    .orderBy('action')
    .execute()
  return rows.map(({ action }) => action)
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

  test('a cleared line ships only after a decision on an alert that came up since', async () => {
    const db = await openDb()
    const { pharmacist, customer, order, staff, ship } = await setUp(db)
    await addCareLists(db, testDay)
    await updateProfile(customer, { currentMedications: 'Warfarin' })
    expect((await getPackingSlip(staff, order.id)).lines).toMatchObject([
      { problem: expect.stringContaining('has a new alert') },
    ])
    expect((await refusal(ship())).message).toBe(
      'This order can’t be shipped: Lisinopril has a new alert that a pharmacist must decide on. The line is back in the pharmacists’ queue.',
    )
    const opened = await getCase(pharmacist, order.id)
    expect(Object.keys(await fieldsOf(clearLine(pharmacist, clearInputOf(lineOf(opened)))))).toContain('line')
    const decided = await decideAlert(pharmacist, decisionInputOf(lineOf(opened), alertOf(opened)))
    await clearLine(pharmacist, clearInputOf(lineOf(decided)))

    // A new edition says more than the pharmacist decided on.
    await db.updateTable('careInteractions').set({ level: 'contraindicated' }).execute()
    expect((await refusal(ship())).message).toMatch(/has a new alert/)
    await db.updateTable('careInteractions').set({ level: 'critical' }).execute()
    await clearLine(pharmacist, clearInputOf(lineOf(await getCase(pharmacist, order.id))))
    expect((await ship()).status).toBe('shipped')
    // What has left is not held back: its status may be corrected.
    await updateProfile(customer, { currentMedications: 'Warfarin, ibuprofen' })
    await setOrderStatus(staff, order.id, { status: 'processing' })
    expect((await ship()).status).toBe('shipped')
  })

  test.each([
    ['alone', (staff, [id]) => refusal(setOrderStatus(staff, id, { status: 'shipped' }))],
    ['with others', (staff, ids) => setOrderStatuses(staff, { ids, status: 'shipped' })],
  ] satisfies [string, (staff: Context, ids: [string, string]) => Promise<unknown>][])(
    'a new alert that refuses to let an order ship %s returns the line to the queue and is in the audit log',
    async (_how, ship) => {
      const db = await openDb()
      const { pharmacist, customer, customerId, order, staff } = await setUp(db)
      const items = [{ productVariantId: await addVariant(db), quantity: 1 }]
      const other = await placeOrder(db, customerId, { items })
      await addCareLists(db, testDay)
      await updateProfile(customer, { currentMedications: 'Warfarin' })
      await ship(staff, [order.id, other.id])
      expect(await actionsOf(db, staff, customerId)).toEqual(['alerts.read', 'order.line-reopened'])
      const { rows } = await listCases(pharmacist, caseQuerySchema.parse({}))
      expect(rows).toMatchObject([{ id: order.id, lines: { waiting: 1, cleared: 0 } }])
      expect(lineOf(await getCase(pharmacist, order.id))).toMatchObject({
        status: 'waiting',
        fillStatus: 'reserved',
        decision: {
          notes: [{ kind: 'reopened', text: 'Returned to the queue: a new alert kept it from shipping.' }],
        },
      })
    },
  )

  test('the preview of a shipping that a new alert refuses changes nothing', async () => {
    const db = await openDb()
    const { pharmacist, customer, order, staff } = await setUp(db)
    await addCareLists(db, testDay)
    await updateProfile(customer, { currentMedications: 'Warfarin' })
    const preview = await previewStatusChange(staff, { target: { ids: [order.id] }, status: 'shipped' })
    expect(preview.refused).toMatchObject([{ id: order.id, isNewAlert: true }])
    expect(lineOf(await getCase(pharmacist, order.id)).status).toBe('cleared')
  })

  test.each(['productVariants', 'products'] as const)(
    'a medicine that becomes a controlled substance in %s is neither cleared nor shipped',
    async (table) => {
      const db = await openDb()
      const { pharmacist, order, ship } = await setUp(db)
      await db.updateTable(table).set({ controlledSchedule: 'CSA schedule IV' }).execute()
      expect((await refusal(ship())).message).toContain(
        'Lisinopril can no longer be sold. A pharmacist must refuse it.',
      )
      const { id: lineId, version } = lineOf(await getCase(pharmacist, order.id))
      const opened = await reopenLine(pharmacist, { lineId, version })
      expect(await fieldsOf(clearLine(pharmacist, clearInputOf(lineOf(opened))))).toEqual({
        line: 'This can’t be dispensed: CSA schedule IV. Refuse the line.',
      })
    },
  )
})
