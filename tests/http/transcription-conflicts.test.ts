import { closeItemInputSchema } from '#domain/dispensing/case-inputs.ts'
import { newId } from '#domain/ids.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import type { Context } from '#server/context.ts'
import { saveDraft } from '#server/reviews/case-drafts.ts'
import { closeItem } from '#server/reviews/close-item.ts'
import { decideReview } from '#server/reviews/decide-review.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { hiddenFields, readMain } from '#tests/support/page-text.ts'
import { addPharmacist, testNpi, transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { addMedicine, prescriptionOf } from '#tests/support/review-cases.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

/** The values of the radio buttons of medicines with this attribute. */
const choicesOf = (html: string, attribute: string): string[] =>
  [...html.matchAll(new RegExp(`type="radio"[^>]*variantId"[^>]*${attribute} value="([^"]*)"`, 'g'))].map(
    ([, value = '']) => value,
  )

/** A prescription under review, and two pharmacists: one without JavaScript, and a colleague. */
async function openReview(shop: Shop) {
  const { db } = shop
  const now = new Date()
  const writtenOn = now.toISOString().slice(0, 10)
  const staff = await addPharmacist(db, { now })
  const colleague = await addPharmacist(db, { firstName: 'Eli', lastName: 'Ruiz', now })
  const visitor = shop.visit()
  await signInAs(visitor, db, staff.user?.id ?? '')
  const { id } = await addPrescription(db, await makeUser(db))
  const path = `/admin/prescriptions?id=${id}`
  const read = async (reply: Response) => {
    const html = await reply.text()
    return {
      status: reply.status,
      text: readMain(html),
      hidden: hiddenFields(html, 'Transcription of Rx 000001'),
      choices: choicesOf(html, ''),
      chosen: choicesOf(html, ' checked=""'),
    }
  }
  const header = {
    patientName: 'Zoë O’Hara',
    prescriberName: 'Ada Quillfeather, MD',
    npi: testNpi,
    writtenOn,
  }
  return {
    id,
    staff,
    colleague,
    header,
    item: (at: number, directions: string, variantId = '') => ({
      [`items.${at}.variantId`]: variantId,
      [`items.${at}.units`]: '48',
      [`items.${at}.daysSupply`]: '30',
      [`items.${at}.refills`]: '2',
      [`items.${at}.directions`]: directions,
    }),
    /** Saves through the use case, as the colleague. */
    save: async (variantIds: string[], items: Record<string, unknown>[] = []): Promise<ReviewCase> =>
      transcribe(colleague, prescriptionOf(await getCase(colleague, id)), variantIds, { writtenOn, items }),
    open: async (edited = '') => read(await visitor.get(`${path}&edit=${edited}`)),
    post: async (fields: Record<string, string>) => read(await visitor.post(path, fields)),
  }
}

const close = (ctx: Context, item: { id: string; version: number } | undefined): Promise<ReviewCase> => {
  const input = { itemId: item?.id, version: item?.version, reason: 'revoked', note: 'By phone' }
  return closeItem(ctx, closeItemInputSchema.parse(input))
}

eachShop((openShopOf) => {
  test('without JavaScript, the save after a conflict replaces the item that a colleague changed', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const { id, colleague, header, item, save, open, post } = await openReview(shop)
    const [variantId, metformin] = [
      await addMedicine(shop.db),
      await addMedicine(shop.db, { name: 'Metformin' }),
    ]
    const first = prescriptionOf(await save([variantId, metformin]))
    const opened = await open(id)
    const [lisinopril, second] = first.items.map((stored) => ({ id: stored.id, version: stored.version }))
    await save(['', ''], [{ ...lisinopril, units: '40' }, { ...second }])
    await close(colleague, second)

    const typed = { ...header, ...item(0, '1 tab po daily') }
    const conflict = await post({ ...opened.hidden, ...typed, ...item(1, '2 tab po daily') })
    expect(conflict.status).toBe(409)
    expect(conflict.hidden).toMatchObject({ version: '3', 'items.0.id': lisinopril?.id })
    expect(conflict.text).toContain('Current transcription, saved by Eli Ruiz, ')
    expect(conflict.text).toMatch(
      /Lisinopril 10 mg Take 1 tablet by mouth twice a day 40 tablets for 30 days, 2 of 2 refills left .* Closed .* By phone Closed by Eli Ruiz, [A-Z][a-z]{2} \d+, \d{4}, \d\d:\d\d UTC/,
    )
    // It stays beside the form after a mistake.
    const blank = await post({ ...conflict.hidden, ...typed, 'items.0.directions': '' })
    expect([blank.status, blank.text]).toEqual([
      422,
      expect.stringContaining('Current transcription, saved by Eli Ruiz, '),
    ])
    // The closed one can't be changed, and the form has no field of it.
    expect(Object.keys(conflict.hidden).filter((name) => name.startsWith('items.1'))).toEqual([])
    // A page of the release before sends the items' versions, which are ignored.
    const early = { ...conflict.hidden, 'items.0.version': '1' }
    const saved = await post({ ...early, ...typed, 'items.0.units': '40' })
    expect(saved.status).toBe(303)
    expect(prescriptionOf(await getCase(colleague, id)).items).toMatchObject([
      { status: 'active', directions: 'Take 1 tablet by mouth daily', unitsPerFill: 40 },
      { status: 'closed', directions: 'Take 1 tablet by mouth twice a day' },
    ])
  })

  test('of two pharmacists who transcribe a new file, the second compares and adds no medicine twice', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const { id, staff, header, item, save, open, post } = await openReview(shop)
    const variantId = await addMedicine(shop.db)
    const opened = await open()
    await save([variantId])
    const typed = { ...header, ...item(0, '2 tab po daily', variantId) }
    const conflict = await post({ ...opened.hidden, ...typed })
    expect([conflict.status, conflict.text]).toEqual([
      409,
      expect.stringMatching(
        /Current transcription, saved by Eli Ruiz, .* Lisinopril 10 mg Take 1 tablet by mouth twice a day/,
      ),
    ])
    const again = await post({ ...conflict.hidden, ...typed })
    expect([again.status, again.text]).toEqual([
      422,
      expect.stringContaining('Lisinopril 10 mg is already saved for this prescription.'),
    ])
    expect(prescriptionOf(await getCase(staff, id)).items).toHaveLength(1)
  })

  test('a draft does not replace what a colleague has saved since it was started', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const { id, staff, header, item, save, open, post } = await openReview(shop)
    const [variantId, metformin] = [
      await addMedicine(shop.db),
      await addMedicine(shop.db, { name: 'Metformin' }),
    ]
    const typed = { ...header, ...item(0, '1 tab po daily', metformin) }
    const draft = Object.fromEntries(
      Object.entries({ ...typed, version: '1' }).map(([name, text]) => [`${id}.${name}`, text]),
    )
    await saveDraft(staff, { caseId: id, fields: draft })
    await save([variantId])
    const conflict = await post({ ...(await open()).hidden, ...typed })
    expect(conflict.status).toBe(409)
    expect((await post({ ...conflict.hidden, ...typed })).status).toBe(303)
    expect(prescriptionOf(await getCase(staff, id))).toMatchObject({ version: 3, items: [{}, {}] })
  })

  test('without JavaScript, a stored medicine is not saved under a name that was not chosen, nor when its fields are emptied', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const { id, staff, header, item, save, open, post } = await openReview(shop)
    const metformin = await addMedicine(shop.db, { name: 'Metformin' })
    await save([await addMedicine(shop.db)])
    const { hidden } = await open(id)
    const emptied = Object.fromEntries(Object.keys(item(0, '')).map((name) => [name, '']))
    const empty = await post({ ...hidden, ...header, ...emptied, 'items.0.medicine': '' })
    expect([empty.status, empty.text]).toEqual([422, expect.stringContaining('Enter the directions.')])

    const typed = { ...hidden, ...header, ...item(0, '1 tab po daily'), 'items.0.medicine': 'Metformin' }
    const refused = await post(typed)
    expect([refused.status, refused.text]).toEqual([
      422,
      // It was looked up. The search of this catalog has no rows.
      expect.stringMatching(/Nothing matches\. .* choose the medicine from the list/),
    ])
    expect((await post({ ...typed, edit: 'find' })).text).toContain('Nothing matches.')
    expect((await post({ ...typed, edit: 'add' })).text).not.toContain('Nothing matches.')
    const listed = { ...typed, 'items.0.listed': 'Metformin' }
    expect((await post({ ...listed, 'items.0.variantId': metformin })).status).toBe(303)
    expect(prescriptionOf(await getCase(staff, id)).items).toMatchObject([
      { medicine: { substances: 'Metformin' } },
    ])
  })

  test('without JavaScript, the medicine that was chosen for a stored item stays shown until it is saved', async () => {
    const shop = await openShopOf()
    const { id, staff, header, item, save, open, post } = await openReview(shop)
    await save([await addMedicine(shop.db)])
    const typed = { ...(await open(id)).hidden, ...header, ...item(0, '1 tab po daily') }
    const found = await post({ ...typed, 'items.0.medicine': 'lisinopril 20', edit: 'find' })
    const [chosen = ''] = found.choices
    const choice = {
      ...typed,
      ...found.hidden,
      'items.0.medicine': 'lisinopril 20',
      'items.0.variantId': chosen,
    }
    const refused = await post({ ...choice, 'items.0.units': '0' })
    expect([refused.status, refused.chosen]).toEqual([422, [chosen]])
    const added = await post({ ...choice, edit: 'add' })
    expect([added.chosen, added.hidden]).toEqual([
      [chosen],
      expect.not.objectContaining({ 'items.0.variantId': chosen }),
    ])
    expect((await post(choice)).status).toBe(303)
    expect(prescriptionOf(await getCase(staff, id)).items).toMatchObject([
      { medicine: { substances: expect.stringContaining('Lisinopril'), strength: '20 mg' } },
    ])
  })

  test('without JavaScript, the medicine of a draft is not saved under a name that was typed over it', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const { id, staff, header, item, open, post } = await openReview(shop)
    const variantId = await addMedicine(shop.db)
    const draft = { 'items.0.variantId': variantId, 'items.0.medicine': 'Lisinopril 10 mg tablet' }
    const fields = Object.entries({ version: '1', ...draft }).map(([name, text]) => [`${id}.${name}`, text])
    await saveDraft(staff, { caseId: id, fields: Object.fromEntries(fields) })
    const { hidden } = await open()
    expect(hidden['items.0.variantId']).toBe(variantId)
    const typed = { ...hidden, ...header, ...item(0, '1 tab po daily', variantId) }
    const refused = await post({ ...typed, 'items.0.medicine': 'Metformin' })
    expect([refused.status, refused.text, refused.hidden]).toEqual([
      422,
      expect.stringMatching(
        /Nothing matches\. .* Lisinopril 10 mg was chosen, and then the text was changed/,
      ),
      expect.not.objectContaining({ 'items.0.variantId': variantId }),
    ])
    expect((await post({ ...typed, ...draft })).status).toBe(303)
    expect(prescriptionOf(await getCase(staff, id)).items).toMatchObject([
      { medicine: { substances: 'Lisinopril' } },
    ])
  })

  test('after a conflict, an item whose pack a colleague has changed is saved once its medicine is chosen again', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const { id, staff, header, item, save, open, post } = await openReview(shop)
    const cream = { name: 'Betamethasone', dosageForm: 'cream', packageUnit: 'g' } as const
    const [small, large] = [
      await addMedicine(shop.db, { ...cream, packageSize: 30 }),
      await addMedicine(shop.db, { ...cream, packageSize: 60 }),
    ]
    const [stored] = prescriptionOf(await save([small])).items
    const opened = await open(id)
    await save([large], [{ id: stored?.id }])
    const shown = { 'items.0.medicine': 'Betamethasone 10 mg cream' }
    const typed = { ...header, ...item(0, 'apply daily'), ...shown }
    const conflict = await post({ ...opened.hidden, ...typed })
    expect(conflict.status).toBe(409)
    const refused = await post({ ...conflict.hidden, ...typed })
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringMatching(/the item was changed to Betamethasone 10 mg cream, .*in packs of 60 g\. Choose/),
    ])
    // The radio button of the search, which has no rows in this catalog.
    const chosen = { 'items.0.variantId': small, 'items.0.listed': shown['items.0.medicine'] }
    expect((await post({ ...conflict.hidden, ...typed, ...chosen })).status).toBe(303)
    expect(prescriptionOf(await getCase(staff, id)).items).toMatchObject([{ medicine: { pack: '30 g' } }])
  })

  test('without JavaScript, Cancel discards the draft, and the form stays closed', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const { id, staff, save, open, post } = await openReview(shop)
    await save([await addMedicine(shop.db)])
    const other = `${newId()}.npi`
    await saveDraft(staff, {
      caseId: id,
      fields: { [`${id}.version`]: '2', [`${id}.npi`]: '1', [other]: '2' },
    })
    const opened = await open()
    expect(opened.text).toContain('Save transcription')
    expect((await post({ ...opened.hidden, npi: '1', edit: 'cancel' })).status).toBe(303)
    expect((await open()).text).not.toContain('Save transcription')
    expect((await getCase(staff, id)).draft?.fields).toEqual({ [other]: '2' })
  })

  test('a draft of a file that was rejected and returned to review since is saved without a conflict', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const { id, staff, header, item, open, post } = await openReview(shop)
    const typed = { ...header, ...item(0, '1 tab po daily', await addMedicine(shop.db)) }
    await saveDraft(staff, { caseId: id, fields: { [`${id}.version`]: '1', [`${id}.npi`]: testNpi } })
    await decideReview(staff, { id, version: 1, status: 'rejected', statusReason: 'Not legible' })
    await decideReview(staff, { id, version: 2, status: 'under_review' })
    const opened = await open()
    expect(opened.text).not.toContain('Current transcription')
    expect((await post({ ...opened.hidden, ...typed })).status).toBe(303)
  })

  test('a draft of the release before, without a version, replaces no transcription unseen', async () => {
    const shop = await openShopOf({ catalog: 'empty' })
    const { id, staff, header, item, save, open, post } = await openReview(shop)
    const [variantId, metformin] = [
      await addMedicine(shop.db),
      await addMedicine(shop.db, { name: 'Metformin' }),
    ]
    await saveDraft(staff, { caseId: id, fields: { [`${id}.prescriberName`]: 'Ben Quillfeather, MD' } })
    const early = await open()
    await save([variantId])
    const late = await open()
    expect([early.hidden, late.hidden]).toMatchObject([{ version: '1' }, { version: '0' }])
    const typed = { ...header, ...item(0, '1 tab po daily', metformin) }
    const conflict = await post({ ...late.hidden, ...typed })
    expect(conflict).toMatchObject({ status: 409, hidden: { version: '2' } })
    expect((await post({ ...conflict.hidden, ...typed })).status).toBe(303)
  })
})
