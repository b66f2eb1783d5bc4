import {
  askInputSchema,
  callInputSchema,
  closeItemInputSchema,
  refuseInputSchema,
  type LineInput,
} from '#domain/dispensing/case-inputs.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { dependantSchema } from '#domain/patients/dependant-fields.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import type { Context } from '#server/context.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { addToList, setNoKnownAllergies } from '#server/patients/change-record.ts'
import { saveDependant } from '#server/patients/dependants.ts'
import { askAboutLine } from '#server/reviews/ask-about-line.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { closeItem } from '#server/reviews/close-item.ts'
import { decideAlert } from '#server/reviews/decide-alert.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { getTransferRecord } from '#server/reviews/get-item-sheet.ts'
import { noteCall } from '#server/reviews/note-call.ts'
import { refuseLine } from '#server/reviews/refuse-line.ts'
import { reopenLine } from '#server/reviews/reopen-line.ts'
import { secondCheck } from '#server/reviews/second-check.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addCareLists, alertOf, decisionInputOf } from '#tests/support/alerts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { runMoneyJobs } from '#tests/support/payment-holds.ts'
import { addPharmacist, clearInputOf, clearOrder, transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import {
  dayMs,
  fieldsOf,
  itemOf,
  lineOf,
  msLater,
  openCase,
  prescriptionOf,
  refusal,
} from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

const versionOf = (current: ReviewCase): LineInput => {
  const { id: lineId, version } = lineOf(current)
  return { lineId, version }
}

const askOf = (current: ReviewCase) =>
  askInputSchema.parse({ ...versionOf(current), question: 'Which strength?', lastMessageId: '' })

eachEngine((_engine, openDb) => {
  test('a line is cleared on items of its own customer only', async () => {
    const db = await openDb()
    const [own, other] = [await openCase(db), await openCase(db)]
    const read = async ({ pharmacist, order, variantId }: typeof own) =>
      transcribe(pharmacist, prescriptionOf(await getCase(pharmacist, order.id)), [variantId])
    const [line, { id: itemId, version: itemVersion }] = [lineOf(await read(own)), itemOf(await read(other))]
    const input = clearInputOf(line, { itemId, itemVersion })
    expect(await fieldsOf(clearLine(own.pharmacist, input))).toEqual({
      itemId: 'Choose one of this patient’s items.',
    })
    expect(await db.selectFrom('fills').select('id').execute()).toEqual([])
  })

  test('a line on a dependant’s item is screened for them', async () => {
    const db = await openDb()
    const { pharmacist, customer, customerId, order, variantId } = await openCase(db)
    await addCareLists(db, testDay)
    const sofia = dependantSchema(testDay).parse({ firstName: 'Sofia', dateOfBirth: '1990-05-05' })
    const patientId = await saveDependant(customer, sofia)
    await setNoKnownAllergies(customer, { patientId, none: true })
    await addToList(customer, { patientId, list: 'medications', name: 'Warfarin' })
    const paper = await addPrescription(db, customerId, { patientId })
    const names = { patientName: 'Sofia' }
    await transcribe(pharmacist, { id: paper.id, version: 1 }, [variantId], names)
    const opened = await getCase(pharmacist, order.id)
    expect(opened.screening?.alerts).toEqual([])
    expect(await fieldsOf(clearLine(pharmacist, clearInputOf(lineOf(opened))))).toMatchObject({
      line: 'An alert needs your decision first.',
    })
  })

  test('a line is cleared on the item that the pharmacist saw, and once', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db)
    await addCareLists(db, testDay)
    const seen = await transcribe(pharmacist, prescriptionOf(await getCase(pharmacist, order.id)), [
      variantId,
    ])
    const { id, version } = itemOf(seen)
    const items = [{ id, version, directions: 'Take half a tablet daily' }]
    const edited = await transcribe(pharmacist, prescriptionOf(seen), [variantId], { items })
    const stale = { code: 'CONFLICT', current: { id: order.id } }
    expect(await refusal(clearLine(pharmacist, clearInputOf(lineOf(seen))))).toMatchObject(stale)
    const cleared = await clearLine(pharmacist, clearInputOf(lineOf(edited)))

    const again = clearInputOf(lineOf(cleared), { earlyNote: 'Yes' })
    expect(await refusal(clearLine(pharmacist, again))).toMatchObject(stale)
    expect(await refusal(askAboutLine(pharmacist, askOf(cleared)))).toMatchObject(stale)
    expect(await db.selectFrom('fills').select('status').execute()).toEqual([{ status: 'cleared' }])
  })

  test('an alert of a cleared line is not decided on', async () => {
    const db = await openDb()
    const { pharmacist, customer, order } = await openCase(db)
    await clearOrder(db, order.id)
    await addCareLists(db, testDay)
    await updateProfile(customer, { currentMedications: 'Warfarin' })
    const current = await getCase(pharmacist, order.id)
    const decision = decisionInputOf(lineOf(current), alertOf(current))
    expect(await refusal(decideAlert(pharmacist, decision))).toMatchObject({ code: 'CONFLICT' })
    expect(await db.selectFrom('alertDecisions').select('id').execute()).toEqual([])
  })

  test('nothing is decided about a line of an order that was cancelled', async () => {
    const db = await openDb()
    const { pharmacist, customer, order, variantId } = await openCase(db)
    await addCareLists(db, testDay)
    await updateProfile(customer, { currentMedications: 'Warfarin' })
    await transcribe(pharmacist, prescriptionOf(await getCase(pharmacist, order.id)), [variantId])
    await cancelOrder(customer, order.id)
    const current = await getCase(pharmacist, order.id)
    expect(lineOf(current).status).toBe('waiting')
    const refused = refuseInputSchema.parse({ ...versionOf(current), reason: 'Another strength' })
    const attempts = [
      () => clearLine(pharmacist, clearInputOf(lineOf(current))),
      () => askAboutLine(pharmacist, askOf(current)),
      () => decideAlert(pharmacist, decisionInputOf(lineOf(current), alertOf(current))),
      () => refuseLine(pharmacist, refused),
    ]
    for (const attempt of attempts)
      expect(await refusal(attempt())).toMatchObject({
        code: 'CONFLICT',
        message: 'This order is cancelled.',
      })
  })

  test('a line that has shipped is neither returned to the queue nor checked', async () => {
    const db = await openDb()
    const { pharmacist, order } = await openCase(db)
    const colleague = await addPharmacist(db, { firstName: 'Eli', lastName: 'Ruiz' })
    const waiting = versionOf(await getCase(pharmacist, order.id))
    await db
      .insertInto('settings')
      .values({ name: 'twoPharmacists', value: 'true', updatedAt: testDay })
      .execute()
    for (const act of [reopenLine, secondCheck])
      expect(await refusal(act(colleague, waiting))).toMatchObject({
        code: 'CONFLICT',
        current: { id: order.id },
      })
    await clearOrder(db, order.id)
    await db.updateTable('orders').set({ status: 'shipped' }).execute()
    const shipped = versionOf(await getCase(colleague, order.id))
    for (const act of [reopenLine, secondCheck])
      expect(await refusal(act(colleague, shipped))).toMatchObject({
        code: 'CONFLICT',
        message: 'This order is shipped.',
      })
  })

  test('a line on a prescription that is not approved does not ship', async () => {
    const db = await openDb()
    const { order } = await openCase(db)
    await clearOrder(db, order.id)
    await runMoneyJobs(testContext(db))
    // As a restored backup, or a defect, may leave it: a rejection returns the line to the queue.
    await db.updateTable('prescriptions').set({ status: 'rejected' }).execute()
    const admin = await makeUser(db, { isAdmin: true })
    const staff: Context = testContext(db, { user: signedIn(admin, { isAdmin: true }) })
    expect((await refusal(setOrderStatus(staff, order.id, { status: 'shipped' }))).message).toContain(
      'is on a prescription that is not approved',
    )
  })

  test('an item is closed once', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db)
    const opened = prescriptionOf(await getCase(pharmacist, order.id))
    const { id, version } = itemOf(await transcribe(pharmacist, opened, [variantId]))
    const close = (version: number) =>
      closeItem(
        pharmacist,
        closeItemInputSchema.parse({ itemId: id, version, reason: 'revoked', note: 'Call' }),
      )
    await close(version)
    // Revoked, not transferred: no other pharmacy gets its record.
    expect(await refusal(getTransferRecord(pharmacist, id))).toMatchObject({ code: 'CONFLICT' })
    for (const seen of [version, version + 1])
      expect(await refusal(close(seen))).toMatchObject({ code: 'CONFLICT' })
    const audit = db.selectFrom('auditLog').select('action').where('action', '=', 'prescription.item-closed')
    expect(await audit.execute()).toHaveLength(1)
  })

  test('a decision about a patient without an open case needs a reason', async () => {
    const db = await openDb()
    const { pharmacist, order } = await openCase(db)
    await clearOrder(db, order.id)
    await db.updateTable('orders').set({ status: 'delivered' }).execute()
    const current = await getCase(pharmacist, order.id)
    const later = { ...pharmacist, now: msLater(3 * dayMs) }
    const { id: itemId, version } = itemOf(current)
    const closing = closeItemInputSchema.parse({ itemId, version, reason: 'revoked', note: 'Call' })
    const call = callInputSchema.parse({ ...versionOf(current), note: 'Dr. Natarajan: stop it' })
    expect(await refusal(closeItem(later, closing))).toMatchObject({ code: 'REASON_REQUIRED' })
    expect(await refusal(noteCall(later, call))).toMatchObject({ code: 'REASON_REQUIRED' })
    const items = db.selectFrom('prescriptionItems').select('status')
    expect(await items.execute()).toEqual([{ status: 'active' }])
    const reviews = db.selectFrom('lineReviews').select('version')
    expect(await reviews.execute()).toEqual([{ version: versionOf(current).version }])
  })
})
