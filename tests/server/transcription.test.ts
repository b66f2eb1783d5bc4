import { listFillsOfOrders } from '#db/dispensing/fills.ts'
import { closeItemInputSchema, transcriptionInputSchema } from '#domain/dispensing/case-inputs.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { newId } from '#domain/ids.ts'
import { parseInput } from '#domain/parse-input.ts'
import { decidePrescription } from '#server/prescriptions/decide-prescription.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { closeItem } from '#server/reviews/close-item.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { getItemForStaff } from '#server/reviews/get-item-sheet.ts'
import { getLabel } from '#server/reviews/get-label.ts'
import { saveTranscription } from '#server/reviews/save-transcription.ts'
import { suggestMedicines } from '#server/reviews/suggest-medicines.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addVariant, testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import {
  addPharmacist,
  clearInputOf,
  clearOrder,
  transcribe,
  transcriptionOf,
} from '#tests/support/pharmacist.ts'
import { addPrescription, hashFile } from '#tests/support/prescriptions.ts'
import {
  addMedicine,
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

eachEngine((_engine, openDb) => {
  test('what is transcribed is refused beside its field', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db)
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
    expect(await fieldsOf(save({ writtenOn: '2026-01-07' }))).toEqual({
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
    const capsule = await addMedicine(db, { dosageForm: 'capsule' })
    expect(await fieldsOf(save({}, { variantId: capsule, directions: '1 tab po bid' }))).toEqual({
      'items[0].directions':
        'The directions say tablet, but this medicine is a capsule. Correct the directions or choose another medicine.',
    })
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

  test('a prescription written today in the easternmost time zone can be transcribed and filled', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db)
    const seen = await transcribe(
      pharmacist,
      prescriptionOf(await getCase(pharmacist, order.id)),
      [variantId],
      { writtenOn: '2026-01-06' },
    )
    const cleared = await clearLine(pharmacist, clearInputOf(lineOf(seen)))
    expect(lineOf(cleared).status).toBe('cleared')
  })

  test('what was rejected or has expired is not transcribed, nor edited through another prescription', async () => {
    const db = await openDb()
    const { pharmacist, customerId, order, prescription, variantId } = await openCase(db)
    const opened = prescriptionOf(await getCase(pharmacist, order.id))
    const { id, version } = itemOf(await transcribe(pharmacist, opened, [variantId]))
    const other = await addPrescription(db, customerId, { expiryDate: '2026-01-06' })
    const paper = { id: other.id, version: 1 }
    const edit = { items: [{ id, version }], duplicateNote: 'Checked' }
    expect(await refusal(transcribe(pharmacist, paper, [variantId], edit))).toMatchObject({
      code: 'NOT_FOUND',
    })
    const late = { ...pharmacist, now: msLater(2 * dayMs) }
    expect((await refusal(transcribe(late, paper, [variantId], { duplicateNote: 'Checked' }))).message).toBe(
      'This prescription has expired by the date that the customer entered.',
    )
    const rejection = { status: 'rejected', statusReason: 'Revoked' } as const
    await decidePrescription(pharmacist, prescription.id, rejection, { link: 'https://shop.example' })
    const rejected = prescriptionOf(await getCase(pharmacist, order.id))
    expect((await refusal(transcribe(pharmacist, rejected, [variantId]))).message).toBe(
      'This prescription was rejected. Return it to review first.',
    )
    const stored = await db.selectFrom('prescriptionItems').select('version').execute()
    expect(stored).toEqual([{ version }])
  })

  test('the label and the printed sheets name the patient as the prescription does', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db)
    const opened = await transcribe(
      pharmacist,
      prescriptionOf(await getCase(pharmacist, order.id)),
      [variantId],
      {
        patientName: 'Ida O’Hara',
        patientNameNote: 'The customer’s daughter, by the practice',
      },
    )
    expect(prescriptionOf(opened).transcription).toMatchObject({ isPatientName: false })
    const { id: lineId } = lineOf(await clearLine(pharmacist, clearInputOf(lineOf(opened))))
    const { label } = await getLabel(pharmacist, { orderId: order.id, lineId })
    expect(label.patientName).toBe('Ida O’Hara')
    expect((await getItemForStaff(pharmacist, itemOf(opened).id)).patientName).toBe('Ida O’Hara')
  })

  test('a medicine that was typed twice is not stored twice, and other directions are another item', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db)
    const opened = prescriptionOf(await getCase(pharmacist, order.id))
    const save = (directions: string) =>
      transcribe(pharmacist, opened, [variantId, variantId], { items: [{}, { directions }] })
    expect(await fieldsOf(save('Take 1 tablet by mouth twice a day'))).toEqual({
      'items[1].variantId':
        'Lisinopril 10 mg is in this form twice with the same directions. Remove one, or correct it.',
    })
    expect(prescriptionOf(await getCase(pharmacist, order.id)).items).toEqual([])
    expect(prescriptionOf(await save('2 tab po daily')).items).toHaveLength(2)
  })

  test('an edit returns what was cleared to the queue, and a raise needs the prescriber', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db)
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
    expect(await refusal(save(cleared, { units: '50' }))).toMatchObject({ code: 'CONFLICT' })
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
      closed: { by: 'Dana Fox', at: pharmacist.now.toISOString() },
    })
    expect(lineOf(closed)).toMatchObject({ status: 'waiting' })
    expect(await fieldsOf(clearLine(pharmacist, clearInputOf(lineOf(closed))))).toHaveProperty('itemId')
  })

  test('the same file and the same drug of one prescriber and day must be decided', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, customerId, prescription } = await openCase(db)
    await clearOrder(db, order.id)
    const second = await addPrescription(db, customerId, { now: testDay })
    const other = await addPrescription(db, await makeUser(db), { now: testDay })
    await hashFile(db, second.id)
    const save = async (note?: string, duplicatesSeen?: string[]) =>
      transcribe(pharmacist, prescriptionOf(await getCase(pharmacist, second.id)), [variantId], {
        writtenOn: '2026-01-05',
        ...(note === undefined ? {} : { duplicateNote: note }),
        ...(duplicatesSeen && { duplicatesSeen }),
      })
    expect((await fieldsOf(save()))['duplicateNote']).toContain(
      'Rx 000001 has the same prescriber, date and medicine.',
    )
    await hashFile(db, other.id)
    expect(prescriptionOf(await getCase(pharmacist, second.id)).possibleDuplicates).toMatchObject([
      { prescriptionId: other.id, reason: 'file', isOtherCustomer: true, medicine: null },
    ])
    expect((await fieldsOf(save()))['duplicateNote']).toContain(
      'Another customer’s prescription has the same file.',
    )
    // The note is about what the case showed: it did not yet show the same prescriber and day.
    expect(await fieldsOf(save('The practice confirmed two prescriptions'))).toEqual({
      duplicateNote: expect.stringContaining('Rx 000001 has the same prescriber, date and medicine.'),
      [`duplicate-${prescription.id}`]: expect.stringContaining('Rx 000001'),
    })
    const saved = await save('The practice confirmed two prescriptions', [other.id, prescription.id])
    expect(prescriptionOf(saved)).toMatchObject({
      transcription: { duplicate: { note: 'The practice confirmed two prescriptions', by: 'Dana Fox' } },
      possibleDuplicates: [{ reason: 'file' }, { reason: 'content', prescriptionId: prescription.id }],
    })
    // The decision on the file holds when the prescriber's name is corrected.
    const { id, version, directions } = itemOf(saved)
    const corrected = await transcribe(pharmacist, prescriptionOf(saved), [variantId], {
      writtenOn: '2026-01-05',
      prescriberName: 'Dr. Corrected Name',
      duplicateNote: 'The practice confirmed two prescriptions',
      items: [{ id, version, variantId: '', directions }],
    })
    expect(prescriptionOf(corrected)).toMatchObject({ possibleDuplicates: [{ reason: 'file' }] })
  })

  test('a medicine that is added after the decision on a duplicate is compared, also with the same file', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, customerId, prescription } = await openCase(db)
    const metformin = await addMedicine(db, { name: 'Metformin' })
    const open = async (id: string) => getCase(pharmacist, id)
    await transcribe(pharmacist, prescriptionOf(await open(order.id)), [variantId, metformin])
    const second = await addPrescription(db, customerId, { now: testDay })
    for (const { id } of [prescription, second]) await hashFile(db, id)
    const note = 'The practice confirmed two prescriptions'
    const decided = await transcribe(pharmacist, prescriptionOf(await open(second.id)), [variantId], {
      duplicateNote: note,
    })
    const save = async (duplicateNote: string, added: readonly string[]) => {
      const { id, version, directions } = itemOf(decided)
      return transcribe(pharmacist, prescriptionOf(await open(second.id)), [variantId, ...added], {
        duplicateNote,
        items: [{ id, version, variantId: '', directions }, ...added.map(() => ({}))],
      })
    }
    // The form sends the note again.
    expect(prescriptionOf(await save(note, [])).items).toHaveLength(1)
    expect((await fieldsOf(save(note, [metformin])))['duplicateNote']).toContain(
      'has the same prescriber, date and medicine. Check whether this is a copy. If it isn’t, say why. The note so far is about other medicines.',
    )
    const saved = await save(`${note}, each with metformin`, [metformin])
    expect(prescriptionOf(saved).items).toHaveLength(2)
  })

  test('medicines to choose show ingredient, brand and strength, and why one cannot be chosen', async () => {
    const db = await openDb('demo')
    const pharmacist = await addPharmacist(db)
    const options = await suggestMedicines(pharmacist, 'lisinopril')
    expect(options.length).toBeGreaterThan(0)
    expect(options[0]).toMatchObject({ problem: null, medicine: { ingredientSet: 'lisinopril' } })
  })
})
