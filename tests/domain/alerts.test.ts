import { alertDecisionInputSchema } from '#domain/alerts/alert-decision-schema.ts'
import {
  factsOf,
  findAlertDecision,
  itemIdsOf,
  type RecordedDecision,
} from '#domain/alerts/alert-decision.ts'
import { countAlerts } from '#domain/alerts/alert-counts.ts'
import { toReport } from '#domain/alerts/alert-report.ts'
import { alertText, listDateText } from '#domain/alerts/alert-text.ts'
import { alertsToConfirm, toCustomerAlerts } from '#domain/alerts/customer-alerts.ts'
import { parseInput } from '#domain/parse-input.ts'
import type { Alert, AlertSource } from '#domain/screening/alert.ts'
import { makeAlert, makeDecision } from '#tests/support/screening-alerts.ts'
import { expect, test } from 'vitest'

const ndfrt: AlertSource = {
  list: 'interactions-ndfrt',
  listDate: '2014-07-07',
  grade: 'Critical',
  labelOf: null,
  className: null,
  sentence: null,
  setId: null,
  labelDate: null,
  rowKey: 'ndfrt:IBUPROFEN|WARFARIN',
}
const label: AlertSource = {
  ...ndfrt,
  list: 'interactions-label',
  grade: 'Drug interactions',
  labelOf: 'WARFARIN',
  sentence: 'NSAIDs such as ibuprofen may increase the risk of bleeding.',
  setId: 'ab-12',
  labelDate: '2023-03-02',
}
const alertOf = (changes: Partial<Alert> = {}): Alert =>
  makeAlert({
    first: { key: 'IBUPROFEN', items: [{ kind: 'line', id: 'a', name: 'Advil, 200 mg' }] },
    sources: [ndfrt, label],
    ...changes,
  })
const decisionOf = (changes: Partial<RecordedDecision> = {}): RecordedDecision =>
  makeDecision(alertOf(), { lineId: 'line', ...changes })

test('an alert names both things, what is on record, each source with its date, and the label', () => {
  expect(alertText(alertOf(), { isOwn: true })).toEqual({
    title: 'Advil, 200 mg (ibuprofen) and Coumadin (warfarin)',
    fact: 'You take Coumadin (warfarin). A list of interactions warns about taking these together.',
    sources: [
      {
        id: expect.any(String),
        text: 'Interactions from the U.S. Department of Veterans Affairs (NDF-RT), rated Critical, list of Jul 7, 2014',
        quote: null,
        href: null,
        rowKey: 'ndfrt:IBUPROFEN|WARFARIN',
      },
      {
        id: expect.any(String),
        text: 'Label of warfarin, Drug interactions, Mar 2, 2023',
        quote: 'NSAIDs such as ibuprofen may increase the risk of bleeding.',
        href: 'https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid=ab-12',
        rowKey: 'ndfrt:IBUPROFEN|WARFARIN',
      },
    ],
  })
  const allergy = alertOf({
    kind: 'allergy',
    first: { key: 'AMOXICILLIN', items: [{ kind: 'line', id: 'a', name: 'Amoxicillin' }] },
    second: { key: 'penicillin', items: [{ kind: 'allergy', name: 'Penicillin' }] },
    detail: 'penicillin',
    sources: [{ ...ndfrt, list: 'allergy-groups', grade: 'penicillin' }],
  })
  expect(alertText(allergy, { isOwn: false })).toMatchObject({
    title: 'Amoxicillin and an allergy: Penicillin',
    fact: 'Has an allergy: Penicillin. Amoxicillin is in this allergy group: penicillin.',
  })
  const second = { key: 'AMPICILLIN', items: [{ kind: 'allergy', name: 'Ampicillin' }] } as const
  expect(alertText({ ...allergy, second }, { isOwn: false }).fact).toBe(
    'Has an allergy: Ampicillin. Amoxicillin is in the same allergy group: penicillin.',
  )
  expect(['2014', '2014-07', '2014-07-07', 'soon'].map(listDateText)).toEqual([
    '2014',
    'Jul 2014',
    'Jul 7, 2014',
    'soon',
  ])
})

test('an alert about shared ingredients has the singular for one and the plural for several', () => {
  const items = [{ kind: 'line', id: 'a', name: 'Excedrin' }] as const
  const factOf = (key: string) =>
    alertText(alertOf({ kind: 'same-ingredient', first: { key, items }, second: { key, items } }), {
      isOwn: true,
    }).fact
  expect(factOf('CAFFEINE')).toBe('Both contain the same ingredient: caffeine.')
  expect(factOf('ACETAMINOPHEN + CAFFEINE')).toBe(
    'Both contain the same ingredients: acetaminophen and caffeine.',
  )
})

