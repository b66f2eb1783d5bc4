import { signInAs, makeUser } from '#tests/support/accounts.ts'
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
})
