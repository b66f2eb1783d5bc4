import { dependantSchema } from '#domain/patients/dependant-fields.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import { addToList, setNoKnownAllergies } from '#server/patients/change-record.ts'
import { saveDependant } from '#server/patients/dependants.ts'
import { closeItem } from '#server/reviews/close-item.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addCareLists } from '#tests/support/alerts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { mainOf, readMain } from '#tests/support/page-text.ts'
import { addPharmacist, answerHealthQuestions, transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { addMedicine, lineOf } from '#tests/support/review-cases.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const warned = 'Takes Warfarin. A list of interactions warns about taking these together.'
const notChecked = 'Zyzzyx: this name is in none of our lists'

/**
 * An order for Rosa's prescription. The customer has an item for the same medicine, and takes
 * warfarin and a medicine that no list names.
 */
async function openTwoItems(shop: Shop) {
  const { db } = shop
  const now = new Date()
  const variantId = await addMedicine(db)
  await addCareLists(db, now)
  const customerId = await makeUser(db)
  await answerHealthQuestions(db, customerId)
  const customer = testContext(db, { user: signedIn(customerId) })
  await updateProfile(customer, { currentMedications: 'Warfarin, Zyzzyx' })
  const rosa = dependantSchema(now).parse({ firstName: 'Rosa', dateOfBirth: '1950-05-05' })
  const patientId = await saveDependant(customer, rosa)
  await setNoKnownAllergies(customer, { patientId, none: true })
  const hers = await addPrescription(db, customerId, { now, patientId })
  const own = await addPrescription(db, customerId, { now })
  const { id } = await placeOrder(db, customerId, {
    items: [{ productVariantId: variantId, quantity: 2 }],
    prescriptionId: hers.id,
    ctx: { now },
  })
  const staff = await addPharmacist(db, { now })
  const transcribeNew = async () => {
    const { prescriptions } = await getCase(staff, id)
    for (const each of prescriptions.filter(({ transcription }) => transcription === null)) {
      await transcribe(staff, each, [variantId], {
        writtenOn: now.toISOString().slice(0, 10),
        patientName: each.dependantName ?? 'Zoë O’Hara',
        prescriberName: `Dr. of ${each.rxNumber}`,
      })
    }
  }
  await transcribeNew()
  const pharmacist = shop.visit()
  await signInAs(pharmacist, db, staff.user?.id ?? '')
  const path = `/admin/prescriptions?id=${id}`
  const line = lineOf(await getCase(staff, id))
  const itemOf = (prescriptionId: string) => {
    const found = line.candidates.find((each) => each.prescriptionId === prescriptionId)
    return { itemId: found?.itemId ?? '', version: found?.itemVersion ?? 0 }
  }
  return {
    customer,
    customerId,
    patientId,
    staff,
    hers: itemOf(hers.id),
    own: itemOf(own.id),
    fields: { lineId: line.id, version: String(line.version) },
    addItemOf: async (patient: string) => {
      await addPrescription(db, customerId, { now, patientId: patient })
      await transcribeNew()
    },
    read: async () => lineOf(await getCase(staff, id)),
    open: async () => (await pharmacist.get(path)).text(),
    post: (sent: Record<string, string>) => pharmacist.post(path, sent),
  }
}

/** How often a text has another. */
const countOf = (text: string, part: string): number => text.split(part).length - 1

/** The form that clears the line. */
const clearForm = (html: string): string =>
  /<form[^>]*aria-label="Clear Lisinopril"[^]*?<\/form>/.exec(mainOf(html))?.[0] ?? ''

eachShop((openShopOf) => {
  const openCase = async () => openTwoItems(await openShopOf({ catalog: 'empty' }))

  test('without scripts, an alert of another patient’s item is decided beside it', async () => {
    const { fields, own, customerId, open, post, read } = await openCase()
    const opened = readMain(await open())
    expect(opened).not.toContain(warned)
    expect(opened).not.toContain(notChecked)
    const item = `${own.itemId} ${own.version}`
    const clear = { ...fields, intent: 'clear', item, destinationNote: 'Checked' }
    const refused = await (await post(clear)).text()
    for (const shown of [warned, notChecked, 'Decide on this alert first.']) {
      expect(readMain(refused)).toContain(shown)
    }

    const sent = /name="alertId" value="([^"]+)"[^>]*><input[^>]* name="itemId" value="([^"]+)"/
    const [, alertId = '', itemId = ''] = sent.exec(refused) ?? []
    const choice = 'called-prescriber'
    const wordless = { ...fields, intent: 'decideAlert', alertId, itemId, choice, note: '' }
    expect(readMain(await (await post(wordless)).text())).toContain(
      'Enter who you spoke with and what they said.',
    )
    expect((await post({ ...wordless, note: 'Dr. Fox agrees' })).status).toBe(303)
    expect((await post(clear)).status).toBe(303)
    expect(await read()).toMatchObject({ status: 'cleared', patientId: customerId })
  })

  test('what could not be checked for a patient is shown once, and for each patient', async () => {
    const { customer, patientId, own, fields, addItemOf, open, post } = await openCase()
    await addToList(customer, { patientId, list: 'medications', name: 'Zyzzyx', meaning: 'text' })
    expect(countOf(readMain(await open()), notChecked)).toBe(1)
    // The line names neither of two items, and the page starts with one of them.
    await addItemOf(patientId)
    expect(countOf(readMain(await open()), notChecked)).toBe(1)

    const refused = await post({ ...fields, intent: 'clear', item: `${own.itemId} ${own.version}` })
    const text = readMain(await refused.text())
    expect(text).toContain('Not checked: 2')
    expect(countOf(text, `For Rosa: ${notChecked}`)).toBe(1)
    expect(countOf(text, notChecked)).toBe(2)
  })

  test('an item of another patient fills a line only when it was chosen', async () => {
    const { staff, hers, own, fields, open, post, read } = await openCase()
    expect(clearForm(await open())).toContain('checked=""')
    await closeItem(staff, { ...hers, reason: 'revoked', note: 'Stopped' })
    const form = clearForm(await open())
    expect(form).toContain(`value="${own.itemId} `)
    expect(form).not.toContain('checked=""')
    expect(form).toContain('None of this patient’s prescription items can fill this line.')

    const refused = await post({ ...fields, intent: 'clear', destinationNote: 'Checked' })
    expect(refused.status).toBe(422)
    const again = clearForm(await refused.text())
    expect(again).toContain('Choose the prescription item.')
    expect(again).not.toContain('checked=""')
    expect(await read()).toMatchObject({ status: 'waiting' })
  })

  test('without scripts, Clear is open while any of the items is ready', async () => {
    const { customer, staff, patientId, hers, own, open, read } = await openCase()
    const closed = /<button[^>]*\bdisabled=""/
    await setNoKnownAllergies(customer, { patientId, none: false })
    const { candidates } = await read()
    expect(candidates.map(({ itemId, blockers }) => [itemId, blockers.length])).toEqual(
      expect.arrayContaining([
        [hers.itemId, 1],
        [own.itemId, 0],
      ]),
    )
    expect(clearForm(await open())).not.toMatch(closed)
    await closeItem(staff, { ...own, reason: 'revoked', note: 'Stopped' })
    expect(clearForm(await open())).toMatch(closed)
  })
})
