import { listFillsOfOrders } from '#db/dispensing/fills.ts'
import { replacePharmacistLicense } from '#db/accounts/pharmacist-licenses.ts'
import { findOrderHold } from '#db/orders/payment-holds.ts'
import { callInputSchema, caseQuerySchema, refuseInputSchema } from '#domain/dispensing/case-inputs.ts'
import type { CaseLine } from '#domain/dispensing/case-line.ts'
import { newId } from '#domain/ids.ts'
import { lastMessageIdOf } from '#domain/messages/messages.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import type { Context } from '#server/context.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { sendToPharmacy } from '#server/messages/send-message.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { askAboutLine } from '#server/reviews/ask-about-line.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { listCases } from '#server/reviews/list-cases.ts'
import { noteCall } from '#server/reviews/note-call.ts'
import { refuseLine } from '#server/reviews/refuse-line.ts'
import { secondCheck } from '#server/reviews/second-check.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addVariant, testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { addEquivalents } from '#tests/support/equivalents.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { addPharmacist, clearInputOf, clearOrder, transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import {
  addMedicine,
  fieldsOf,
  itemOf,
  lineOf,
  openCase,
  prescriptionOf,
  refusal,
} from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

const query = (params: Record<string, string> = {}) => caseQuerySchema.parse(params)

const refuseInputOf = ({ id: lineId, version }: CaseLine, reason = 'Ask your doctor') =>
  refuseInputSchema.parse({ lineId, version, reason })

const refuseInput = async (ctx: Context, orderId: string, reason: string) =>
  refuseInputOf(lineOf(await getCase(ctx, orderId)), reason)

