import { caseQuerySchema } from '#domain/dispensing/case-inputs.ts'
import { dependantSchema } from '#domain/patients/dependant-fields.ts'
import { newId } from '#domain/ids.ts'
import { fillCart } from '#server/cart/fill-cart.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { getCheckoutView } from '#server/checkout/get-checkout-view.ts'
import { exportAccount } from '#server/privacy/export-account.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { addToList, setNoKnownAllergies } from '#server/patients/change-record.ts'
import {
  getDependant,
  listPatientChoices,
  removeDependant,
  saveDependant,
} from '#server/patients/dependants.ts'
import { getOwnRecord } from '#server/patients/get-own-record.ts'
import { createPrescription } from '#server/prescriptions/create-prescription.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { decideAlert } from '#server/reviews/decide-alert.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { getItemForStaff, getRefillRequest } from '#server/reviews/get-item-sheet.ts'
import { listCases } from '#server/reviews/list-cases.ts'
import { listMedications } from '#server/dispensing/list-medications.ts'
import { resolveLines } from '#server/dispensing/resolve-lines.ts'
import type { Context } from '#server/context.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addCareLists, alertOf, decisionInputOf } from '#tests/support/alerts.ts'
import { addVariant, testDay } from '#tests/support/catalog.ts'
import { buy, openCheckout, pay, shipTo } from '#tests/support/checkouts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { medicineOf } from '#tests/support/dispensing.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { addPharmacist, clearInputOf, transcribe } from '#tests/support/pharmacist.ts'
import { capture } from '#tests/support/payment-holds.ts'
import { addPrescription, details } from '#tests/support/prescriptions.ts'
import { fieldsOf, lineOf, openCase, prescriptionOf } from '#tests/support/review-cases.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { filesOf } from '#tests/support/zip.ts'
import { expect, test } from 'vitest'

const mia = { firstName: 'Mia', lastName: 'Marsh', dateOfBirth: '2017-04-05', weight: 50.7 }
const addMia = (ctx: Context, formId = newId()) =>
  saveDependant(ctx, dependantSchema(testDay).parse(mia), formId)

const invalid = expect.objectContaining({ code: 'INVALID' }) as unknown
const missing = expect.objectContaining({ code: 'NOT_FOUND' }) as unknown

