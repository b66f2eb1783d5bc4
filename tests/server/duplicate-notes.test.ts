import { getCase } from '#server/reviews/get-case.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription, hashFile } from '#tests/support/prescriptions.ts'
import { fieldsOf, itemOf, openCase, prescriptionOf } from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('a note on the same file does not count for a copy that was uploaded after it', async () => {
    const db = await openDb()
    const { pharmacist, order, variantId, prescription } = await openCase(db)
    const upload = async (): Promise<string> => {
      const { id } = await addPrescription(db, await makeUser(db), { now: testDay })
      await hashFile(db, id)
      return id
    }
    await hashFile(db, prescription.id)
    await upload()
    const read = async () => prescriptionOf(await getCase(pharmacist, order.id))
    const shown = await read()
    const note = 'A copy for the insurer'
    const late = await upload()
    // The form was opened before the second copy came.
    expect(
      await fieldsOf(transcribe(pharmacist, shown, [variantId], { duplicateNote: note })),
    ).toHaveProperty([`duplicate-${late}`])
    const decided = await transcribe(pharmacist, await read(), [variantId], { duplicateNote: note })
    const { id, version, directions } = itemOf(decided)
    const items = [{ id, version, variantId: '', directions }]
    const save = async (duplicateNote: string) =>
      transcribe(pharmacist, await read(), [variantId], { duplicateNote, items })
    await save(note)
    const later = await upload()
    expect(await fieldsOf(save(note))).toEqual({
      duplicateNote: expect.stringMatching(
        /has the same file\..* The note so far is about other prescriptions\./,
      ),
      [`duplicate-${later}`]: expect.any(String),
    })
    const both = `${note}, and one for the employer`
    await save(both)
    await save(both)
    const latest = [await upload(), await upload()]
    const refused = await fieldsOf(save(both))
    expect(refused['duplicateNote']).toMatch(
      /^2 prescriptions of other customers have the same file\. Check whether/,
    )
    expect(Object.keys(refused)).toEqual(expect.arrayContaining(latest.map((id) => `duplicate-${id}`)))
  })
})
