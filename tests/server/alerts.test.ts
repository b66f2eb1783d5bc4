import type { Db } from '#db/engine/client.ts'
import { listAlertDecisions } from '#db/alerts/alert-decisions.ts'
import type { AuditAction } from '#domain/audit/audit.ts'
import { alertField, undecidedAlerts } from '#domain/alerts/case-alert.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { newId } from '#domain/ids.ts'
import { dependantSchema } from '#domain/patients/dependant-fields.ts'
import { fold } from '#domain/text.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import { getAlertReport } from '#server/alerts/get-alert-report.ts'
import { screenItems, screenVariant } from '#server/alerts/screen-shopping.ts'
import { turnDownRule } from '#server/alerts/turn-down-rule.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { requireAlertsRead } from '#server/checkout/require-alerts-read.ts'
import { startCheckout } from '#server/checkout/start-checkout.ts'
import type { Context } from '#server/context.ts'
import { findChosenPrescription } from '#server/dispensing/find-chosen-prescription.ts'
import { addToList } from '#server/patients/change-record.ts'
import { saveDependant } from '#server/patients/dependants.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { decideAlert } from '#server/reviews/decide-alert.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { refreshAllIngredients } from '#server/screening/refresh-product-ingredients.ts'
import { listSettingChanges } from '#server/settings/list-setting-changes.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addCareLists, alertOf, decisionInputOf } from '#tests/support/alerts.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { pay, shipTo } from '#tests/support/checkouts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { addPharmacist, clearInputOf, transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import {
  addMedicine,
  fieldsOf,
  lineOf,
  openCase,
  prescriptionOf,
  refusal,
} from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

/** A case for lisinopril of a patient who lists warfarin: its one high alert waits. */
async function openAlertCase(db: Db) {
  const opened = await openCase(db, { quantity: 2 })
  await addCareLists(db, testDay)
  await updateProfile(opened.customer, { currentMedications: 'Warfarin' })
  const { pharmacist, order, variantId } = opened
  const current = await transcribe(pharmacist, prescriptionOf(await getCase(pharmacist, order.id)), [
    variantId,
  ])
  return { ...opened, current }
}

const auditsOf = async (db: Db, action: AuditAction): Promise<number> => {
  const rows = await db.selectFrom('auditLog').select('id').where('action', '=', action).execute()
  return rows.length
}

