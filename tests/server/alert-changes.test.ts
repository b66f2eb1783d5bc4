import { listAlertDecisions } from '#db/alerts/alert-decisions.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import { screenItems } from '#server/alerts/screen-shopping.ts'
import { requireAlertsRead } from '#server/checkout/require-alerts-read.ts'
import { decideAlert } from '#server/reviews/decide-alert.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addCareLists, alertOf, decisionInputOf } from '#tests/support/alerts.ts'
import { addProduct, addVariant, testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { transcribe } from '#tests/support/pharmacist.ts'
import { fieldsOf, lineOf, openCase, prescriptionOf, refusal } from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('a decision on an alert that changed since the pharmacist saw it is refused and not stored', async () => {
    const db = await openDb()
    const { customer, customerId, pharmacist, order, variantId } = await openCase(db)
    await addCareLists(db, testDay)
    await updateProfile(customer, { currentMedications: 'Warfarin' })
    const seen = await transcribe(pharmacist, prescriptionOf(await getCase(pharmacist, order.id)), [
      variantId,
    ])

    // A new edition of the list says more.
    await db.updateTable('careInteractions').set({ level: 'contraindicated' }).execute()
    const late = decisionInputOf(lineOf(seen), alertOf(seen))
    expect((await refusal(decideAlert(pharmacist, late))).code).toBe('CONFLICT')

    expect(await listAlertDecisions(db, customerId)).toEqual([])

    const current = await getCase(pharmacist, order.id)
    const decided = await decideAlert(pharmacist, decisionInputOf(lineOf(current), alertOf(current)))
    expect(alertOf(decided).decision).toMatchObject({ isCurrent: true })
  })

  test('a customer’s confirmation does not count for alerts that changed since they read them', async () => {
    const db = await openDb()
    const productId = await addProduct(db, { name: 'Ibuprofen', category: 'OTC', ingredients: 'ibuprofen' })
    const ibuprofen = await addVariant(db, { productId, genericName: 'Ibuprofen', strength: '200' })
    await addCareLists(db, testDay)
    const customer = testContext(db, { user: signedIn(await makeUser(db)) })
    await updateProfile(customer, { currentMedications: 'Warfarin' })
    const shown = await screenItems(customer, [{ variantId: ibuprofen, quantity: 1 }])
    const order = [{ productVariantId: ibuprofen, quantity: 1 }]
    const confirm = () => requireAlertsRead(customer, order, (id) => id === shown?.toConfirm?.id)
    expect(await confirm()).toHaveLength(1)
    await db.updateTable('careInteractions').set({ level: 'contraindicated' }).execute()
    expect(Object.keys(await fieldsOf(confirm()))).toEqual(['alertsRead'])
  })
})