eachEngine((_engine, openDb) => {
  test('a pharmacist transcribes a file, clears its line, and the payment is captured', async () => {
    const db = await openDb()
    const { pharmacist, order, prescription, variantId, customerId } = await openCase(db)
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

  test('only another person with a license decides', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, customerId } = await openCase(db)
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
    const own = await openCase(db)
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
    const { pharmacist, order, variantId, customer } = await openCase(db, { isHealthAnswered: false })
    const opened = await getCase(pharmacist, order.id)
    const transcribed = await transcribe(pharmacist, prescriptionOf(opened), [variantId], {
      authentication: null,
    })
    expect(lineOf(transcribed).blockers).toHaveLength(3)
    expect(await fieldsOf(clearLine(pharmacist, clearInputOf(lineOf(transcribed))))).toHaveProperty('line')
    await updateProfile(customer, { dateOfBirth: '2010-01-06', allergies: 'No known allergies' })
    const [item] = prescriptionOf(transcribed).items
    const authenticated = await transcribe(pharmacist, prescriptionOf(transcribed), [variantId], {
      items: [{ id: item?.id }],
    })
    // Nothing about the item has changed, so it keeps its version.
    expect(itemOf(authenticated).version).toBe(1)
    expect(authenticated.patient).toMatchObject({ isMinor: true, age: 15 })
    const line = lineOf(authenticated)
    expect(await fieldsOf(clearLine(pharmacist, clearInputOf(line)))).toEqual({
      'weight.kilograms': 'The patient is under 18. Enter the weight in kilograms.',
    })
    const weight = { kilograms: '41.5', on: '2026-01-07' }
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

  test('when two pharmacists clear a line at once, one succeeds and the other sees who did', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db)
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

  test('an early refill and a substitute need a recorded decision', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, customerId, prescription } = await openCase(db)
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

  test('FDA’s list gives the codes of a substitute, and what is in stock instead', async () => {
    const db = await openDb()
    await addEquivalents(
      db,
      [
        ['ANDA000001', 'TABLET;ORAL'],
        ['NDA000002', 'TABLET; ORAL'],
        ['NDA000003', 'CAPSULE;ORAL'],
      ],
      { strength: '10MG' },
    )
    const listed = {
      labelStrength: '10 mg',
      labelForm: 'TABLET, FILM COATED',
      applicationNumber: 'ANDA000001',
    }
    const { pharmacist, order, variantId } = await openCase(db, { medicine: listed })
    const { productId } = await db
      .selectFrom('productVariants')
      .select('productId')
      .where('id', '=', variantId)
      .executeTakeFirstOrThrow()
    const other = {
      productId,
      genericName: 'Lisinopril',
      strength: '10',
      ...listed,
      applicationNumber: 'NDA000002',
    }
    const brand = { ...other, labelForm: 'TABLET', brandName: 'Zestril' }
    const prescribed = await addVariant(db, { ...brand, priceCents: 900 })
    const cheaper = await addVariant(db, { ...other, priceCents: 400, packageSize: 30 })
    await addVariant(db, { ...other, priceCents: 100, inStock: false })
    const capsule = { labelForm: 'CAPSULE', dosageForm: 'capsule', applicationNumber: 'NDA000003' } as const
    await addVariant(db, { ...other, ...capsule, priceCents: 100 })

    const opened = await getCase(pharmacist, order.id)
    expect(lineOf(opened).equivalents).toMatchObject({
      code: 'AB',
      listDate: '2026-07-16',
      isComplete: true,
      orderedUnitPrice: '0.208',
      offers: [
        { variantId: cheaper, unitPrice: '0.133', costsMore: false },
        { variantId: prescribed, unitPrice: '0.375', costsMore: true },
      ],
    })
    const transcribed = await transcribe(pharmacist, prescriptionOf(opened), [prescribed])
    expect(lineOf(transcribed).candidates).toMatchObject([
      {
        needs: 'substitute',
        difference: 'form',
        listed: { prescribed: 'AB', offered: 'AB', isEquivalent: true, listDate: '2026-07-16' },
      },
    ])
    // What is typed does not count where the list has a code.
    const substitute = { prescribedCode: 'BX', offeredCode: '' }
    const cleared = await clearLine(pharmacist, clearInputOf(lineOf(transcribed), { substitute }))
    expect(lineOf(cleared).equivalents).toBeNull()
    expect(lineOf(cleared).decision.notes).toMatchObject([
      {
        kind: 'substitute',
        text: 'Prescribed: AB (FDA’s list of 2026-07-16), dispensed: AB (FDA’s list of 2026-07-16).',
      },
    ])
  })

  test('a destination that is not served must be decided', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db, { country: 'Canada' })
    const opened = await getCase(pharmacist, order.id)
    expect(opened.destination).toMatchObject({ isServed: false, isDomestic: false })
    expect(opened.destination?.rules.map(({ id }) => id)).toEqual([
      'us-import-rx-general',
      'us-import-unapproved-discretion',
    ])
    const { destinationWarning: warned } = await getAdminOrder(pharmacist, order.id)
    const transcribed = await transcribe(pharmacist, prescriptionOf(opened), [variantId])
    const line = lineOf(transcribed)
    expect(await fieldsOf(clearLine(pharmacist, clearInputOf(line)))).toHaveProperty('destinationNote')
    const cleared = await clearLine(
      pharmacist,
      clearInputOf(line, { destinationNote: 'Same owner, state license held' }),
    )
    expect(lineOf(cleared).decision.notes).toMatchObject([{ kind: 'destination' }])
    // Until then the order's page warned those who ship.
    expect(warned).toContain('as a destination.')
    expect((await getAdminOrder(pharmacist, order.id)).destinationWarning).toBeNull()
  })

  test('a refused line leaves the order, its fill is released and the rest is captured', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, prescription, customerId } = await openCase(db)
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

  test('another pharmacist must do the second check', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db)
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

  test('the second checks of a pharmacist are those of lines that others cleared, with or without open lines', async () => {
    const db = await openDb()
    const { pharmacist, customerId, variantId, prescription } = await openCase(db)
    const otherVariant = await addMedicine(db, { name: 'Warfarin' })
    const items = [variantId, otherVariant].map((id) => ({ productVariantId: id, quantity: 1 }))
    const order = await placeOrder(db, customerId, { items, prescriptionId: prescription.id })
    const opened = await getCase(pharmacist, order.id)
    await transcribe(pharmacist, prescriptionOf(opened), [variantId, otherVariant])
    const first = lineOf(await getCase(pharmacist, order.id))
    await clearLine(pharmacist, clearInputOf(first))
    const setting = { name: 'twoPharmacists', value: 'true', updatedAt: testDay } as const
    await db.insertInto('settings').values(setting).execute()
    const second = await addPharmacist(db, { firstName: 'Eli', lastName: 'Ruiz' })
    const unlicensed = await addPharmacist(db, { firstName: 'Ola', lastName: 'Berg', isLicensed: false })
    const own = { ...second, user: signedIn(customerId, { roles: ['pharmacist'] }) }
    const license = {
      userId: customerId,
      number: '1',
      jurisdiction: 'OR',
      recordedBy: customerId,
      recordedAt: testDay,
    }
    await replacePharmacistLicense(db, license, null)
    const checksOf = async (ctx: Context) => {
      const { rows, counts } = await listCases(ctx, query({ filter: 'check' }))
      expect(rows).toHaveLength(counts.check)
      return [counts.check, (await getCase(ctx, order.id)).lines.filter(({ canCheck }) => canCheck).length]
    }
    expect(await checksOf(second)).toEqual([1, 1])
    for (const ctx of [pharmacist, unlicensed, own, asAdmin(db)]) expect(await checksOf(ctx)).toEqual([0, 0])
    const [, rest] = (await getCase(pharmacist, order.id)).lines
    await clearLine(pharmacist, clearInputOf(rest ?? first))
    expect(await checksOf(second)).toEqual([1, 2])
    expect(await checksOf(pharmacist)).toEqual([0, 0])
    const { lines } = await getCase(second, order.id)
    for (const { id: lineId, version } of lines) await secondCheck(second, { lineId, version })
    expect(await checksOf(second)).toEqual([0, 0])
  })

  test('a line that was asked about waits for the customer’s answer', async () => {
    const db = await openDb()
    const { pharmacist, order, customer } = await openCase(db)
    const { id: lineId, version } = lineOf(await getCase(pharmacist, order.id))
    const ask = (question: string, lastMessageId = '') =>
      askAboutLine(pharmacist, { lineId, version, lastMessageId, question })
    const asked = await ask('Which dose do you take?')
    expect(lineOf(asked)).toMatchObject({ status: 'asked', decidedBy: 'Dana Fox' })
    expect(await refusal(ask('Which dose?'))).toMatchObject({
      code: 'CONFLICT',
      current: { lines: [{ version: version + 1, status: 'asked' }] },
    })
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

  test('a question about a line is refused while the customer’s last message is unread', async () => {
    const db = await openDb()
    const { pharmacist, order, customer } = await openCase(db)
    const { id: lineId, version } = lineOf(await getCase(pharmacist, order.id))
    await sendToPharmacy(customer, { subjectId: order.id, text: 'I take 10 mg', requestKey: newId() })
    const ask = (lastMessageId: string) =>
      askAboutLine(pharmacist, { lineId, version, lastMessageId, question: 'Which dose do you take?' })
    const error = await refusal(ask(''))
    expect(error).toMatchObject({
      code: 'CONFLICT',
      message: 'The customer wrote again. Read the new message first.',
      current: { id: order.id, lines: [{ status: 'waiting' }] },
    })
    const [thread] = (await getCase(pharmacist, order.id)).threads
    expect(thread).toMatchObject({ waitingFor: 'pharmacy', messages: [{ text: 'I take 10 mg' }] })
    expect(lineOf(await ask(lastMessageIdOf(thread))).status).toBe('asked')
  })
})