eachEngine((_engine, openDb) => {
  test('a dependant is added once, changed, kept from others, exported and removed', async () => {
    const db = await openDb()
    const id = await makeUser(db)
    const ctx = testContext(db, { user: signedIn(id) })
    const formId = newId()
    await expect(
      saveDependant(ctx, dependantSchema(testDay).parse({ firstName: ' ' })),
    ).rejects.toMatchObject({
      fields: { firstName: 'Enter a first name.', dateOfBirth: 'Enter a date of birth.' },
    })
    const [miaId] = await Promise.all([addMia(ctx, formId), addMia(ctx, formId)])
    expect(miaId).toBe(formId)
    await saveDependant(ctx, { ...dependantSchema(testDay).parse(mia), patientId: miaId, weight: 52 })
    // The form that added her comes again, as it was and corrected.
    await expect(addMia(ctx, formId)).rejects.toMatchObject({ code: 'CONFLICT' })
    await saveDependant(ctx, { ...dependantSchema(testDay).parse(mia), patientId: miaId })
    expect(await addMia(ctx, formId)).toBe(miaId)
    const corrected = dependantSchema(testDay).parse({ ...mia, dateOfBirth: '2017-04-06' })
    await expect(saveDependant(ctx, corrected, formId)).rejects.toMatchObject({ code: 'CONFLICT' })
    await saveDependant(ctx, { ...dependantSchema(testDay).parse(mia), patientId: miaId, weight: 52 })
    await addToList(ctx, { patientId: miaId, list: 'allergies', name: 'Zyzzyx', meaning: 'text' })
    const { patient, view } = await getDependant(ctx, miaId)
    expect(patient).toMatchObject({ name: 'Mia Marsh', weight: 52, weightOn: '2026-01-05' })
    expect(view.allergies.entries).toMatchObject([{ name: 'Zyzzyx', isUnchecked: true }])
    // Not asked of a child.
    expect(view.pregnancy).toBeNull()
    expect((await getOwnRecord(ctx)).people).toEqual([{ id: miaId, name: 'Mia Marsh' }])
    expect(JSON.stringify(await db.selectFrom('patients').selectAll().execute())).not.toMatch(
      /Marsh|Zyzzyx|2017-04/,
    )

    const stranger = testContext(db, { user: signedIn(await makeUser(db)) })
    await expect(getDependant(stranger, miaId)).rejects.toEqual(missing)
    await expect(removeDependant(stranger, miaId)).rejects.toEqual(missing)
    // With the same id, a stranger's form adds someone of their own.
    await addMia(stranger, miaId)
    expect((await getDependant(ctx, miaId)).patient.weight).toBe(52)
    await expect(
      createPrescription(stranger, { ...details, fileUrl: 'x', patientId: newId() }),
    ).rejects.toEqual(invalid)

    const zip = filesOf(Buffer.from(await new Response(await exportAccount(ctx)).arrayBuffer()))
    expect(JSON.parse(zip.get('account.json')?.toString() ?? '')).toMatchObject({
      dependants: [{ firstName: 'Mia', weight: 52, healthRecord: { allergies: [{ name: 'Zyzzyx' }] } }],
    })
    await removeDependant(ctx, miaId)
    await expect(getDependant(ctx, miaId)).rejects.toEqual(missing)
    expect(await listPatientChoices(ctx)).toHaveLength(1)
    expect(await listPatientChoices(stranger)).toHaveLength(2)
  })

  test('a dependant’s prescription is cleared against their record, and counts for them only', async () => {
    const db = await openDb()
    const { customer, customerId, variantId } = await openCase(db)
    const pharmacist = await addPharmacist(db, { firstName: 'Ada' })
    const miaId = await addMia(customer)
    const paper = await addPrescription(db, customerId, { patientId: miaId })
    const order = await placeOrder(db, customerId, {
      items: [{ productVariantId: variantId, quantity: 2 }],
      prescriptionId: paper.id,
    })
    const opened = await getCase(pharmacist, order.id)
    expect(opened).toMatchObject({
      patient: { patientId: customerId, isDependant: false },
      patients: [{ patientId: miaId, name: 'Mia Marsh', age: 8, isMinor: true, weightOn: '2026-01-05' }],
      lines: [{ patientId: miaId, dependantName: 'Mia Marsh' }],
    })
    expect(lineOf(opened).blockers.join()).toContain('allergies')
    const { rows } = await listCases(pharmacist, caseQuerySchema.parse({ filter: 'all' }))
    const account = opened.patient.name
    expect(rows.find(({ id }) => id === order.id)).toMatchObject({
      patientName: 'Mia Marsh',
      accountName: account,
    })
    expect(rows.find(({ id }) => id !== order.id)).toMatchObject({ patientName: account, accountName: null })
    await setNoKnownAllergies(customer, { patientId: miaId, none: true })
    await addCareLists(db, testDay)
    await addToList(customer, { patientId: miaId, list: 'medications', name: 'Warfarin' })
    const transcribed = await transcribe(
      pharmacist,
      prescriptionOf(opened).id === paper.id ? prescriptionOf(opened) : paperOf(opened, paper.id),
      [variantId],
      { patientName: 'Mia Marsh' },
    )
    const line = lineOf(transcribed)
    expect(line).toMatchObject({ blockers: [], candidates: [{ dependantName: 'Mia Marsh' }] })
    // Under 18 a weight is needed.
    await expect(clearLine(pharmacist, clearInputOf(line))).rejects.toEqual(invalid)
    const weight = { weight: { kilograms: '23', on: '2026-01-05' } }
    // The customer is a pharmacist, too: not on their dependant's prescription.
    const own = testContext(db, { user: signedIn(customerId, { roles: ['pharmacist'] }) })
    await db
      .insertInto('pharmacistLicenses')
      .values({
        userId: customerId,
        number: '1',
        jurisdiction: 'OR',
        recordedBy: customerId,
        recordedAt: testDay,
      })
      .execute()
    await expect(clearLine(own, clearInputOf(line, weight))).rejects.toMatchObject({ code: 'CONFLICT' })
    // The decision on an alert counts for the dependant.
    expect(Object.keys(await fieldsOf(clearLine(pharmacist, clearInputOf(line, weight))))).toContain('line')
    const alert = alertOf(transcribed)
    const decided = await decideAlert(pharmacist, decisionInputOf(line, alert))
    const cleared = await clearLine(pharmacist, clearInputOf(lineOf(decided), weight))
    expect(lineOf(cleared)).toMatchObject({ status: 'cleared', patientId: miaId })
    // What is printed for a prescriber or another pharmacy is about her, not the account's holder.
    const itemId = lineOf(cleared).itemId ?? ''
    const onSheet = { patientName: 'Mia Marsh', dateOfBirth: '2017-04-05' }
    expect(await getRefillRequest(customer, itemId)).toMatchObject(onSheet)
    expect(await getItemForStaff(pharmacist, itemId)).toMatchObject(onSheet)

    // The customer's own new prescription is not "in progress"; with both, they choose whose it is.
    const medicine = await medicineOf(db, variantId)
    const resolved = await resolveLines(customer, customerId, [{ variantId, medicine, units: 48 }])
    expect(resolved.get(variantId)?.ofPatients.get(miaId)).toMatchObject({
      kind: 'refused',
      problem: { kind: 'in progress' },
    })
    expect(resolved.get(variantId)?.ofPatients.get(customerId)).toBeUndefined()

    await expect(removeDependant(customer, miaId)).rejects.toMatchObject({ code: 'CONFLICT' })
    const admin = testContext(db, {
      user: signedIn(await makeUser(db, { isAdmin: true }), { isAdmin: true }),
    })
    const shipment = { status: 'shipped', carrier: 'UPS', trackingNumber: '1Z999' } as const
    await capture(db, order.id)
    await setOrderStatus(admin, order.id, shipment)
    await removeDependant(customer, miaId)
    // Their name stays with the prescription; the rest is gone.
    expect(await getCase(pharmacist, order.id)).toMatchObject({
      patients: [{ name: 'Mia Marsh', weightPounds: null, record: { noKnownAllergies: false } }],
    })
    expect(await listPatientChoices(customer)).toHaveLength(1)
  })

  test('nothing is dispensed to a dependant after the customer removed them', async () => {
    const db = await openDb()
    const { customer, customerId, variantId } = await openCase(db)
    const pharmacist = await addPharmacist(db)
    const miaId = await addMia(customer)
    const variantIds = [variantId]
    const paper = await addPrescription(db, customerId, { patientId: miaId })
    const { id: newPaperId } = await addPrescription(db, customerId, { patientId: miaId })
    const items = [{ productVariantId: variantId, quantity: 2 }]
    const order = await placeOrder(db, customerId, { items, prescriptionId: paper.id })
    const opened = await getCase(pharmacist, order.id)
    await transcribe(pharmacist, paperOf(opened, paper.id), variantIds, { patientName: 'Mia Marsh' })
    await db.updateTable('prescriptions').set({ status: 'approved' }).where('id', '=', paper.id).execute()
    await db.updateTable('orders').set({ status: 'cancelled' }).where('id', '=', order.id).execute()
    expect(await listMedications(customer)).toMatchObject([{ name: expect.stringContaining('(for Mia') }])
    await fillCart(customer, [{ variantId, quantity: 2 }])
    const toChoose = async () =>
      (await getCheckoutView(customer))?.prescriptions.map(({ dependantName }) => dependantName)
    expect(await toChoose()).toEqual(['Mia Marsh', 'Mia Marsh', null])
    // Paid after the removal: its fill was reserved for Mia before.
    const { payment } = await openCheckout(customer, variantId, { quantity: 2 })
    await removeDependant(customer, miaId)
    await pay(db, payment)
    await expect(finalizeCheckout(customer, payment.id)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('no longer covers this order'),
    })
    expect(await listMedications(customer)).toEqual([])
    expect(await toChoose()).toEqual([null])
    for (const prescriptionId of [paper.id, newPaperId])
      await expect(placeOrder(db, customerId, { items, prescriptionId })).rejects.toMatchObject({
        fields: { prescriptionId: expect.anything() },
      })
  })

  test('items without prescription are for whom the customer chose at checkout', async () => {
    const db = await openDb()
    const id = await makeUser(db)
    const ctx = testContext(db, { user: signedIn(id) })
    const miaId = await addMia(ctx)
    const variantId = await addVariant(db)
    const bought = await buy(ctx, variantId, { shipTo, patientId: miaId })
    expect(JSON.stringify(bought)).toContain(miaId)
    await expect(buy(ctx, variantId, { patientId: newId() })).rejects.toEqual(invalid)
    expect(JSON.stringify(await buy(ctx, variantId, { patientId: id }))).not.toContain(`"patientId"`)
  })
})

const paperOf = ({ prescriptions }: Awaited<ReturnType<typeof getCase>>, id: string) => {
  const found = prescriptions.find((one) => one.id === id)
  if (!found) throw new Error('The case has no such prescription.')
  return found
}
