import type { Db } from '#db/engine/client.ts'
import { listFillsOfOrders } from '#db/dispensing/fills.ts'
import { findOrderHold } from '#db/orders/payment-holds.ts'
import {
  callInputSchema,
  caseQuerySchema,
  closeItemInputSchema,
  didNotLeaveInputSchema,
  refuseInputSchema,
  transcriptionInputSchema,
} from '#domain/dispensing/case-inputs.ts'
import type { CaseLine, ReviewCase } from '#domain/dispensing/review-case.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { parseInput } from '#domain/parse-input.ts'
import { americanSchedule } from '#server/catalog/directory/schedules.ts'
import { completeEarlierData } from '#server/jobs/complete-earlier-data.ts'
import { openContent, sealOrder } from '#server/orders/sealed-order.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import type { Context } from '#server/context.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { sendToPharmacy } from '#server/messages/send-message.ts'
import { decidePrescription } from '#server/prescriptions/decide-prescription.ts'
import { askAboutLine } from '#server/reviews/ask-about-line.ts'
import { listViewers, saveDraft } from '#server/reviews/case-drafts.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { closeItem } from '#server/reviews/close-item.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { listCases } from '#server/reviews/list-cases.ts'
import { noteCall } from '#server/reviews/note-call.ts'
import { refuseLine } from '#server/reviews/refuse-line.ts'
import { didNotLeave, reopenLine } from '#server/reviews/reopen-line.ts'
import { reopenExpiredLines } from '#server/reviews/reopen-expired-lines.ts'
import { saveTranscription } from '#server/reviews/save-transcription.ts'
import { secondCheck } from '#server/reviews/second-check.ts'
import { suggestMedicines } from '#server/reviews/suggest-medicines.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import {
  addPharmacist,
  answerHealthQuestions,
  clearInputOf,
  clearOrder,
  transcribe,
  transcriptionOf,
} from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { expect, test } from 'vitest'

const hour = 3600_000
const day = 24 * hour
const later = (ms: number): Date => new Date(testDay.getTime() + ms)

async function addMedicine(db: Db, overrides: Parameters<typeof addVariant>[1] & { name?: string } = {}) {
  const { name = 'Lisinopril', ...variant } = overrides
  const productId = await addProduct(db, { name, category: 'Rx', ingredients: name.toLowerCase() })
  return addVariant(db, { productId, genericName: name, strength: '10', ...variant })
}

/** A customer's order of two packs of a prescription medicine, which waits for a pharmacist. */
async function setUp(db: Db, { quantity = 2, isHealthAnswered = true, country = 'United States' } = {}) {
  await db
    .insertInto('pharmacies')
    .values({
      id: newId(),
      name: `Pharmacy ${newId()}`,
      country: 'United States',
      licenseNumber: 'US-1',
      licenseExpiry: '2030-01-01',
      shipsTo: JSON.stringify([country]),
      active: true,
      createdAt: testDay,
      updatedAt: testDay,
    })
    .execute()
  const pharmacist = await addPharmacist(db)
  const customerId = await makeUser(db)
  const customer = testContext(db, { user: signedIn(customerId) })
  if (isHealthAnswered) await answerHealthQuestions(db, customerId)
  const variantId = await addMedicine(db)
  const prescription = await addPrescription(db, customerId, { now: testDay })
  const order = await placeOrder(db, customerId, {
    items: [{ productVariantId: variantId, quantity }],
    prescriptionId: prescription.id,
  })
  return { pharmacist, customer, customerId, variantId, prescription, order }
}

const lineOf = ({ lines: [line] }: ReviewCase): CaseLine => {
  if (!line) throw new Error('The case has no line.')
  return line
}
const prescriptionOf = ({ prescriptions: [prescription] }: ReviewCase) => {
  if (!prescription) throw new Error('The case has no prescription.')
  return prescription
}
const itemOf = (current: ReviewCase) => {
  const [item] = prescriptionOf(current).items
  if (!item) throw new Error('The prescription has no item.')
  return item
}
const refusal = async (work: Promise<unknown>): Promise<AppError> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof AppError)) throw new Error(`Not refused: ${String(error)}`)
  return error
}
const fieldsOf = async (work: Promise<unknown>) => (await refusal(work)).fields
const query = (params: Record<string, string> = {}) => caseQuerySchema.parse(params)

