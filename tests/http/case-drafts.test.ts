import { askAboutLine } from '#server/reviews/ask-about-line.ts'
import { saveDraft } from '#server/reviews/case-drafts.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { noteCall } from '#server/reviews/note-call.ts'
import { signInAs } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { hiddenFields, toPlainText } from '#tests/support/page-text.ts'
import { addPharmacist, transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { addMedicine, itemOf, lineOf, openCase, prescriptionOf } from '#tests/support/review-cases.ts'
import { eachShop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

eachShop((openShopOf) => {
  test('what was typed about a line is shown after a colleague changed it, and a question sent without JavaScript is no draft', async () => {
    const shop = await openShopOf({ catalog: 'empty', now: () => testDay })
    const { pharmacist, order } = await openCase(shop.db)
    const colleague = await addPharmacist(shop.db, { firstName: 'Eli', lastName: 'Ruiz' })
    const visitor = shop.visit()
    await signInAs(visitor, shop.db, pharmacist.user?.id ?? '')
    const { id, version } = lineOf(await getCase(pharmacist, order.id))
    const refusal = { [`refuse ${id}.reason`]: 'Page two is missing.' }
    const fields = { ...refusal, [`ask ${id}.question`]: 'Once a day?' }
    await saveDraft(pharmacist, { caseId: order.id, fields })
    await noteCall(colleague, { lineId: id, version, note: 'Called once' })

    const path = `/admin/prescriptions?id=${order.id}`
    const html = await (await visitor.get(path)).text()
    expect(html).toContain('>Page two is missing.</textarea>')
    expect(html).toContain('>Once a day?</textarea>')
    const question = { ...hiddenFields(html, 'Send question'), question: 'Once a day?' }
    await askAboutLine(colleague, {
      lineId: id,
      version: version + 1,
      question: 'How often?',
      lastMessageId: undefined,
    })
    expect((await visitor.post(path, question)).status).toBe(409)
    expect((await getCase(pharmacist, order.id)).draft?.fields).toEqual(fields)
    const next = hiddenFields(await (await visitor.get(path)).text(), 'Send question')
    expect((await visitor.post(path, { ...question, ...next })).status).toBe(303)
    expect((await getCase(pharmacist, order.id)).draft?.fields).toEqual(refusal)
  })

  test('Cancel without JavaScript discards the draft of a case that was opened by its prescription’s id', async () => {
    const shop = await openShopOf({ catalog: 'empty', now: () => testDay })
    const { pharmacist, order, prescription, variantId } = await openCase(shop.db)
    const visitor = shop.visit()
    await signInAs(visitor, shop.db, pharmacist.user?.id ?? '')
    await transcribe(pharmacist, prescriptionOf(await getCase(pharmacist, order.id)), [variantId])
    await saveDraft(pharmacist, { caseId: order.id, fields: { [`${prescription.id}.npi`]: '1' } })
    const path = `/admin/prescriptions?id=${prescription.id}`
    const html = await (await visitor.get(path)).text()
    const form = hiddenFields(html, 'Transcription of Rx \\d{6}')
    expect((await visitor.post(path, { ...form, edit: 'cancel' })).status).toBe(303)
    expect((await getCase(pharmacist, order.id)).draft).toBeNull()
  })

  test('a stored item whose draft chose another medicine shows that one', async () => {
    const shop = await openShopOf({ catalog: 'empty', now: () => testDay })
    const { pharmacist, order, prescription, variantId } = await openCase(shop.db)
    const visitor = shop.visit()
    await signInAs(visitor, shop.db, pharmacist.user?.id ?? '')
    await transcribe(pharmacist, prescriptionOf(await getCase(pharmacist, order.id)), [variantId])
    const { id } = itemOf(await getCase(pharmacist, order.id))
    const shownWith = async (typed: Record<string, string>) => {
      const fields = { id, units: '200', daysSupply: '30', directions: '1 tab po bid', ...typed }
      const names = Object.entries(fields).map(([name, value]) => [
        `${prescription.id}.items.0.${name}`,
        value,
      ])
      await saveDraft(pharmacist, { caseId: order.id, fields: Object.fromEntries(names) })
      const html = await (await visitor.get(`/admin/prescriptions?id=${order.id}`)).text()
      const [, item = ''] = html.split('name="items.0.storedMedicine"')
      return toPlainText(item.split('Dispense as written')[0] ?? '')
    }
    expect(await shownWith({ variantId })).toContain('Lisinopril')
    const metoprolol = await addMedicine(shop.db, { name: 'Metoprolol' })
    const other = await shownWith({ variantId: metoprolol, medicine: 'Metoprolol' })
    expect(other).toContain('Metoprolol')
    expect(other).not.toContain('Lisinopril')
    // A text for which no medicine was chosen has none.
    const typed = await shownWith({ variantId: '', medicine: 'Metoprolol' })
    expect(typed).not.toMatch(/Lisinopril|Metoprolol/)
  })

  test('why to close an item is shown in a case that no longer uses its prescription', async () => {
    const shop = await openShopOf({ catalog: 'empty', now: () => testDay })
    const { pharmacist, order, customerId, variantId } = await openCase(shop.db)
    const visitor = shop.visit()
    await signInAs(visitor, shop.db, pharmacist.user?.id ?? '')
    const { id } = await addPrescription(shop.db, customerId)
    const seen = await getCase(pharmacist, order.id)
    const prescriptions = seen.prescriptions.filter((prescription) => prescription.id === id)
    await transcribe(pharmacist, prescriptionOf({ ...seen, prescriptions }), [variantId])
    const path = `/admin/prescriptions?id=${order.id}`
    expect(await (await visitor.get(path)).text()).not.toContain('Close this item')
    const [item] = (await getCase(pharmacist, order.id)).otherItems
    const draft = { [`closeItem ${item?.id}.reason`]: 'revoked', [`closeItem ${item?.id}.note`]: 'By phone' }
    await saveDraft(pharmacist, { caseId: order.id, fields: draft })
    const html = await (await visitor.get(path)).text()
    expect(html).toContain('>By phone</textarea>')
    const form = { ...hiddenFields(html, 'Close Lisinopril'), reason: 'revoked', note: 'By phone' }
    expect((await visitor.post(path, form)).status).toBe(303)
    expect(await getCase(pharmacist, order.id)).toMatchObject({ otherItems: [], draft: null })
  })
})
