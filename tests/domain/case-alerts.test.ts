import {
  describeDecision,
  factsOf,
  findAlertDecision,
  lineIdsOf,
  shownAlert,
  type RecordedDecision,
} from '#domain/alerts/alert-decision.ts'
import { alertField, toCaseAlert, toNotChecked, undecidedAlerts } from '#domain/alerts/case-alert.ts'
import {
  alertsToConfirm,
  hasAlertsForDependants,
  toCustomerAlerts,
  type PatientScreening,
} from '#domain/alerts/customer-alerts.ts'
import type { Alert, NotChecked } from '#domain/screening/alert.ts'
import { makeAlert, makeDecision } from '#tests/support/screening-alerts.ts'
import { expect, test } from 'vitest'

const now = new Date('2026-12-01T10:00:00.000Z')
const ofTwoLines = makeAlert({
  second: { key: 'WARFARIN', items: [{ kind: 'line', id: 'b', name: 'Coumadin' }] },
})
const decisionOf = (changes: Partial<RecordedDecision> = {}): RecordedDecision =>
  makeDecision(makeAlert(), changes)
const caseAlert = (alert: Alert, decisions: RecordedDecision[] = []) =>
  toCaseAlert(alert, { patientId: 'p', decisions, now, idOf: ({ key }) => `id of ${key}` })

test('a line has each high alert to decide on until a decision counts', () => {
  const undecided = (alert: Alert, lineId: string, ...decisions: RecordedDecision[]) =>
    undecidedAlerts([caseAlert(alert, decisions)], lineId).length
  expect(undecided(makeAlert(), 'a')).toBe(1)
  expect(undecided(makeAlert(), 'a', decisionOf())).toBe(0)
  expect(undecided(makeAlert(), 'a', decisionOf({ at: '2025-12-01T10:00:00.000Z' }))).toBe(1)
  expect(undecided(makeAlert(), 'a', decisionOf({ patientId: 'dependant' }))).toBe(1)
  expect(undecided(makeAlert(), 'a', decisionOf({ key: 'interaction:OTHER|WARFARIN' }))).toBe(1)
  expect(undecided(makeAlert({ level: 'medium' }), 'a')).toBe(0)
  // The other line of the order is cleared on its own.
  expect(undecided(makeAlert(), 'b')).toBe(0)
  expect([undecided(ofTwoLines, 'a'), undecided(ofTwoLines, 'b')]).toEqual([1, 1])
})

test('an alert is about the lines on both its sides, each once', () => {
  expect(lineIdsOf(makeAlert())).toEqual(['a'])
  expect(lineIdsOf(ofTwoLines)).toEqual(['a', 'b'])
  expect(lineIdsOf({ first: ofTwoLines.first, second: ofTwoLines.first })).toEqual(['a'])
  expect(lineIdsOf(makeAlert({ second: null }))).toEqual(['a'])
})

test('a case shows an alert with its newest decision', () => {
  const older = decisionOf({ note: 'Older', at: '2026-11-02T10:00:00.000Z' })
  const newer = decisionOf({ note: 'Newer', by: 'B. Singh', at: '2026-11-04T10:00:00.000Z' })
  for (const decisions of [
    [older, newer],
    [newer, older],
  ])
    expect(caseAlert(makeAlert(), decisions)).toMatchObject({
      id: 'id of interaction:IBUPROFEN|WARFARIN',
      level: 'high',
      lineIds: ['a'],
      needsDecision: true,
      title: 'Advil (ibuprofen) and Coumadin (warfarin)',
      fact: expect.stringMatching(/^Takes Coumadin/),
      decision: { text: 'Told the patient: Newer.', by: 'B. Singh', at: newer.at, isCurrent: true },
    })
  expect(caseAlert(makeAlert())).toMatchObject({ decision: null })
  expect(alertField('x')).toBe('alert-x')
})

test('a decision counts for 365 days', () => {
  const isCurrent = (at: string) =>
    findAlertDecision(makeAlert(), { decisions: [decisionOf({ at })], patientId: 'p', now })?.isCurrent
  expect(isCurrent('2025-12-01T10:00:00.001Z')).toBe(true)
  expect(isCurrent('2025-12-01T10:00:00.000Z')).toBe(false)
})

test('a decision reads as its choice, its reason and its note', () => {
  const text = (changes: Partial<RecordedDecision>) => describeDecision(decisionOf(changes))
  expect(text({ note: null })).toBe('Told the patient.')
  expect(text({})).toBe('Told the patient: Stable INR.')
  const notRelevant = { choice: 'not-relevant', reason: 'monitored' } as const
  expect(text({ ...notRelevant, note: null })).toBe('Not relevant: Taken together before, and monitored.')
  expect(text(notRelevant)).toBe('Not relevant: Taken together before, and monitored. Stable INR.')
  expect(text({ ...notRelevant, reason: 'other' })).toBe('Not relevant: Stable INR.')
})

