import type { Db } from '#db/engine/client.ts'
import { AppError } from '#domain/errors.ts'
import { parseTranscription, transcriptionOf } from '#tests/support/pharmacist.ts'
import type { Context } from '#server/context.ts'
import { receiveFormUpload } from '#server/files/receive-upload.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { createPrescription } from '#server/prescriptions/create-prescription.ts'
import { deletePrescription } from '#server/prescriptions/delete-prescription.ts'
import { decidePrescription } from '#server/prescriptions/decide-prescription.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { saveTranscription } from '#server/reviews/save-transcription.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { asCustomer, buy } from '#tests/support/checkouts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { addItem } from '#tests/support/dispensing.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { addPharmacist, answerHealthQuestions, clearInputOf } from '#tests/support/pharmacist.ts'
import { addIdDocument, addPrescription, details } from '#tests/support/prescriptions.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'

/** A customer who has answered what clearing asks, and a medicine in packs of 30 tablets. */
async function setUp(db: Db) {
  const customer = await asCustomer(db)
  const userId = customer.user?.id ?? ''
  await answerHealthQuestions(db, userId)
  await addIdDocument(db, userId)
  const productId = await addProduct(db, { name: 'Warfarin', category: 'Rx', ingredients: 'Warfarin' })
  const medicine = { productId, genericName: 'Warfarin', packageSize: 30, stockQuantity: 9999 }
  const variantId = await addVariant(db, medicine)
  return { customer, userId, variantId, pharmacist: await addPharmacist(db) }
}

/** Uploads a file's bytes, as the form does. */
async function upload(customer: Context, file = samplePdf(), claim: Partial<typeof details> = {}) {
  const fileUrl = await receiveFormUpload(customer, Readable.from([file]))
  return createPrescription(customer, { ...details, expiryDate: null, ...claim, fileUrl })
}

const refusal = async (work: Promise<unknown>): Promise<AppError> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof AppError)) throw new Error(`Not refused: ${String(error)}`)
  return error
}

/** Transcribes the first prescription of a case: by default 30 tablets for 30 days, one refill. */
async function transcribe(
  pharmacist: Context,
  caseId: string,
  variantId: string,
  overrides: Record<string, unknown> = {},
) {
  const { prescriptions } = await getCase(pharmacist, caseId)
  const prescription = prescriptions.find(({ transcription }) => transcription === null)
  if (!prescription) throw new Error('Everything is transcribed.')
  const items = [{ units: '30', daysSupply: '30', refills: '1' }]
  const input = transcriptionOf(prescription, [variantId], { items, ...overrides })
  return saveTranscription(pharmacist, parseTranscription(input))
}

async function clear(pharmacist: Context, orderId: string, decisions: Record<string, unknown> = {}) {
  const [line] = (await getCase(pharmacist, orderId)).lines
  if (!line) throw new Error('The order has no line.')
  const none = line.candidates.length === 0 ? { itemId: line.id, itemVersion: 1 } : {}
  return clearLine(pharmacist, clearInputOf(line, { destinationNote: 'Checked', ...none, ...decisions }))
}

/** Staff of every role that ships, with each door to it. */
async function expectNotShipped(db: Db, orderId: string, now = testDay): Promise<void> {
  const id = '019a7c1e-0000-7000-8000-0000000000ad'
  for (const role of ['admin', 'pharmacist', 'fulfillment'] as const) {
    const staff = testContext(db, { now, user: signedIn(id, { roles: [role] }) })
    for (const status of ['shipped', 'delivered'] as const)
      expect(await refusal(setOrderStatus(staff, orderId, { status }))).toMatchObject({ code: 'CONFLICT' })
  }
  expect(await db.selectFrom('fills').select('id').where('status', '=', 'dispensed').execute()).toEqual([])
}