eachEngine((_engine, openDb) => {
  test('a high alert is decided before its line is cleared, and counts at the next fill until the list changes', async () => {
    const db = await openDb()
    const { pharmacist, current, customerId, order, prescription, variantId } = await openAlertCase(db)
    const alert = alertOf(current)
    expect(alert).toMatchObject({
      level: 'high',
      title: 'Lisinopril 10 mg and Warfarin',
      fact: 'Takes Warfarin. A list of interactions warns about taking these together.',
      lineIds: [lineOf(current).id],
      decision: null,
    })
    const errors = await fieldsOf(clearLine(pharmacist, clearInputOf(lineOf(current))))
    expect(errors).toEqual({
      line: 'An alert needs your decision first.',
      [alertField(alert.id)]: 'Decide on this alert first.',
    })

    // Of another line or of none: nothing is stored.
    const foreign = { ...alert, id: 'another' }
    expect((await refusal(decideAlert(pharmacist, decisionInputOf(lineOf(current), foreign)))).code).toBe(
      'CONFLICT',
    )
    const decided = await decideAlert(pharmacist, decisionInputOf(lineOf(current), alert))
    expect(alertOf(decided).decision).toEqual({
      text: 'Told the patient: Stable INR.',
      by: 'Dana Fox',
      at: testDay.toISOString(),
      isCurrent: true,
    })
    const cleared = await clearLine(pharmacist, clearInputOf(lineOf(decided)))
    expect(cleared.lines).toMatchObject([
      {
        status: 'cleared',
        decision: {
          notes: [
            {
              kind: 'alert',
              text: expect.stringContaining(
                'Told the patient: Stable INR. Decided by Dana Fox, Jan 5, 2026.',
              ),
            },
          ],
        },
      },
    ])
    const [row] = await listAlertDecisions(db, customerId)
    expect(row?.sealedDecision).toMatch(/^v1\./)
    expect(JSON.stringify(row)).not.toMatch(/warfarin|stable INR/i)
    expect(await auditsOf(db, 'order.alert-decided')).toBe(1)

    // The next fill shows the decision, and needs no other.
    await db.updateTable('fills').set({ status: 'dispensed', dispensedAt: testDay }).execute()
    const nextDay = new Date(testDay.getTime() + 40 * 86_400_000)
    const colleague = await addPharmacist(db, { firstName: 'Ada', lastName: 'Moreau', now: nextDay })
    const next = await placeOrder(db, customerId, {
      items: [{ productVariantId: variantId, quantity: 2 }],
      prescriptionId: prescription.id,
      ctx: { now: nextDay },
    })
    const again = await getCase(colleague, next.id)
    expect(alertOf(again).decision).toMatchObject({ by: 'Dana Fox', isCurrent: true })

    // The list says less now: the decision is shown, but no longer counts.
    await db.updateTable('careInteractions').set({ level: 'contraindicated' }).execute()
    const changed = await getCase(colleague, next.id)
    expect(alertOf(changed).decision).toMatchObject({ by: 'Dana Fox', isCurrent: false })
    expect(Object.keys(await fieldsOf(clearLine(colleague, clearInputOf(lineOf(changed)))))).toContain('line')
    expect(await getAlertReport(pharmacist, { months: 1 })).toMatchObject([
      { label: expect.stringContaining('Critical'), level: 'high', shown: 1, overridden: 1, refused: 0 },
    ])
    expect(order.id).not.toBe(next.id)
  })

  test('one decision on an alert about two lines counts for both', async () => {
    const db = await openDb()
    const { pharmacist, customerId, variantId } = await openCase(db)
    const prescription = await addPrescription(db, customerId, { now: testDay })
    const otherId = await addMedicine(db, { name: 'Ibuprofen' })
    await addCareLists(db, testDay)
    const variantIds = [variantId, otherId]
    const order = await placeOrder(db, customerId, {
      items: variantIds.map((productVariantId) => ({ productVariantId, quantity: 2 })),
      prescriptionId: prescription.id,
    })
    const read = () => getCase(pharmacist, order.id)
    await transcribe(pharmacist, prescriptionOf(await read()), variantIds)
    const current = await read()
    const undecided = ({ lines, screening }: ReviewCase) =>
      lines.map(({ id }) => undecidedAlerts(screening?.alerts ?? [], id).length)
    expect(undecided(current)).toEqual([1, 1])
    expect(alertOf(current).lineIds.toSorted()).toEqual(current.lines.map(({ id }) => id).toSorted())

    const decision = { choice: 'not-relevant', reason: 'not-together' }
    const decided = await decideAlert(
      pharmacist,
      decisionInputOf(lineOf(current), alertOf(current), decision),
    )
    expect(undecided(decided)).toEqual([0, 0])
    for (const { id } of decided.lines) {
      const line = (await read()).lines.find((each) => each.id === id) ?? lineOf(decided)
      await clearLine(pharmacist, clearInputOf(line))
    }
    expect((await read()).lines.map(({ status }) => status)).toEqual(['cleared', 'cleared'])
    expect(await listAlertDecisions(db, customerId)).toHaveLength(1)
  })

  test('refusing by the alert refuses the line; an admin turns a rule down, a pharmacist cannot', async () => {
    const db = await openDb()
    const { pharmacist, current } = await openAlertCase(db)
    const refused = await decideAlert(
      pharmacist,
      decisionInputOf(lineOf(current), alertOf(current), {
        choice: 'refuse',
        note: 'Ask your doctor first.',
      }),
    )
    expect(lineOf(refused)).toMatchObject({
      status: 'refused',
      decision: { reason: 'Ask your doctor first.' },
    })
    const [row] = await getAlertReport(pharmacist, { months: 1 })
    expect(row).toMatchObject({ shown: 1, overridden: 0, refused: 1, isTurnedDown: false })
    if (!row?.rule) throw new Error('The rule is missing.')

    const change = { rule: row.rule, isTurnedDown: true }
    expect((await refusal(turnDownRule(pharmacist, change))).code).toBe('FORBIDDEN')
    const admin = testContext(db, {
      user: signedIn(await makeUser(db, { firstName: 'Ada', roles: ['admin'] }), { roles: ['admin'] }),
    })
    await Promise.all([turnDownRule(admin, change), turnDownRule(admin, change)])
    expect(await getAlertReport(admin, { months: 1 })).toMatchObject([{ isTurnedDown: true }])
    const { changes } = await listSettingChanges(admin, { before: null, name: 'turnedDownAlerts' })
    expect(changes).toMatchObject([{ change: expect.stringMatching(/^From none to Interaction/) }])

    // Folded, and no decision is needed.
    const second = await openCase(db)
    await refreshAllIngredients(db)
    await updateProfile(second.customer, { currentMedications: 'Warfarin' })
    const quiet = await transcribe(
      second.pharmacist,
      prescriptionOf(await getCase(second.pharmacist, second.order.id)),
      [second.variantId],
    )
    expect(quiet.screening?.alerts.filter(({ kind }) => kind === 'interaction')).toMatchObject([
      { level: 'low', isFolded: true, needsDecision: false },
    ])
  })

  test('customers see alerts about their record and their cart, and confirm high ones before paying', async () => {
    const db = await openDb()
    const productId = await addProduct(db, { name: 'Ibuprofen', category: 'OTC', ingredients: 'ibuprofen' })
    const ibuprofen = await addVariant(db, { productId, genericName: 'Ibuprofen', strength: '200' })
    const lisinoprilId = await addProduct(db, {
      name: 'Lisinopril',
      category: 'Rx',
      ingredients: 'lisinopril',
    })
    const lisinopril = await addVariant(db, { productId: lisinoprilId, genericName: 'Lisinopril' })
    await addCareLists(db, testDay)
    const customer = testContext(db, { user: signedIn(await makeUser(db)) })
    const visitor: Context = testContext(db)
    const items = [{ variantId: ibuprofen, quantity: 1 }]

    expect(await screenVariant(visitor, ibuprofen)).toBeNull()
    expect(await screenVariant(customer, ibuprofen)).toBeNull()
    expect(await screenItems(customer, items)).toMatchObject({ view: { alerts: [] }, toConfirm: null })
    expect(await auditsOf(db, 'alerts.read')).toBe(0)
    // The lines of a cart are compared with each other, too.
    const both = await screenItems(customer, [...items, { variantId: lisinopril, quantity: 1 }])
    expect(both?.view.alerts).toMatchObject([{ level: 'high' }])

    await updateProfile(customer, { currentMedications: 'Warfarin' })
    const shown = await screenVariant(customer, ibuprofen)
    expect(shown?.alerts).toMatchObject([
      {
        fact: 'You take Warfarin. A list of interactions warns about taking these together.',
        isFolded: false,
      },
    ])
    expect(await auditsOf(db, 'alerts.read')).toBe(1)
    // A pharmacist decides on a prescription medicine.
    expect(await screenItems(customer, [{ variantId: lisinopril, quantity: 1 }])).toMatchObject({
      view: { alerts: [{ level: 'high' }] },
      toConfirm: null,
    })

    const order = [{ productVariantId: ibuprofen, quantity: 1 }]
    expect(Object.keys(await fieldsOf(requireAlertsRead(customer, order, () => false)))).toEqual([
      'alertsRead',
    ])
    await requireAlertsRead(customer, order, () => true)
    expect(await auditsOf(db, 'alerts.acknowledged')).toBe(1)
  })

  test('two packages of one name show their manufacturers, packs and forms', async () => {
    const db = await openDb()
    await addCareLists(db, testDay)
    const productId = await addProduct(db, { name: 'Ibuprofen', ingredients: 'ibuprofen' })
    const addManufacturer = async (name: string) => {
      const id = newId()
      const times = { createdAt: testDay, updatedAt: testDay }
      await db
        .insertInto('manufacturers')
        .values({ id, name, nameKey: fold(name), ...times })
        .execute()
      return id
    }
    const [quillco, harbor] = [await addManufacturer('Quillco'), await addManufacturer('Harbor Labs')]
    const add = (manufacturerId: string, changes: Parameters<typeof addVariant>[1]) =>
      addVariant(db, { productId, manufacturerId, ...changes })
    const tablets = await add(quillco, {})
    const others = [
      await add(harbor, { packageSize: 100 }),
      await add(quillco, { labelForm: 'TABLET, EXTENDED RELEASE' }),
      await add(quillco, { dosageForm: 'cream', packageSize: 30, packageUnit: 'g' }),
    ]
    await refreshAllIngredients(db)
    const customer = testContext(db, { user: signedIn(await makeUser(db)) })
    const titles = others.map(async (other) => {
      const items = [tablets, other].map((variantId) => ({ variantId, quantity: 1 }))
      return (await screenItems(customer, items))?.view.alerts.map(({ title, fact }) => `${title}. ${fact}`)
    })
    const own = 'Ibuprofen 200 mg (Quillco, 24 tablets)'
    const fact = 'Both contain the same ingredient: ibuprofen.'
    expect(await Promise.all(titles)).toEqual([
      [`${own} and Ibuprofen 200 mg (Harbor Labs, 100 tablets). ${fact}`],
      [`${own} and Ibuprofen 200 mg (Quillco, 24 tablets, extended release). ${fact}`],
      [`${own} and Ibuprofen 200 mg (Quillco, 30 g, cream). ${fact}`],
    ])
  })

  test('each line is screened for its own patient, and a paid confirmation is in the report once', async () => {
    const db = await openDb()
    const opened = await openCase(db)
    await addCareLists(db, testDay)
    const { customer, pharmacist, variantId: lisinopril } = opened
    const patientId = await saveDependant(
      customer,
      dependantSchema(testDay).parse({ firstName: 'Sofia', dateOfBirth: '2015-05-05' }),
    )
    const add = (list: 'medications' | 'allergies', name: string) =>
      addToList(customer, { patientId, list, name })
    await add('medications', 'Warfarin')
    const productId = await addProduct(db, { name: 'Ibuprofen', category: 'OTC', ingredients: 'ibuprofen' })
    const ibuprofen = await addVariant(db, { productId, genericName: 'Ibuprofen', strength: '200' })
    await refreshAllIngredients(db)
    const items = [{ variantId: ibuprofen, quantity: 1 }]
    const titlesOf = (alerts: Awaited<ReturnType<typeof screenItems>>) =>
      alerts?.view.alerts.map(({ title, fact }) => `${title}. ${fact}`)
    const listed = 'A list of interactions warns about taking these together.'

    expect(titlesOf(await screenItems(customer, items))).toEqual([])
    const forSofia = { patientId, prescription: null }
    const shown = await screenItems(customer, items, forSofia)
    expect(titlesOf(shown)).toEqual([`For Sofia: Ibuprofen 200 mg and Warfarin. Takes Warfarin. ${listed}`])
    expect(await auditsOf(db, 'alerts.read')).toBe(1)

    // Sofia's prescription: her record counts, and what the customer takes does not.
    await updateProfile(customer, { currentMedications: 'Ibuprofen' })
    const paper = await addPrescription(db, opened.customerId, { now: testDay, patientId })
    const sofias = { patientId, isTranscribed: false, id: paper.id }
    // No one else can name it.
    expect(await findChosenPrescription(customer, opened.customerId, paper.id)).toEqual(sofias)
    expect(await findChosenPrescription(customer, await makeUser(db), paper.id)).toBeNull()
    const prescribed = [{ variantId: lisinopril, quantity: 1 }]
    expect(titlesOf(await screenItems(customer, prescribed))).toEqual([
      `Ibuprofen and Lisinopril 10 mg. You take Ibuprofen. ${listed}`,
    ])
    expect(
      titlesOf(await screenItems(customer, prescribed, { patientId: null, prescription: sofias })),
    ).toEqual([`For Sofia: Lisinopril 10 mg and Warfarin. Takes Warfarin. ${listed}`])
    // Two people's lines are not compared with each other.
    const both = await screenItems(customer, [...items, ...prescribed], {
      patientId: null,
      prescription: sofias,
    })
    expect(titlesOf(both)).not.toContainEqual(expect.stringContaining('Ibuprofen 200 mg and Lisinopril'))

    // What the customer confirmed for themselves says nothing about Sofia.
    const order = [{ productVariantId: ibuprofen, quantity: 1 }]
    const confirm = (id: string | undefined) =>
      requireAlertsRead(customer, order, (asked) => asked === id, { choice: forSofia })
    await updateProfile(customer, { currentMedications: 'Warfarin' })
    const own = await screenItems(customer, items)
    expect(Object.keys(await fieldsOf(confirm(own?.toConfirm?.id)))).toEqual(['alertsRead'])
    const confirmedAlerts = await confirm(shown?.toConfirm?.id)
    // Alerts that are not high are shown once before paying.
    await db.updateTable('careInteractions').set({ level: 'significant' }).execute()
    const unconfirmed = (isShown: boolean) =>
      requireAlertsRead(customer, order, () => false, { isShown, choice: forSofia })
    expect(Object.keys(await fieldsOf(unconfirmed(false)))).toEqual(['patientId'])
    expect(await unconfirmed(true)).toEqual([])
    const input = { items: order, shipTo, prescriptionId: null, patientId, confirmedAlerts }
    const { payment } = await startCheckout(customer, input)
    await startCheckout(customer, input, { resume: true })
    expect(await getAlertReport(pharmacist, { months: 1 })).toEqual([])
    await pay(db, payment)
    await Promise.all([finalizeCheckout(customer, payment.id), finalizeCheckout(customer, payment.id)])
    expect(await getAlertReport(pharmacist, { months: 1 })).toMatchObject([
      { kind: 'interaction', level: 'high', shown: 1, confirmed: 1, overridden: 0, refused: 0 },
    ])
  })
})
