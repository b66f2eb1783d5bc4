import { rebuildSearch } from '#db/search/rebuild-search.ts'
import { duplicateField } from '#domain/dispensing/duplicate-note.ts'
import { newId } from '#domain/ids.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { hiddenFields, readMain } from '#tests/support/page-text.ts'
import { addPharmacist, testNpi, transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { addMedicine } from '#tests/support/review-cases.ts'
import { eachShop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

eachShop((openShopOf) => {
  test('without JavaScript, a refused form does not take over what a colleague has saved since', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const { db } = shop
    const now = new Date()
    const [staff, colleague] = [await addPharmacist(db, { now }), await addPharmacist(db, { now })]
    const pharmacist = shop.visit()
    await signInAs(pharmacist, db, staff.user?.id ?? '')
    const variantId = await addMedicine(db)
    const writtenOn = now.toISOString().slice(0, 10)
    const prescription = await addPrescription(db, await makeUser(db))
    const path = `/admin/prescriptions?id=${prescription.id}`
    const post = async (fields: Record<string, string>) => {
      const response = await pharmacist.post(path, fields)
      const html = await response.text()
      const hidden = hiddenFields(html, 'Transcription of Rx 000001')
      return { status: response.status, text: readMain(html), hidden }
    }
    const typed = {
      patientName: 'Zoë O’Hara',
      prescriberName: 'Ben Quillfeather, MD',
      npi: testNpi,
      writtenOn,
      'items.0.variantId': variantId,
      'items.0.units': '30',
      'items.0.daysSupply': '30',
      'items.0.refills': '1',
      'items.0.directions': '1 tab po daily',
    }
    const opened = hiddenFields(await (await pharmacist.get(path)).text(), 'Transcription of Rx 000001')
    await transcribe(colleague, { ...prescription, version: 1 }, [variantId], { writtenOn })

    const added = await post({ ...opened, ...typed, edit: 'add' })
    const blank = await post({ ...added.hidden, ...typed, 'items.0.directions': ' ' })
    expect(blank).toMatchObject({ status: 422, text: expect.stringContaining('Enter the directions.') })
    const conflict = await post({ ...blank.hidden, ...typed })
    expect(conflict).toMatchObject({
      status: 409,
      text: expect.stringContaining('Someone else just changed this prescription.'),
    })
    // The conflict was shown, so the next save may replace the colleague's version.
    const versions = [opened, added.hidden, blank.hidden, conflict.hidden].map(({ version }) => version)
    expect(versions).toEqual(['1', '1', '1', '2'])
  })

  test('without JavaScript, a refused form and the case say that the quantity does not fit the directions', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const { db } = shop
    const staff = await addPharmacist(db, { now: new Date() })
    const pharmacist = shop.visit()
    await signInAs(pharmacist, db, staff.user?.id ?? '')
    const variantId = await addMedicine(db)
    await rebuildSearch(db)
    const customerId = await makeUser(db)
    const prescription = await addPrescription(db, customerId)
    const items = [{ productVariantId: variantId, quantity: 1 }]
    const { id } = await placeOrder(db, customerId, { items, prescriptionId: prescription.id })
    const path = `/admin/prescriptions?id=${id}`
    const opened = hiddenFields(await (await pharmacist.get(path)).text(), 'Transcription of Rx 000001')
    const typed = {
      ...opened,
      patientName: 'Zoë O’Hara',
      prescriberName: 'Ben Quillfeather, MD',
      npi: testNpi,
      writtenOn: new Date().toISOString().slice(0, 10),
      'items.0.medicine': 'Lisinopril',
      'items.0.listed': 'Lisinopril',
      'items.0.variantId': variantId,
      'items.0.units': '200',
      'items.0.daysSupply': '30',
      'items.0.refills': '1',
      'items.0.directions': '1 tab po bid',
    }
    const mismatch = 'By the directions, 200 tablets last 100 days, not 30.'
    const refused = await pharmacist.post(path, { ...typed, npi: '' })
    expect([refused.status, readMain(await refused.text())]).toEqual([422, expect.stringContaining(mismatch)])
    expect((await pharmacist.post(path, typed)).status).toBe(303)
    const [, lines = ''] = readMain(await (await pharmacist.get(path)).text()).split(
      'Directions Take 1 tablet',
    )
    expect(lines).toContain(mismatch)
  })

  test('without JavaScript, twenty medicines are transcribed beside all possible duplicates', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const { db } = shop
    const staff = await addPharmacist(db, { now: new Date() })
    const pharmacist = shop.visit()
    await signInAs(pharmacist, db, staff.user?.id ?? '')
    const { id } = await addPrescription(db, await makeUser(db))
    const path = `/admin/prescriptions?id=${id}`
    const name = 'Transcription of Rx 000001'
    let html = await (await pharmacist.get(path)).text()
    for (let medicines = 1; medicines < 20; medicines++) {
      html = await (await pharmacist.post(path, { ...allFields(html, name), edit: 'add' })).text()
    }
    const sentence = 'Another customer’s prescription has the same file.'
    const ids = Array.from({ length: 200 }, () => newId())
    const refused = Object.fromEntries(ids.map((each) => [duplicateField(each), sentence]))
    const typed = allFields(html, name)
    expect(Object.keys(typed)).toContain('items.19.directions')
    const reply = await pharmacist.post(path, { ...typed, ...refused, duplicatesSeen: ids.join(' ') })
    expect([reply.status, readMain(await reply.text())]).toEqual([
      422,
      expect.stringContaining('Enter the prescriber’s name.'),
    ])
  })
})

/** All fields of the form with this accessible name: the unseen ones as posted, others blank. */
function allFields(html: string, name: string): Record<string, string> {
  const form = new RegExp(`<form[^>]*aria-label="${name}"[^]*?</form>`).exec(html)?.[0] ?? ''
  const names = [...form.matchAll(/ name="([^"]*)"/g)].map(([, field = '']) => field)
  return { ...Object.fromEntries(names.map((field) => [field, ''])), ...hiddenFields(html, name) }
}