eachEngine((_engine, openDb) => {
  test('an approved stamp does not ship 377 packs', async () => {
    const db = await openDb()
    const { customer, variantId, pharmacist } = await setUp(db)
    const stamp = await upload(customer)
    const link = 'https://shop.example/prescriptions'
    await decidePrescription(pharmacist, stamp.id, { status: 'approved', statusReason: null }, { link })
    const { order } = await buy(customer, variantId, { quantity: 377, prescriptionId: stamp.id })
    await expectNotShipped(db, order.id)
    expect((await refusal(clear(pharmacist, order.id))).code).toBe('INVALID')
    await transcribe(pharmacist, order.id, variantId)
    const error = await refusal(clear(pharmacist, order.id, { earlyNote: 'Yes' }))
    expect(error.fields?.['itemId']).toMatch(/at most 30 tablets/)
    await expectNotShipped(db, order.id)
    // The next order is refused before it is paid.
    const next = await refusal(buy(customer, variantId, { quantity: 377 }))
    expect(next.fields?.['prescriptionId']).toMatch(/at most 30 tablets/)
  })

  test('a blank expiry does not make a prescription last', async () => {
    const db = await openDb()
    const { customer, variantId, pharmacist } = await setUp(db)
    const blank = await upload(customer)
    const { order } = await buy(customer, variantId, { prescriptionId: blank.id })
    await transcribe(pharmacist, order.id, variantId, { writtenOn: '2025-01-10' })
    await clear(pharmacist, order.id)
    // A year after it was written, what was cleared no longer ships and nothing else is sold on it.
    const later = new Date('2026-01-11T12:00:00Z')
    await expectNotShipped(db, order.id, later)
    const again = buy({ ...customer, now: later }, variantId, { prescriptionId: blank.id })
    expect(await refusal(again)).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/expired|Jan 10/),
    })
  })

  test('a prescription of 1901 clears nothing', async () => {
    const db = await openDb()
    const { customer, variantId, pharmacist } = await setUp(db)
    const old = await upload(customer, samplePdf(), { prescriptionDate: '1901-02-03' })
    const { order } = await buy(customer, variantId, { prescriptionId: old.id })
    const error = await refusal(transcribe(pharmacist, order.id, variantId, { writtenOn: '1901-02-03' }))
    expect(error.fields).toEqual({ writtenOn: 'The prescription was written more than 12 months ago.' })
    expect((await refusal(clear(pharmacist, order.id))).code).toBe('INVALID')
    await expectNotShipped(db, order.id)
  })

  test('a pharmacist cannot approve, clear or ship their own prescription', async () => {
    const db = await openDb()
    const { variantId, pharmacist } = await setUp(db)
    const self = pharmacist.user?.id ?? ''
    await answerHealthQuestions(db, self)
    await addIdDocument(db, self)
    const own = await upload(pharmacist)
    const { order } = await buy(pharmacist, variantId, { prescriptionId: own.id })
    const decision = { status: 'approved', statusReason: null } as const
    const attempts = [
      () => decidePrescription(pharmacist, own.id, decision, { link: '' }),
      () => transcribe(pharmacist, order.id, variantId),
      () => setOrderStatus(pharmacist, order.id, { status: 'shipped' }),
    ]
    for (const attempt of attempts) expect((await refusal(attempt())).code).toBe('CONFLICT')
    // A colleague transcribes it; the patient still does not clear it, nor ship what is cleared.
    const colleague = await addPharmacist(db, { firstName: 'Noa', lastName: 'Vey' })
    await transcribe(colleague, order.id, variantId, { patientNameNote: 'Checked' })
    expect(await refusal(clear(pharmacist, order.id))).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/your own/),
    })
    await clear(colleague, order.id)
    const ship = setOrderStatus(pharmacist, order.id, { status: 'shipped' })
    expect((await refusal(ship)).code).toBe('CONFLICT')
  })

  test('the same file sent twice is not dispensed twice', async () => {
    const db = await openDb()
    const { customer, variantId, pharmacist } = await setUp(db)
    const [one, copy] = [await upload(customer), await upload(customer)]
    const { order: first } = await buy(customer, variantId, { prescriptionId: one.id })
    const { order: second } = await buy(customer, variantId, { prescriptionId: copy.id })
    await transcribe(pharmacist, first.id, variantId, { duplicateNote: 'The first of two' })
    await clear(pharmacist, first.id)
    // The pharmacist must decide about the copy.
    const unseen = await refusal(transcribe(pharmacist, second.id, variantId))
    expect(Object.keys(unseen.fields ?? {})).toEqual(['duplicateNote', `duplicate-${one.id}`])
    // Even if it passed as another prescription, the medicine is in progress for this patient.
    await transcribe(pharmacist, second.id, variantId, {
      duplicateNote: 'Looks new',
      duplicatesSeen: [one.id],
    })
    expect((await refusal(clear(pharmacist, second.id))).fields).toHaveProperty('earlyNote')
    await expectNotShipped(db, second.id)
  })

  test('a prescription cannot be deleted once a line was sold or cleared on it', async () => {
    const db = await openDb()
    const { customer, userId, variantId, pharmacist } = await setUp(db)
    const statin = await addProduct(db, { name: 'Simvastatin', category: 'Rx', ingredients: 'Simvastatin' })
    const otherId = await addVariant(db, { productId: statin, genericName: 'Simvastatin', packageSize: 30 })
    const approved = await Promise.all(
      [variantId, otherId].map(async (id) => {
        const { id: prescriptionId } = await addPrescription(db, userId)
        await addItem(db, { userId, prescriptionId, variantId: id, unitsPerFill: 30 })
        return prescriptionId
      }),
    )
    // One order of two refills, each on its own prescription.
    const refills = [variantId, otherId].map((productVariantId) => ({ productVariantId, quantity: 1 }))
    await placeOrder(db, userId, { items: refills })
    for (const id of approved)
      expect(await refusal(deletePrescription(customer, id))).toMatchObject({ code: 'CONFLICT' })

    // The customer names one prescription, and the pharmacist clears the line on another.
    const diuretic = await addProduct(db, { name: 'Furosemide', category: 'Rx', ingredients: 'Furosemide' })
    const pack = await addVariant(db, { productId: diuretic, genericName: 'Furosemide', packageSize: 30 })
    const named = await upload(customer)
    const { order } = await buy(customer, pack, { prescriptionId: named.id, quantity: 1 })
    const { id: covering } = await upload(customer, samplePdf('another page'))
    await transcribe(pharmacist, covering, pack)
    await clear(pharmacist, order.id)
    expect(await refusal(deletePrescription(customer, covering))).toMatchObject({ code: 'CONFLICT' })
    const fills = await db.selectFrom('fills').select('status').orderBy('status').execute()
    expect(fills.map(({ status }) => status)).toEqual(['cleared', 'reserved', 'reserved'])
  })
})
