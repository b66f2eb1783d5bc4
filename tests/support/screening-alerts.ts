import { factsOf, type RecordedDecision } from '#domain/alerts/alert-decision.ts'
import type { Alert } from '#domain/screening/alert.ts'

/** A high alert between a line, Advil, and a listed medication, Coumadin. */
export const makeAlert = (changes: Partial<Alert> = {}): Alert => ({
  key: 'interaction:IBUPROFEN|WARFARIN',
  kind: 'interaction',
  level: 'high',
  isFolded: false,
  audience: 'everyone',
  effect: null,
  first: { key: 'IBUPROFEN', items: [{ kind: 'line', id: 'a', name: 'Advil' }] },
  second: { key: 'WARFARIN', items: [{ kind: 'listed', name: 'Coumadin' }] },
  detail: '',
  sources: [],
  ...changes,
})

/** A pharmacist's decision on an alert. */
export const makeDecision = (alert: Alert, changes: Partial<RecordedDecision> = {}): RecordedDecision => ({
  key: alert.key,
  facts: factsOf(alert),
  itemIds: [],
  patientId: 'p',
  about: 'Advil and Coumadin',
  choice: 'told-patient',
  reason: null,
  note: 'Stable INR',
  lineId: 'a',
  by: 'A. Moreau',
  at: '2026-11-03T10:00:00.000Z',
  ...changes,
})