test('a different text or source makes a different alert than the one that was shown', () => {
  const shown = shownAlert(makeAlert())
  expect(shownAlert(makeAlert({ isFolded: true }))).toBe(shown)
  const others = [
    makeAlert({ key: 'interaction:NAPROXEN|WARFARIN' }),
    makeAlert({ level: 'medium' }),
    makeAlert({ first: { key: 'IBUPROFEN', items: [{ kind: 'line', id: 'a', name: 'Motrin' }] } }),
    makeAlert({ second: { ...ofTwoLines.first, itemIds: ['item'] } }),
    makeAlert({ first: { ...makeAlert().first, itemIds: ['item'] } }),
    makeAlert({ first: { ...makeAlert().first, sets: ['IBUPROFEN'] } }),
  ].map(shownAlert)
  expect(new Set([shown, ...others]).size).toBe(1 + others.length)
})

test('the facts of an alert do not depend on the order of its ingredients', () => {
  const ofSets = (...sets: string[]) => factsOf(makeAlert({ first: { ...makeAlert().first, sets } }))
  expect(ofSets('B', 'A')).toBe(ofSets('A', 'B'))
  expect(ofSets('A')).not.toBe(ofSets('A', 'B'))
})

const screeningOf = (
  alerts: Alert[],
  changes: Partial<Omit<PatientScreening, 'screening'>> = {},
  notChecked: NotChecked[] = [],
): PatientScreening => ({
  patientId: 'p',
  dependantName: null,
  ...changes,
  screening: { alerts, notChecked },
})

test('customers read the most severe alerts first, and three of them at once', () => {
  const alerts = (['low', 'high', 'information', 'medium', 'high', 'high', 'high'] as const).map((level, i) =>
    makeAlert({ level, key: String(i), isFolded: i > 3 }),
  )
  const { alerts: shown } = toCustomerAlerts([screeningOf(alerts)], [])
  expect(shown.map(({ level, isFolded }) => [level, isFolded])).toEqual([
    ['high', false],
    ['high', false],
    ['high', false],
    ['high', true],
    ['medium', true],
    ['low', true],
    ['information', true],
  ])
  const folded = [makeAlert({ level: 'medium', isFolded: true }), makeAlert({ level: 'low' })]
  const { alerts: others } = toCustomerAlerts([screeningOf(folded)], [])
  expect(others.map(({ level, isFolded }) => [level, isFolded])).toEqual([
    ['medium', true],
    ['low', false],
  ])
})

test('an alert of a dependant says whose it is', () => {
  const screenings = [screeningOf([makeAlert()]), screeningOf([makeAlert()], { dependantName: 'Leo' })]
  const [own, leo] = toCustomerAlerts(screenings, []).alerts
  expect([own?.title, own?.fact]).toEqual([
    'Advil (ibuprofen) and Coumadin (warfarin)',
    expect.stringMatching(/^You take/),
  ])
  expect(leo?.title).toContain('Leo')
  expect(leo?.fact).not.toMatch(/^You take/)
})

test('customers read what could not be checked, except a weight', () => {
  const notChecked: NotChecked[] = [{ kind: 'medication', name: 'zyzzyxol' }, { kind: 'weight' }]
  const view = (dependantName: string | null) =>
    toCustomerAlerts([screeningOf([], { dependantName }, notChecked)], []).notChecked
  expect(view(null)).toEqual([expect.stringContaining('zyzzyxol')])
  expect(view('Leo')).toEqual([expect.stringMatching(/Leo.*zyzzyxol|zyzzyxol.*Leo/)])
  // A pharmacist reads both.
  expect(toNotChecked({ notChecked, dependantName: null })).toHaveLength(2)
  expect(toNotChecked({ notChecked, dependantName: 'Leo' })[0]).toContain('Leo')
})

test('customers confirm an alert that involves an over-the-counter line', () => {
  const confirmed = alertsToConfirm([screeningOf([ofTwoLines])], (id) => id === 'b')
  expect(confirmed).toEqual([{ patientId: 'p', alert: ofTwoLines }])
  expect(alertsToConfirm([screeningOf([makeAlert({ audience: 'staff' })])], () => true)).toEqual([])
})

test.each<[string, Partial<Alert>, boolean]>([
  ['a high alert', {}, true],
  ['a low alert', { level: 'low' }, true],
  ['information', { level: 'information' }, false],
  ['a folded alert', { isFolded: true }, false],
  ['an alert for the staff', { audience: 'staff' }, false],
])('a dependant has alerts to read with %s: %s', (_, changes, expected) => {
  const alerts = [makeAlert({ level: 'information' }), makeAlert(changes)]
  expect(hasAlertsForDependants([screeningOf([]), screeningOf(alerts, { dependantName: 'Leo' })])).toBe(
    expected,
  )
  expect(hasAlertsForDependants([screeningOf(alerts)])).toBe(false)
})