eachEngine((_engine, openDb) => {
  test('a pharmacist transcribes a file, clears its line, and the payment is captured', async () => {
    const db = await openDb()
    const { pharmacist, order, prescription, variantId, customerId } = await setUp(db)
    const opened = await getCase(pharmacist, order.id)
    expect(opened).toMatchObject({
      id: order.id,
      kind: 'order',
      readOnlyReason: null,
      destination: { country: 'United States', state: 'ME', isServed: true, isDomestic: true, rules: [] },
      order: { status: 'processing', hold: { status: 'authorized', isRefused: false } },
      lines: [
        {
          status: 'waiting',
          units: 48,
          candidates: [],
          blockers: ['Transcribe the prescription first.'],
          prescriptionId: prescription.id,
        },
      ],
      prescriptions: [
        { id: prescription.id, rxNumber: 'Rx 000001', status: 'under_review', transcription: null },
      ],
    })
    // The prescription's own address leads to the order that waits for it.
    expect((await getCase(pharmacist, prescription.id)).id).toBe(order.id)

    const transcribed = await transcribe(pharmacist, prescriptionOf(opened), [variantId])
    expect(prescriptionOf(transcribed)).toMatchObject({
      status: 'approved',
      transcription: { isPatientName: true, authentication: { method: 'prescriber', by: 'Dana Fox' } },
      items: [
        {
          directions: 'Take 1 tablet by mouth twice a day',
          unitsPerFill: 48,
          daysSupply: 30,
          refillsLeft: 2,
          validThrough: '2027-01-02',
          transcribedBy: 'Dana Fox',
        },
      ],
    })
    expect(lineOf(transcribed)).toMatchObject({ blockers: [], candidates: [{ problem: null, needs: null }] })

    const cleared = await clearLine(pharmacist, clearInputOf(lineOf(transcribed)))
    expect(cleared.lines).toMatchObject([{ status: 'cleared', decidedBy: 'Dana Fox', fillStatus: 'cleared' }])
    expect(cleared.history).toMatchObject([{ units: 48, daysSupply: 30, pharmacist: 'Dana Fox' }])
    expect(await findOrderHold(db, order.id)).toMatchObject({ status: 'capturing', amountCents: 1000 })
    const audited = await db
      .selectFrom('auditLog')
      .select('action')
      .where('actorId', '=', pharmacist.user?.id ?? '')
      .where('subjectId', '=', customerId)
      .execute()
    expect(new Set(audited.map(({ action }) => action))).toEqual(
      new Set([
        'profile.read',
        'order.read',
        'prescription.read',
        'prescription.transcribed',
        'order.line-cleared',
        'payment.capture-begun',
      ]),
    )
    const [mail] = await listOutbox(testContext(db))
    expect(JSON.stringify(mail)).not.toMatch(/lisinopril/i)
  })

  test('what is transcribed is refused beside its field', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await setUp(db)
    const prescription = prescriptionOf(await getCase(pharmacist, order.id))
    const save = async (changed: Record<string, unknown>, item: Record<string, unknown> = {}) => {
      const fields = transcriptionOf(prescription, [variantId], { ...changed, items: [item] })
      return saveTranscription(pharmacist, parseInput(transcriptionInputSchema, fields))
    }
    const wholeUnits = 'Enter a whole number from 1 to 10,000.'
    for (const units of ['0', '1000000000', '30.5', '-1', '1e3', ''])
      expect(await fieldsOf(save({}, { units }))).toEqual({ 'items[0].units': wholeUnits })
    expect(await fieldsOf(save({}, { daysSupply: '0' }))).toHaveProperty('items[0].daysSupply')
    expect(await fieldsOf(save({}, { daysSupply: '367' }))).toHaveProperty('items[0].daysSupply')
    expect(await fieldsOf(save({}, { refills: '99' }))).toHaveProperty('items[0].refills')
    expect(await fieldsOf(save({ writtenOn: '2026-01-06' }))).toEqual({
      writtenOn: 'The written date can’t be in the future.',
    })
    expect(await fieldsOf(save({ writtenOn: '1901-02-03' }))).toEqual({
      writtenOn: 'The prescription was written more than 12 months ago.',
    })
    expect(await fieldsOf(save({ npi: '1993999990' }))).toHaveProperty('npi')
    expect(await fieldsOf(save({ npi: '', license: 'A1' }))).toHaveProperty('jurisdiction')
    expect(await fieldsOf(save({ npi: '' }))).toHaveProperty('npi')
    expect(await fieldsOf(save({ patientName: 'Zoe Smith' }))).toHaveProperty('patientNameNote')
    expect(await fieldsOf(save({ authentication: { method: 'contacted', note: '' } }))).toHaveProperty([
      'authentication.note',
    ])
    expect(await fieldsOf(save({}, { validUntil: '2027-01-03' }))).toHaveProperty(['items[0].validUntil'])
    expect(await fieldsOf(save({}, { validUntil: '2026-01-04' }))).toHaveProperty(['items[0].validUntil'])
    expect(await fieldsOf(save({}, { dispenseAsWritten: 'on' }))).toHaveProperty([
      'items[0].dispenseAsWritten',
    ])
    expect(await fieldsOf(save({}, { directions: '1 tab QOD' }))).toHaveProperty(['items[0].directions'])
    const otc = await addVariant(db)
    expect(await fieldsOf(save({}, { variantId: otc }))).toEqual({
      'items[0].variantId': 'This is not a prescription medicine.',
    })
    const controlled = await addMedicine(db, { name: 'Tramadol', controlledSchedule: 'CSA schedule IV' })
    expect((await fieldsOf(save({}, { variantId: controlled })))['items[0].variantId']).toContain(
      'CSA schedule IV',
    )
    expect(await fieldsOf(save({}, { variantId: newId() }))).toHaveProperty(['items[0].variantId'])
    // Nothing was stored, and the last day of the year counts.
    expect(prescriptionOf(await getCase(pharmacist, order.id))).toMatchObject({ items: [], version: 1 })
    await save({ writtenOn: '2025-01-05', npi: '', license: 'A1', jurisdiction: 'on' })
    expect(await refusal(save({}))).toMatchObject({ code: 'CONFLICT', current: { id: order.id } })
  })

  test('only another person with a license decides', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, customerId } = await setUp(db)
    const opened = await getCase(pharmacist, order.id)
    const transcribed = await transcribe(pharmacist, prescriptionOf(opened), [variantId])
    const input = clearInputOf(lineOf(transcribed))
    const unlicensed = await addPharmacist(db, { isLicensed: false })
    expect(await refusal(clearLine(unlicensed, input))).toMatchObject({ code: 'FORBIDDEN' })
    expect((await getCase(unlicensed, order.id)).readOnlyReason).toContain('license')
    const admin = testContext(db, {
      user: signedIn(await makeUser(db, { isAdmin: true }), { isAdmin: true }),
    })
    expect(await refusal(clearLine(admin, input))).toMatchObject({ code: 'FORBIDDEN' })
    const self = { ...pharmacist, user: signedIn(customerId, { roles: ['pharmacist'] }) }
    expect(await refusal(clearLine(self, input))).toMatchObject({ code: 'FORBIDDEN' })
    const own = await setUp(db)
    await db
      .insertInto('pharmacistLicenses')
      .values({
        userId: own.customerId,
        number: '1',
        jurisdiction: 'OR',
        recordedBy: 'x',
        recordedAt: testDay,
      })
      .execute()
    const patient = testContext(db, { user: signedIn(own.customerId, { roles: ['pharmacist'] }) })
    const ownCase = await getCase(patient, own.order.id)
    expect(ownCase.readOnlyReason).toContain('your own')
    expect(await refusal(transcribe(patient, prescriptionOf(ownCase), [own.variantId]))).toMatchObject({
      code: 'CONFLICT',
    })
  })

  test('a line is cleared only with answers about the patient and authentication', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, customer } = await setUp(db, { isHealthAnswered: false })
    const opened = await getCase(pharmacist, order.id)
    const transcribed = await transcribe(pharmacist, prescriptionOf(opened), [variantId], {
      authentication: null,
    })
    expect(lineOf(transcribed).blockers).toHaveLength(3)
    expect(await fieldsOf(clearLine(pharmacist, clearInputOf(lineOf(transcribed))))).toHaveProperty('line')
    await updateProfile(customer, { dateOfBirth: '2010-01-06', allergies: 'No known allergies' })
    const [item] = prescriptionOf(transcribed).items
    const authenticated = await transcribe(pharmacist, prescriptionOf(transcribed), [variantId], {
      items: [{ id: item?.id, version: item?.version }],
    })
    // Nothing about the item has changed, so it keeps its version.
    expect(itemOf(authenticated).version).toBe(1)
    expect(authenticated.patient).toMatchObject({ isMinor: true, age: 15 })
    const line = lineOf(authenticated)
    expect(await fieldsOf(clearLine(pharmacist, clearInputOf(line)))).toEqual({
      'weight.kilograms': 'The patient is under 18. Enter the weight in kilograms.',
    })
    const weight = { kilograms: '41.5', on: '2026-01-06' }
    expect(await fieldsOf(clearLine(pharmacist, clearInputOf(line, { weight })))).toHaveProperty([
      'weight.on',
    ])
    const cleared = await clearLine(
      pharmacist,
      clearInputOf(line, { weight: { kilograms: '41.5', on: '2026-01-05' } }),
    )
    expect(lineOf(cleared).decision.notes).toMatchObject([
      { kind: 'weight', text: '41.5 kg on 2026-01-05', by: 'Dana Fox' },
    ])
  })

  test('of two pharmacists who clear a line at once one does, and the other sees who did', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await setUp(db)
    const other = await addPharmacist(db, { firstName: 'Eli', lastName: 'Ruiz' })
    const opened = await transcribe(pharmacist, prescriptionOf(await getCase(pharmacist, order.id)), [
      variantId,
    ])
    const input = clearInputOf(lineOf(opened))
    const outcomes = await Promise.allSettled([clearLine(pharmacist, input), clearLine(other, input)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const winner = outcomes[0]?.status === 'fulfilled' ? 'Dana Fox' : 'Eli Ruiz'
    const loser = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(loser?.reason).toMatchObject({
      code: 'CONFLICT',
      message: `${winner} cleared this line.`,
      current: { lines: [{ status: 'cleared', decidedBy: winner }] },
    })
    expect(await listFillsOfOrders(db, [order.id])).toHaveLength(1)
  })

  test('an edit returns what was cleared to the queue, and a raise needs the prescriber', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await setUp(db)
    await clearOrder(db, order.id)
    const cleared = await getCase(pharmacist, order.id)
    const { id, version } = itemOf(cleared)
    const save = (current: ReviewCase, item: Record<string, unknown>) =>
      transcribe(pharmacist, prescriptionOf(current), [variantId], {
        writtenOn: '2026-01-05',
        items: [{ id, version, ...item }],
      })
    expect(await fieldsOf(save(cleared, { units: '60' }))).toHaveProperty(['items[0].agreement.with'])
    expect(await fieldsOf(save(cleared, { refills: '3' }))).toHaveProperty(['items[0].agreement.with'])
    expect(await fieldsOf(save(cleared, { units: '24', refills: '0' }))).toHaveProperty(['items[0].units'])
    const other = await addMedicine(db, { name: 'Warfarin' })
    expect(await fieldsOf(save(cleared, { variantId: other }))).toHaveProperty(['items[0].variantId'])
    const raised = await save(cleared, {
      units: '60',
      agreement: { with: 'Dr. Quillfeather', on: '2026-01-05' },
    })
    expect(itemOf(raised)).toMatchObject({
      unitsPerFill: 60,
      version: version + 1,
      agreements: [{ kind: 'quantity', with: 'Dr. Quillfeather', by: 'Dana Fox' }],
    })
    expect(lineOf(raised)).toMatchObject({ status: 'waiting', fillStatus: 'reserved', decidedBy: null })
    expect(await refusal(save(raised, { units: '50' }))).toMatchObject({ code: 'CONFLICT' })
    // Cleared again on the new version, with the fill that it already has.
    const again = await clearLine(pharmacist, clearInputOf(lineOf(raised)))
    expect(await listFillsOfOrders(db, [order.id])).toHaveLength(1)

    const closing = {
      itemId: id,
      version: itemOf(again).version,
      reason: 'revoked',
      note: 'Called by the practice',
    }
    const closed = await closeItem(pharmacist, closeItemInputSchema.parse(closing))
    expect(itemOf(closed)).toMatchObject({
      status: 'closed',
      closedReason: 'Revoked by the prescriber: Called by the practice',
    })
    expect(lineOf(closed)).toMatchObject({ status: 'waiting' })
    expect(await fieldsOf(clearLine(pharmacist, clearInputOf(lineOf(closed))))).toHaveProperty('itemId')
  })

  test('an early refill and a substitute need a recorded decision', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, customerId, prescription } = await setUp(db)
    await clearOrder(db, order.id)
    await db.updateTable('fills').set({ status: 'dispensed', dispensedAt: testDay }).execute()
    const released = await addVariant(db, {
      productId: (
        await db
          .selectFrom('productVariants')
          .select('productId')
          .where('id', '=', variantId)
          .executeTakeFirstOrThrow()
      ).productId,
      genericName: 'Lisinopril dihydrate',
      strength: '10',
    })
    const second = await addPrescription(db, customerId, { now: testDay })
    const placed = await placeOrder(db, customerId, {
      items: [{ productVariantId: released, quantity: 2 }],
      prescriptionId: second.id,
    })
    const opened = await getCase(pharmacist, placed.id)
    const [candidate] = lineOf(opened).candidates
    expect(candidate).toMatchObject({ needs: 'both', difference: 'salt', problem: { kind: 'different' } })
    const input = clearInputOf(lineOf(opened))
    // The prescription that the customer chose is not transcribed; the item of the first covers it.
    expect(Object.keys(await fieldsOf(clearLine(pharmacist, input)))).toEqual([
      'earlyNote',
      'substitute.note',
    ])
    const codes = { prescribedCode: 'ab1', offeredCode: 'AB2' }
    expect(
      Object.keys(
        await fieldsOf(
          clearLine(pharmacist, clearInputOf(lineOf(opened), { earlyNote: 'Travels', substitute: codes })),
        ),
      ),
    ).toEqual(['substitute.agreement.with'])
    const cleared = await clearLine(
      pharmacist,
      clearInputOf(lineOf(opened), {
        earlyNote: 'Travels',
        substitute: { ...codes, agreement: { with: 'Dr. Quillfeather' } },
      }),
    )
    expect(lineOf(cleared).decision.notes.map(({ kind }) => kind)).toEqual(['early', 'substitute'])
    expect(lineOf(cleared).prescriptionId).toBe(prescription.id)
    expect(
      cleared.prescriptions
        .flatMap(({ items }) => items)
        .flatMap(({ agreements }) => agreements.map(({ kind }) => kind)),
    ).toEqual(['substitution'])
    // The third fill is the last: 144 units are authorized.
    expect(cleared.history.map(({ units }) => units)).toEqual([48, 48])
  })

  test('a cleared line returns to the queue when its item expires or loses its approval', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, prescription } = await setUp(db)
    const opened = prescriptionOf(await getCase(pharmacist, order.id))
    const items = [{ validUntil: '2026-01-10' }]
    await clearLine(
      pharmacist,
      clearInputOf(lineOf(await transcribe(pharmacist, opened, [variantId], { items }))),
    )
    const { keys } = pharmacist
    await reopenExpiredLines({ db, keys, now: later(5 * day) })
    expect(lineOf(await getCase(pharmacist, order.id)).status).toBe('cleared')
    await reopenExpiredLines({ db, keys, now: later(6 * day) })
    const expired = await getCase({ ...pharmacist, now: later(6 * day) }, order.id)
    expect(lineOf(expired)).toMatchObject({
      status: 'waiting',
      candidates: [{ problem: { kind: 'expired' } }],
    })

    const current = await getCase(pharmacist, order.id)
    await clearLine(pharmacist, clearInputOf(lineOf(current)))
    const link = 'https://shop.example'
    await decidePrescription(pharmacist, prescription.id, { status: 'under_review' }, { link })
    expect(lineOf(await getCase(pharmacist, order.id))).toMatchObject({
      status: 'waiting',
      fillStatus: 'reserved',
    })
    // An approval by status alone allows nothing that is too old.
    await db.updateTable('prescriptions').set({ sealedTranscription: null }).execute()
    expect(
      await refusal(
        decidePrescription(
          { ...pharmacist, now: later(400 * day) },
          prescription.id,
          { status: 'approved' },
          { link },
        ),
      ),
    ).toMatchObject({ code: 'CONFLICT' })
  })

  test('a destination that is not served must be decided', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await setUp(db, { country: 'Canada' })
    const opened = await getCase(pharmacist, order.id)
    expect(opened.destination).toMatchObject({ isServed: false, isDomestic: false })
    expect(opened.destination?.rules.map(({ id }) => id)).toEqual([
      'us-import-rx-general',
      'us-import-unapproved-discretion',
    ])
    const transcribed = await transcribe(pharmacist, prescriptionOf(opened), [variantId])
    const line = lineOf(transcribed)
    expect(await fieldsOf(clearLine(pharmacist, clearInputOf(line)))).toHaveProperty('destinationNote')
    const cleared = await clearLine(
      pharmacist,
      clearInputOf(line, { destinationNote: 'Same owner, state license held' }),
    )
    expect(lineOf(cleared).decision.notes).toMatchObject([{ kind: 'destination' }])
  })

  test('the same file and the same drug of one prescriber and day must be decided', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, customerId, prescription } = await setUp(db)
    await clearOrder(db, order.id)
    const second = await addPrescription(db, customerId, { now: testDay })
    const other = await addPrescription(db, await makeUser(db), { now: testDay })
    const hashFile = (id: string) =>
      db
        .updateTable('files')
        .set({ contentHash: 'the same' })
        .where('id', '=', (row) => row.selectFrom('prescriptions').select('fileId').where('id', '=', id))
        .execute()
    await hashFile(second.id)
    const save = async (note?: string) =>
      transcribe(pharmacist, prescriptionOf(await getCase(pharmacist, second.id)), [variantId], {
        writtenOn: '2026-01-05',
        ...(note === undefined ? {} : { duplicateNote: note }),
      })
    expect((await fieldsOf(save()))['duplicateNote']).toContain(
      'Rx 000001 has the same prescriber, date and medicine.',
    )
    await hashFile(other.id)
    expect(prescriptionOf(await getCase(pharmacist, second.id)).possibleDuplicates).toMatchObject([
      { prescriptionId: other.id, reason: 'file', isOtherCustomer: true, medicine: null },
    ])
    expect((await fieldsOf(save()))['duplicateNote']).toContain(
      'Another customer’s prescription has the same file.',
    )
    const saved = await save('The practice confirmed two prescriptions')
    expect(prescriptionOf(saved)).toMatchObject({
      transcription: { duplicate: { note: 'The practice confirmed two prescriptions', by: 'Dana Fox' } },
      possibleDuplicates: [{ reason: 'file' }, { reason: 'content', prescriptionId: prescription.id }],
    })
  })

  test('a refused line leaves the order, its fill is released and the rest is captured', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, prescription, customerId } = await setUp(db)
    const otherVariant = await addMedicine(db, { name: 'Warfarin' })
    const two = await placeOrder(db, customerId, {
      items: [
        { productVariantId: variantId, quantity: 1 },
        { productVariantId: otherVariant, quantity: 1 },
      ],
      prescriptionId: prescription.id,
    })
    await refuseLine(pharmacist, await refuseInput(pharmacist, order.id, 'Out of date'))
    expect((await getCase(pharmacist, order.id)).order).toMatchObject({ status: 'cancelled' })

    const opened = await getCase(pharmacist, two.id)
    const transcribed = await transcribe(pharmacist, prescriptionOf(opened), [variantId, otherVariant])
    for (const line of transcribed.lines)
      await clearLine(
        pharmacist,
        clearInputOf((await getCase(pharmacist, two.id)).lines.find(({ id }) => id === line.id) ?? line),
      )
    const cleared = await getCase(pharmacist, two.id)
    expect(await findOrderHold(db, two.id)).toMatchObject({ status: 'capturing', amountCents: 1000 })
    expect(await refusal(refuseLine(pharmacist, refuseInputOf(lineOf(cleared))))).toMatchObject({
      code: 'CONFLICT',
    })
    await db.updateTable('paymentHolds').set({ status: 'authorized' }).where('orderId', '=', two.id).execute()
    const refused = await refuseLine(pharmacist, refuseInputOf(lineOf(cleared), 'Your doctor stopped it'))
    expect(refused.lines.map(({ status, fillStatus }) => [status, fillStatus])).toEqual([
      ['refused', null],
      ['cleared', 'cleared'],
    ])
    expect(lineOf(refused).decision.reason).toBe('Your doctor stopped it')
    expect(await findOrderHold(db, two.id)).toMatchObject({ status: 'capturing', amountCents: 500 })
    expect(JSON.stringify(await listOutbox(testContext(db)))).not.toMatch(/lisinopril|warfarin|stopped/i)
  })

  test('a dispensed line that did not leave is cleared again', async () => {
    const db = await openDb()
    const { pharmacist, order } = await setUp(db)
    await clearOrder(db, order.id)
    const input = async () => {
      const { id: lineId, version } = lineOf(await getCase(pharmacist, order.id))
      return didNotLeaveInputSchema.parse({ lineId, version, reason: 'Found on the shelf' })
    }
    expect(await refusal(didNotLeave(pharmacist, await input()))).toMatchObject({ code: 'CONFLICT' })
    await db.updateTable('fills').set({ status: 'dispensed', dispensedAt: testDay }).execute()
    await db.updateTable('orders').set({ status: 'shipped' }).execute()
    expect(await refusal(didNotLeave(pharmacist, await input()))).toMatchObject({ code: 'CONFLICT' })
    await db.updateTable('orders').set({ status: 'processing' }).execute()
    const returned = await didNotLeave(pharmacist, await input())
    expect(lineOf(returned)).toMatchObject({
      status: 'waiting',
      fillStatus: null,
      decision: { notes: [{ kind: 'return', text: 'Found on the shelf' }] },
    })
    const cleared = await clearLine(pharmacist, clearInputOf(lineOf(returned)))
    expect(cleared.history.map(({ status }) => status)).toEqual(['cleared'])
    const { id: lineId, version } = lineOf(cleared)
    expect(lineOf(await reopenLine(pharmacist, { lineId, version }))).toMatchObject({
      status: 'waiting',
      fillStatus: 'reserved',
    })
  })

  test('the second check is another pharmacist’s', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await setUp(db)
    const opened = await transcribe(pharmacist, prescriptionOf(await getCase(pharmacist, order.id)), [
      variantId,
    ])
    const { id: lineId, version } = lineOf(await clearLine(pharmacist, clearInputOf(lineOf(opened))))
    const second = await addPharmacist(db, { firstName: 'Eli', lastName: 'Ruiz' })
    expect(await refusal(secondCheck(second, { lineId, version }))).toMatchObject({ code: 'CONFLICT' })
    await db
      .insertInto('settings')
      .values({ name: 'twoPharmacists', value: 'true', updatedAt: testDay })
      .execute()
    expect((await listCases(second, query({ filter: 'check' }))).rows).toMatchObject([
      { id: order.id, unchecked: 1 },
    ])
    expect(await refusal(secondCheck(pharmacist, { lineId, version }))).toMatchObject({ code: 'CONFLICT' })
    const checked = await secondCheck(second, { lineId, version })
    expect(lineOf(checked)).toMatchObject({ checkedBy: 'Eli Ruiz', canCheck: false })
    expect(await refusal(secondCheck(second, { lineId, version }))).toMatchObject({
      code: 'CONFLICT',
      current: { id: order.id },
    })
  })

  test('a line that was asked about waits for the customer’s answer', async () => {
    const db = await openDb()
    const { pharmacist, order, customer } = await setUp(db)
    const { id: lineId, version } = lineOf(await getCase(pharmacist, order.id))
    const asked = await askAboutLine(pharmacist, { lineId, version, question: 'Which dose do you take?' })
    expect(lineOf(asked)).toMatchObject({ status: 'asked', decidedBy: 'Dana Fox' })
    expect(
      await refusal(askAboutLine(pharmacist, { lineId, version, question: 'Which dose?' })),
    ).toMatchObject({ code: 'CONFLICT', current: { lines: [{ version: version + 1, status: 'asked' }] } })
    const idsOf = async (filter: string) =>
      (await listCases(pharmacist, query({ filter }))).rows.map(({ id }) => id)
    expect([await idsOf('asked'), await idsOf('new'), await idsOf('mine')]).toEqual([
      [order.id],
      [],
      [order.id],
    ])
    await sendToPharmacy(customer, { subjectId: order.id, text: '10 mg', requestKey: newId() })
    expect(lineOf(await getCase(pharmacist, order.id)).status).toBe('waiting')
    const noted = await noteCall(
      pharmacist,
      callInputSchema.parse({ lineId, version: version + 2, note: 'The practice confirms 10 mg' }),
    )
    expect(lineOf(noted).decision.notes).toMatchObject([{ kind: 'call', by: 'Dana Fox' }])
  })

  test('the queue sorts by when an authorization lapses, filters, pages and audits', async () => {
    const db = await openDb()
    const [one, two] = [await setUp(db), await setUp(db)]
    const { pharmacist } = one
    const alone = await addPrescription(db, await makeUser(db), { now: later(-3 * day) })
    const hold = (orderId: string, at: Date, refusedAt: Date | null = null) =>
      db
        .updateTable('paymentHolds')
        .set({ captureBefore: at, refusedAt })
        .where('orderId', '=', orderId)
        .execute()
    await hold(one.order.id, later(5 * day))
    await hold(two.order.id, later(40 * hour))
    const list = (params: Record<string, string> = {}, size = 50) =>
      listCases(pharmacist, { ...query(params), size })
    const { rows, counts } = await list()
    expect(rows.map(({ id }) => id)).toEqual([two.order.id, one.order.id, alone.id])
    expect(rows).toMatchObject([
      {
        kind: 'order',
        patientName: 'Zoë O’Hara',
        isDue: true,
        medicines: ['Lisinopril'],
        rxNumbers: ['Rx 000002'],
        lines: { waiting: 1, asked: 0 },
        destination: { country: 'United States' },
      },
      { isDue: false },
      { kind: 'prescription', rxNumbers: ['Rx 000003'], daysWaiting: 3, destination: null },
    ])
    expect(counts).toEqual({ new: 3, asked: 0, due: 1, mine: 0, check: 0, all: 3 })
    expect((await list({ sort: 'received' })).rows[0]?.id).toBe(alone.id)
    const first = await list({}, 2)
    const second = await list({ after: first.next ?? '' }, 2)
    expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    expect((await list({ before: second.previous ?? '' }, 2)).rows.map(({ id }) => id)).toEqual(
      first.rows.map(({ id }) => id),
    )
    await clearOrder(db, one.order.id)
    await db
      .updateTable('paymentHolds')
      .set({ status: 'authorized' })
      .where('orderId', '=', one.order.id)
      .execute()
    expect((await list()).rows.map(({ id }) => id)).toEqual([two.order.id, alone.id])
    // A refused capture brings the order back.
    await hold(one.order.id, later(5 * day), testDay)
    expect((await list({ filter: 'due' })).rows).toMatchObject([
      { id: two.order.id },
      { isCaptureRefused: true },
    ])
    expect(await refusal(listCases(one.customer, query()))).toMatchObject({ code: 'FORBIDDEN' })
  })

  test('a draft is its pharmacist’s, and others see who looks', async () => {
    const db = await openDb()
    const { pharmacist, order, customer, variantId } = await setUp(db)
    const other = await addPharmacist(db, { firstName: 'Eli', lastName: 'Ruiz' })
    await saveDraft(pharmacist, {
      caseId: order.id,
      fields: { 'items[0].directions': '1 tab po', note: ' ' },
    })
    expect((await getCase(pharmacist, order.id)).draft?.fields).toEqual({ 'items[0].directions': '1 tab po' })
    const seen = await getCase(other, order.id)
    expect([seen.draft, seen.viewers]).toEqual([null, ['Dana Fox']])
    expect(await listViewers({ ...other, now: later(3 * 60_000) }, order.id)).toEqual([])
    expect((await listCases(pharmacist, query({ filter: 'mine' }))).rows).toMatchObject([
      { id: order.id, hasDraft: true },
    ])
    const stored = await db.selectFrom('caseDrafts').select('sealedDraft').execute()
    expect(JSON.stringify(stored)).not.toContain('1 tab po')
    const transcribed = await transcribe(pharmacist, prescriptionOf(seen), [variantId], { caseId: order.id })
    expect(transcribed.draft).toBeNull()
    expect(await refusal(saveDraft(customer, { caseId: order.id, fields: {} }))).toMatchObject({
      code: 'FORBIDDEN',
    })
  })

  test('an earlier shop’s lines get a review, and pseudoephedrine is no longer sold', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, prescription, customerId } = await setUp(db)
    // As before migration 0032: no review, and the line names no medicine.
    const row = await db.selectFrom('orders').select(['id', 'sealedOrder']).executeTakeFirstOrThrow()
    const content = openContent(testKeys, row)
    const lines = content.lines.map(({ medicine: _medicine, units: _units, ...line }) => line)
    const sealedOrder = sealOrder(testKeys, order.id, { ...content, lines })
    await db.updateTable('orders').set({ sealedOrder }).execute()
    await db.deleteFrom('lineReviews').execute()
    const cold = await addProduct(db, { name: 'Cold relief', ingredients: 'Ibuprofen; Pseudoephedrine' })
    const rinse = await addProduct(db, { name: 'Drops', ingredients: 'Phenylephrine' })
    for (const _run of [1, 2]) await completeEarlierData({ db, keys: testKeys })
    const opened = await getCase(pharmacist, order.id)
    expect(lineOf(opened)).toMatchObject({
      status: 'waiting',
      prescriptionId: prescription.id,
      units: 48,
      medicine: { ingredientSet: 'lisinopril', strength: '10 mg' },
    })
    const transcribed = await transcribe(pharmacist, prescriptionOf(opened), [variantId])
    expect(lineOf(await clearLine(pharmacist, clearInputOf(lineOf(transcribed)))).status).toBe('cleared')

    const items = [{ productVariantId: await addVariant(db, { productId: cold }), quantity: 1 }]
    expect((await refusal(placeOrder(db, customerId, { items }))).message).toContain('Not available online.')
    const other = await db
      .selectFrom('products')
      .select('controlledSchedule')
      .where('id', '=', rinse)
      .execute()
    expect(other).toEqual([{ controlledSchedule: null }])
    expect(americanSchedule(['ibuprofen', 'pseudoephedrine'], 'tablet')).toBe('CSA scheduled listed chemical')
  })

  test('medicines to choose show ingredient, brand and strength, and why one cannot be chosen', async () => {
    const db = await openDb('demo')
    const pharmacist = await addPharmacist(db)
    const options = await suggestMedicines(pharmacist, 'lisinopril')
    expect(options.length).toBeGreaterThan(0)
    expect(options[0]).toMatchObject({ problem: null, medicine: { ingredientSet: 'lisinopril' } })
  })
})

const refuseInputOf = ({ id: lineId, version }: CaseLine, reason = 'Ask your doctor') =>
  refuseInputSchema.parse({ lineId, version, reason })
const refuseInput = async (ctx: Context, orderId: string, reason: string) =>
  refuseInputOf(lineOf(await getCase(ctx, orderId)), reason)
