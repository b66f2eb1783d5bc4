import { caseBounds } from '#domain/dispensing/review-case.ts'
import { saveDraft } from '#server/reviews/case-drafts.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { openCase, refusal } from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  const openDraft = async () => {
    const { pharmacist, order, prescription } = await openCase(await openDb())
    const caseId = order.id
    const inPart = (fields: Record<string, string>) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prescription.id}.${name}`, value]))
    return {
      inPart,
      /** Saves what a page of the release before shows, without what it changed. */
      saveWhole: (fields: Record<string, string>) =>
        saveDraft(pharmacist, { caseId, fields: inPart(fields) }),
      /** Saves what one tab shows, of which it changed some pieces. */
      save: (fields: Record<string, string>, changed: string[]) =>
        saveDraft(pharmacist, {
          caseId,
          fields: inPart(fields),
          changed: changed.map((piece) => `${prescription.id}.${piece}`),
        }),
      discard: () => saveDraft(pharmacist, { caseId, fields: {}, changed: [prescription.id] }),
      read: async () => (await getCase(pharmacist, caseId)).draft?.fields ?? null,
    }
  }

  test('two tabs keep what each has typed of a transcription, also when both save at once or twice', async () => {
    const { inPart, save, read } = await openDraft()
    const one = { version: '1', patientName: 'Ana', 'items.0.units': '30' }
    const two = { version: '1', prescriberName: 'Dr. Roe', 'items.1.units': '10' }
    for (let round = 0; round < 3; round++) {
      // Postgres runs these at once. SQLite runs one transaction after another.
      await Promise.all([
        save(one, ['patientName', 'items.0']),
        save(two, ['prescriberName', 'items.1']),
        save({ version: '1', npi: String(round) }, ['npi']),
      ])
      expect(await read()).toEqual(inPart({ ...one, ...two, npi: String(round) }))
    }
  })

  test('a cleared field is removed from the draft, and discarding a transcription removes what both tabs typed', async () => {
    const { inPart, save, discard, read } = await openDraft()
    await save({ version: '1', patientName: 'Ana', npi: '1' }, ['patientName', 'npi'])
    await save({ version: '1', patientName: ' ' }, ['patientName'])
    expect(await read()).toEqual(inPart({ version: '1', npi: '1' }))
    await save({}, ['npi'])
    expect(await read()).toBeNull()
    await save({ version: '1', npi: '1' }, ['npi'])
    await discard()
    expect(await read()).toBeNull()
  })

  test('a tab replaces a whole medicine, and all that was typed for another version of the transcription', async () => {
    const { inPart, save, read } = await openDraft()
    await save({ version: '1', 'items.0.medicine': 'Lisinopril', 'items.0.directions': 'Daily' }, ['items.0'])
    await save({ version: '1', 'items.0.medicine': 'Metoprolol' }, ['items.0'])
    expect(await read()).toEqual(inPart({ version: '1', 'items.0.medicine': 'Metoprolol' }))
    await save({ version: '2', npi: '1' }, ['npi'])
    expect(await read()).toEqual(inPart({ version: '2', npi: '1' }))
  })

  test('a page of the release before replaces the whole draft, and later saves add to its draft', async () => {
    const { inPart, save, saveWhole, read } = await openDraft()
    await save({ version: '0', patientName: 'Ana', 'items.0.units': '30' }, ['patientName', 'items.0'])
    await save({ version: '0', prescriberName: 'Dr. Roe' }, ['prescriberName'])
    const whole = { version: '0', patientName: 'Ana B', prescriberName: 'Dr. Roe' }
    await saveWhole({ ...whole, license: ' ' })
    expect(await read()).toEqual(inPart(whole))
    await save({ version: '0', npi: '1' }, ['npi'])
    expect(await read()).toEqual(inPart({ ...whole, npi: '1' }))
  })

  test('a draft that two tabs make too long together is refused', async () => {
    const { save } = await openDraft()
    const names = (tab: string) =>
      Array.from({ length: caseBounds.draftFields - 1 }, (_, at) => `${tab}${at}`)
    const fill = (tab: string) =>
      save({ version: '1', ...Object.fromEntries(names(tab).map((name) => [name, 'x'])) }, names(tab))
    await fill('a')
    expect(await refusal(fill('b'))).toMatchObject({ code: 'INVALID' })
  })
})
