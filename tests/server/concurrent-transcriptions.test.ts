import { closeItemInputSchema } from '#domain/dispensing/case-inputs.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { closeItem } from '#server/reviews/close-item.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { openCheckout } from '#tests/support/checkouts.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { addPharmacist, transcribe } from '#tests/support/pharmacist.ts'
import {
  addMedicine,
  fieldsOf,
  itemOf,
  openCase,
  prescriptionOf,
  refusal,
} from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('a medicine that a colleague has transcribed since is not stored a second time', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db)
    const colleague = await addPharmacist(db, { firstName: 'Eli', lastName: 'Ruiz' })
    const metformin = await addMedicine(db, { name: 'Metformin' })
    const opened = prescriptionOf(await getCase(pharmacist, order.id))
    const stored = await transcribe(colleague, opened, [variantId])
    expect(await refusal(transcribe(pharmacist, opened, [variantId]))).toMatchObject({ code: 'CONFLICT' })

    const current = prescriptionOf(stored)
    expect(await fieldsOf(transcribe(pharmacist, current, [metformin, variantId]))).toEqual({
      'items[1].variantId':
        'Lisinopril 10 mg is already saved for this prescription. Remove it here, or cancel and edit the saved one.',
    })
    // Another medicine is added to what is stored, and so is a second one that the form shows.
    const added = await transcribe(pharmacist, current, [metformin])
    expect(prescriptionOf(added).items).toHaveLength(2)
    const { id, version } = itemOf(added)
    const both = await transcribe(pharmacist, prescriptionOf(added), [variantId, variantId], {
      items: [{ id, version }, { directions: '2 tab po daily' }],
    })
    expect(prescriptionOf(both).items).toHaveLength(3)
  })

  test('an edit is saved although the customer has ordered a refill since it was opened', async () => {
    const db = await openDb()
    const { pharmacist, customer, order, variantId } = await openCase(db)
    const unread = prescriptionOf(await getCase(pharmacist, order.id))
    const opened = await transcribe(pharmacist, unread, [variantId])
    const { id, version } = itemOf(opened)
    await openCheckout(customer, variantId)
    expect(itemOf(await getCase(pharmacist, order.id))).toMatchObject({
      version: version + 1,
      refillsLeft: 2,
    })

    const save = (item: Record<string, unknown>) =>
      transcribe(pharmacist, prescriptionOf(opened), [''], { items: [{ id, version, ...item }] })
    // The refill still counts.
    expect(await fieldsOf(save({ units: '1', refills: '0' }))).toHaveProperty(['items[0].units'])
    const edited = await save({ directions: '2 tab po daily' })
    expect(itemOf(edited).directions).toBe('Take 2 tablets by mouth daily')
    expect(await refusal(save({ directions: '1 tab po daily' }))).toMatchObject({ code: 'CONFLICT' })
  })

  test('after a conflict, an item does not keep a medicine that the form does not show', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db)
    const colleague = await addPharmacist(db, { firstName: 'Eli', lastName: 'Ruiz' })
    const metformin = await addMedicine(db, { name: 'Metformin' })
    const unread = prescriptionOf(await getCase(pharmacist, order.id))
    const opened = await transcribe(pharmacist, unread, [variantId])
    const { id } = itemOf(opened)
    const changed = await transcribe(colleague, prescriptionOf(opened), [metformin], { items: [{ id }] })

    const save = (current: ReviewCase, medicine: string, chosen = '') =>
      transcribe(pharmacist, prescriptionOf(current), [chosen], { items: [{ id, medicine }] })
    const shown = 'Lisinopril 10 mg tablet'
    expect(await refusal(save(opened, shown))).toMatchObject({ code: 'CONFLICT' })
    expect(await fieldsOf(save(changed, shown))).toEqual({
      'items[0].variantId':
        'This item is for Metformin 10 mg. To change it, choose the medicine from the list.',
    })
    expect(itemOf(await save(changed, shown, variantId)).medicine.substances).toBe('Lisinopril')
  })

  test('an edit that was opened before an item was closed neither changes nor reopens it', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId } = await openCase(db)
    const colleague = await addPharmacist(db, { firstName: 'Eli', lastName: 'Ruiz' })
    const metformin = await addMedicine(db, { name: 'Metformin' })
    const opened = prescriptionOf(await getCase(pharmacist, order.id))
    const seen = await transcribe(pharmacist, opened, [variantId, metformin])
    const [closing, other] = prescriptionOf(seen).items.map(({ id, version }) => ({ id, version }))
    const input = { itemId: closing?.id, version: closing?.version, reason: 'revoked', note: 'By phone' }
    const closed = itemOf(await closeItem(colleague, closeItemInputSchema.parse(input)))

    const save = (items: Record<string, unknown>[], changes: Record<string, unknown> = {}) =>
      transcribe(
        pharmacist,
        prescriptionOf(seen),
        items.map(() => ''),
        { items, ...changes },
      )
    const edit = [{ ...closing, units: '30' }, { ...other }]
    expect(await refusal(save(edit))).toMatchObject({ code: 'CONFLICT' })
    // A new prescriber reaches the items that the form leaves out, but no closed one.
    const saved = await save([{ ...other }], { prescriberName: 'Ben Quillfeather, MD' })
    expect(itemOf(saved)).toEqual(closed)
  })
})