test('a decision counts until the lists say something else, for this patient, for a year', () => {
  const now = new Date('2026-12-01')
  const isCurrent = (changes: Partial<Alert>, decision: Partial<RecordedDecision> = {}, at = now) =>
    findAlertDecision(alertOf(changes), { decisions: [decisionOf(decision)], patientId: 'p', now: at })
      ?.isCurrent
  expect(isCurrent({})).toBe(true)
  // A new edition or a new label date says the same.
  expect(isCurrent({ sources: [label, { ...ndfrt, listDate: '2027-01-01' }] })).toBe(true)
  expect(isCurrent({ sources: [{ ...ndfrt, grade: 'Significant' }, label] })).toBe(false)
  expect(isCurrent({ sources: [label] })).toBe(false)
  expect(isCurrent({ level: 'medium' })).toBe(false)
  expect(isCurrent({}, { choice: 'refuse' })).toBe(false)
  expect(isCurrent({}, {}, new Date('2027-11-04'))).toBe(false)
  expect(isCurrent({}, { patientId: 'dependant' })).toBeUndefined()
  // "No longer takes the other medicine" is not true of the next fill, where both come up again.
  const stopped = { choice: 'not-relevant', reason: 'stopped', note: null } as const
  expect(isCurrent({}, { ...stopped, lineId: 'a' })).toBe(true)
  expect(isCurrent({}, stopped)).toBe(false)
  expect(isCurrent({}, { ...stopped, reason: 'monitored' })).toBe(true)
  const newest = findAlertDecision(alertOf(), {
    decisions: [decisionOf({ note: 'new', at: '2026-11-05T10:00:00.000Z' }), decisionOf()],
    patientId: 'p',
    now,
  })
  expect(newest?.decision.note).toBe('new')
})

test('a decision on the same ingredient twice counts for one set of ingredients, whatever its name', () => {
  const twice = (taken: string[], ordered = 'ACETAMINOPHEN'): Alert =>
    alertOf({
      key: 'same-ingredient:ACETAMINOPHEN',
      kind: 'same-ingredient',
      first: { key: 'ACETAMINOPHEN', items: [], sets: [ordered] },
      second: { key: 'ACETAMINOPHEN', items: [], sets: taken },
      sources: [{ ...ndfrt, list: 'ingredient-names', grade: '' }],
    })
  const decision = decisionOf({ key: twice([]).key, facts: factsOf(twice(['ACETAMINOPHEN'])) })
  const isCurrent = (alert: Alert) =>
    findAlertDecision(alert, { decisions: [decision], patientId: 'p', now: new Date('2026-12-01') })
      ?.isCurrent
  expect(isCurrent(twice(['ACETAMINOPHEN']))).toBe(true)
  expect(isCurrent(twice(['ACETAMINOPHEN + OXYCODONE']))).toBe(false)
  expect(isCurrent(twice(['ACETAMINOPHEN', 'ACETAMINOPHEN + OXYCODONE']))).toBe(false)
  expect(isCurrent(twice(['ACETAMINOPHEN'], 'ACETAMINOPHEN + OXYCODONE'))).toBe(false)
})

test('a decision on the same ingredient twice does not count for a supply that was not compared', () => {
  const twice = (taken: string[], kind: 'dispensed' | 'line' = 'dispensed'): Alert =>
    alertOf({
      key: 'same-ingredient:X',
      kind: 'same-ingredient',
      first: { key: 'X', items: [{ kind: 'line', id: 'a', name: 'X' }], sets: ['X'], itemIds: ['1'] },
      second: { key: 'X', items: [{ kind, id: 'b', name: 'X' }], sets: ['X'], itemIds: taken },
    })
  const decided = (alert: Alert, at: string): RecordedDecision =>
    decisionOf({ key: alert.key, facts: factsOf(alert), itemIds: itemIdsOf(alert), at })
  const isCurrent = (alert: Alert, ...decisions: RecordedDecision[]) =>
    findAlertDecision(alert, { decisions, patientId: 'p', now: new Date('2026-12-01') })?.isCurrent
  const first = decided(twice(['2']), '2026-11-03T10:00:00.000Z')
  expect(isCurrent(twice(['2']), first)).toBe(true)
  // The next refill is of the other item.
  expect(isCurrent(twice(['1']), first)).toBe(true)
  expect(isCurrent(twice(['2', '3']), first)).toBe(false)
  expect(isCurrent(twice(['3']), first)).toBe(false)
  expect(isCurrent(twice(['3'], 'line'), first)).toBe(true)
  const second = decided(twice(['3']), '2026-11-04T10:00:00.000Z')
  expect(isCurrent(twice(['2', '3']), first, second)).toBe(true)
  // A decision for another line's fill alone has compared nothing for this one.
  const stopped = { ...first, reason: 'stopped', lineId: 'other' } as const
  expect(isCurrent(twice(['2', '3']), stopped, second)).toBe(false)
  expect(isCurrent(twice(['2', '3']), { ...stopped, lineId: 'a' }, second)).toBe(true)
  // One from before items were stored.
  expect(isCurrent(twice(['2']), { ...first, itemIds: [] })).toBe(false)
})

