import type { Db } from '#db/engine/client.ts'
import type { CaseAlert } from '#domain/alerts/case-alert.ts'
import type { CaseCandidate, CaseLine } from '#domain/dispensing/case-line.ts'
import { dependantSchema } from '#domain/patients/dependant-fields.ts'
import { addToList, setNoKnownAllergies } from '#server/patients/change-record.ts'
import { saveDependant } from '#server/patients/dependants.ts'
import { clearLine } from '#server/reviews/clear-line.ts'
import { decideAlert } from '#server/reviews/decide-alert.ts'
import { getCase } from '#server/reviews/get-case.ts'
import { addCareLists, decisionInputOf } from '#tests/support/alerts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { clearInputOf, transcribe } from '#tests/support/pharmacist.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { fieldsOf, lineOf, openCase, refusal } from '#tests/support/review-cases.ts'
import { expect, test } from 'vitest'

/**
 * A case for lisinopril that names the customer's own prescription. Their child has one for the
 * same medicine, and lists warfarin and a name that no list has.
 */
async function openTwoItems(db: Db) {
  const opened = await openCase(db)
  const { customer, customerId, pharmacist, variantId, order } = opened
  await addCareLists(db, testDay)
  const sofia = dependantSchema(testDay).parse({ firstName: 'Sofia', dateOfBirth: '2015-05-05' })
  const patientId = await saveDependant(customer, sofia)
  await setNoKnownAllergies(customer, { patientId, none: true })
  await addToList(customer, { patientId, list: 'medications', name: 'Warfarin' })
  await addToList(customer, { patientId, list: 'medications', name: 'Zyzzyx', meaning: 'text' })
  const paper = await addPrescription(db, customerId, { now: testDay, patientId })
  for (const each of (await getCase(pharmacist, order.id)).prescriptions) {
    await transcribe(pharmacist, each, [variantId], {
      patientName: each.dependantName ?? 'Zoë O’Hara',
      prescriberName: `Dr. of ${each.dependantName ?? 'the customer'}`,
    })
  }
  return { ...opened, paper, sofia: patientId, read: () => getCase(pharmacist, order.id) }
}

const candidateOf = ({ candidates }: CaseLine, prescriptionId: string): CaseCandidate => {
  const found = candidates.find((candidate) => candidate.prescriptionId === prescriptionId)
  if (!found) throw new Error('The line has no candidate of this prescription.')
  return found
}

const highOf = ({ alerts }: CaseCandidate): CaseAlert => {
  const found = alerts?.find(({ needsDecision }) => needsDecision)
  if (!found) throw new Error('The candidate has no alert to decide on.')
  return found
}

const weight = { weight: { kilograms: '32', on: '2026-01-05' } }

eachEngine((_engine, openDb) => {
  test('an alert that comes up only with another item is shown with that item and decided there', async () => {
    const db = await openDb()
    const { read, pharmacist, prescription, paper, sofia } = await openTwoItems(db)
    const current = await read()
    const line = lineOf(current)
    // The case's own alerts are those of the item that its line names.
    expect(current.screening?.alerts.filter(({ needsDecision }) => needsDecision)).toEqual([])
    expect(current.screening?.notChecked).toEqual([])
    expect(candidateOf(line, prescription.id)).toMatchObject({ alerts: null, notChecked: [] })
    const chosen = candidateOf(line, paper.id)
    const alert = highOf(chosen)
    expect(alert).toMatchObject({ fact: expect.stringContaining('Takes Warfarin.'), decision: null })
    expect(chosen.notChecked).toEqual([
      'For Sofia: Zyzzyx: this name is in none of our lists, so it was not checked.',
    ])
    expect(current.patients.map(({ patientId }) => patientId)).toContain(sofia)

    const { itemId, itemVersion } = chosen
    const clear = async () =>
      clearLine(pharmacist, clearInputOf(lineOf(await read()), { itemId, itemVersion, ...weight }))
    expect(await fieldsOf(clear())).toEqual({
      line: 'An alert needs your decision first.',
      [`alert-${alert.id}`]: 'Decide on this alert first.',
    })
    // With the item that the line names, there is no such alert.
    expect((await refusal(decideAlert(pharmacist, decisionInputOf(line, alert)))).code).toBe('CONFLICT')
    const decision = { choice: 'told-patient', note: 'Stable INR', itemId }
    const decided = await decideAlert(pharmacist, decisionInputOf(line, alert, decision))
    expect(highOf(candidateOf(lineOf(decided), paper.id)).decision).toMatchObject({ isCurrent: true })
    expect(lineOf(await clear())).toMatchObject({ status: 'cleared', itemId, patientId: sofia })
  })

  test('a line refused for an alert of another item is counted as refused', async () => {
    const db = await openDb()
    const { read, pharmacist, paper } = await openTwoItems(db)
    const line = lineOf(await read())
    const { itemId, ...chosen } = candidateOf(line, paper.id)
    const alert = highOf({ itemId, ...chosen })
    const decision = { choice: 'refuse', note: 'Ask the practice first', itemId }
    const refused = await decideAlert(pharmacist, decisionInputOf(line, alert, decision))
    expect(lineOf(refused).status).toBe('refused')
    expect(await db.selectFrom('alertCounts').selectAll().execute()).toMatchObject([
      { kind: 'interaction', refused: 1 },
    ])
  })

  test('what must be recorded first is that of the item that fills the line', async () => {
    const db = await openDb()
    const { read, customer, prescription, paper, sofia } = await openTwoItems(db)
    await setNoKnownAllergies(customer, { patientId: sofia, none: false })
    const line = lineOf(await read())
    expect(candidateOf(line, prescription.id).blockers).toEqual([])
    expect(candidateOf(line, paper.id).blockers.join()).toContain('allergies')
  })
})