test('a decision without its reason or words is refused beside the field', () => {
  const fieldsOf = (decision: Record<string, unknown>): unknown => {
    try {
      return parseInput(alertDecisionInputSchema, { lineId: 'l', version: '1', alertId: 'a', ...decision })
    } catch (error) {
      return (error as { fields: unknown }).fields
    }
  }
  expect(fieldsOf({ choice: '' })).toEqual({ choice: 'Choose a decision.' })
  expect(fieldsOf({ choice: 'not-relevant', reason: '' })).toEqual({ reason: 'Choose a reason.' })
  expect(fieldsOf({ choice: 'not-relevant', reason: 'other', note: ' ' })).toEqual({
    note: 'Say why in a few words.',
  })
  expect(fieldsOf({ choice: 'called-prescriber' })).toEqual({
    note: 'Enter who you spoke with and what they said.',
  })
  expect(fieldsOf({ choice: 'refuse' })).toEqual({ note: 'Enter a reason. The customer reads it.' })
  expect(fieldsOf({ choice: 'told-patient', note: 'x'.repeat(501) })).toEqual({
    note: 'Enter at most 500 characters.',
  })
  // A reason that another choice left behind.
  expect(fieldsOf({ choice: 'told-patient', reason: 'stopped', note: '' })).toMatchObject({
    choice: 'told-patient',
    reason: null,
    note: null,
  })
})

test('customers confirm high alerts about items without a prescription, and see three at first', () => {
  const lists = [{ title: 'FDA labels', date: 'Jul 2026' }]
  const own = (alerts: Alert[]) => ({
    patientId: 'customer',
    dependantName: null,
    screening: { alerts, notChecked: [] },
  })
  const view = (alerts: Alert[]) => toCustomerAlerts([own(alerts)], lists)
  const toConfirm = (alerts: Alert[], otc: string[]) =>
    alertsToConfirm([own(alerts)], (id) => otc.includes(id)).length
  expect(toConfirm([alertOf()], ['a'])).toBe(1)
  // A pharmacist decides on a prescription line.
  expect(toConfirm([alertOf()], [])).toBe(0)
  expect(toConfirm([alertOf({ level: 'medium' })], ['a'])).toBe(0)
  expect(view([alertOf({ audience: 'staff' })]).alerts).toEqual([])
  const many = Array.from({ length: 5 }, (_, index) => alertOf({ key: String(index), isFolded: index > 2 }))
  expect(view(many).alerts.map(({ isFolded }) => isFolded)).toEqual([false, false, false, true, true])
})

test('the report counts each rule once a line, and never offers to turn down allergies and recalls', () => {
  const twice = [alertOf(), alertOf({ key: 'other' })]
  expect(countAlerts(twice, 'cleared')).toEqual([
    {
      kind: 'interaction',
      list: 'interactions-label',
      grade: 'Drug interactions',
      level: 'high',
      shown: 1,
      confirmed: 0,
      overridden: 1,
      refused: 0,
    },
    {
      kind: 'interaction',
      list: 'interactions-ndfrt',
      grade: 'Critical',
      level: 'high',
      shown: 1,
      confirmed: 0,
      overridden: 1,
      refused: 0,
    },
  ])
  const sameClass = alertOf({
    kind: 'same-class',
    level: 'medium',
    sources: [{ ...ndfrt, list: 'ingredient-classes', grade: 'Statin' }],
  })
  // The grade of a class names medicines, so it is not counted by.
  expect(countAlerts([sameClass], 'refused')).toMatchObject([{ grade: '', overridden: 0, refused: 1 }])
  expect(countAlerts([sameClass], 'confirmed')).toMatchObject([{ shown: 1, confirmed: 1, overridden: 0 }])
  const allergy = alertOf({ kind: 'allergy', sources: [{ ...ndfrt, list: 'allergy-groups' }] })
  const rows = toReport(countAlerts([...twice, allergy], 'cleared'), [
    { kind: 'interaction', list: 'interactions-ndfrt', grade: 'Critical' },
    { kind: 'age', list: 'label-safety', grade: null },
  ])
  expect(rows.map(({ kind, rule, isTurnedDown }) => [kind, rule !== null, isTurnedDown])).toEqual([
    ['allergy', false, false],
    ['interaction', true, false],
    ['interaction', true, true],
    ['age', true, true],
  ])
})
