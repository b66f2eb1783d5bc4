import { dayMs } from '../days.ts'
import type { Alert } from '../screening/alert.ts'
import { alertText, sentenceOf } from './alert-text.ts'

/**
 * What a pharmacist decided on an alert. Without zod, for the pages; `alert-decision-schema.ts` has
 * the schemas.
 */

export const alertChoices = {
  'not-relevant': 'Not relevant',
  'called-prescriber': 'Called the prescriber',
  'told-patient': 'Told the patient',
  refuse: 'Refuse the line',
} as const
export type AlertChoice = keyof typeof alertChoices

/** Why an alert is not relevant. `other` needs the pharmacist's own words. */
export const notRelevantReasons = {
  monitored: 'Taken together before, and monitored',
  stopped: 'The patient no longer takes the other medicine',
  tolerated: 'The patient has tolerated it since the reaction was noted',
  'not-together': 'Not taken at the same time',
  'wrong-list': 'The list is wrong about this',
  other: 'Another reason, in my own words',
} as const
export type NotRelevantReason = keyof typeof notRelevantReasons

export const alertNoteLength = 500

/** A decision that was recorded. */
export type AlertDecision = {
  /** The alert's key and its facts at that time. */
  key: string
  facts: string
  /** The prescription items that it compared. A supply on another one is a new pair. */
  itemIds: readonly string[]
  /** Whose medicine it is: the customer's id or a dependant's. */
  patientId: string
  /** What the alert was about, as it read then. */
  about: string
  choice: AlertChoice
  /** Null but for `not-relevant`. */
  reason: NotRelevantReason | null
  note: string | null
}

/** A decision with who made it and when, as a case shows it. */
export type RecordedDecision = AlertDecision & { lineId: string; by: string; at: string }

/**
 * What an alert says: its level, and what its lists say. Dates and wordings of a new edition do not
 * count; another grade, another list or a missing one does. A same-ingredient key does not identify
 * the medicines, so the facts include all their ingredients.
 */
export const factsOf = ({
  level,
  first,
  second,
  sources,
  detail,
}: Pick<Alert, 'level' | 'first' | 'second' | 'sources' | 'detail'>): string =>
  [
    level,
    detail,
    ...[...new Set([...(first.sets ?? []), ...(second?.sets ?? [])])].sort(),
    ...[...new Set(sources.map(({ list, grade, labelOf }) => `${list}: ${grade} ${labelOf ?? ''}`))].sort(),
  ].join('; ')

/** The prescription items that an alert compares. */
export const itemIdsOf = ({ first, second }: Pick<Alert, 'first' | 'second'>): string[] => [
  ...new Set([...(first.itemIds ?? []), ...(second?.itemIds ?? [])]),
]

/**
 * An alert as someone saw it. A decision on it must not count for one that changed in the meantime,
 * by a new edition of a list or on the patient's record.
 */
export function shownAlert(alert: Alert): string {
  const { title, fact } = alertText(alert, { isOwn: false })
  return [alert.key, factsOf(alert), ...itemIdsOf(alert), title, fact].join('\n')
}

/** A decision is looked at again after a year, as a prescription is. */
const validDays = 365

/** The lines that an alert is about. */
export const lineIdsOf = ({ first, second }: Pick<Alert, 'first' | 'second'>): string[] => [
  ...new Set(
    [...first.items, ...(second?.items ?? [])].flatMap((item) => (item.kind === 'line' ? [item.id] : [])),
  ),
]

/**
 * Whether a decision is about this fill only. A medicine that the patient had stopped is on record
 * or in an order again when the same alert comes up at a later fill.
 */
const isForOneFill = ({ reason }: AlertDecision): boolean => reason === 'stopped'

/**
 * The prescription items that the patient has a supply of, or will have from another order. An
 * alert about the same ingredient twice has them; its lines have other items each time.
 */
const suppliesOf = ({ second }: Pick<Alert, 'second'>): readonly string[] =>
  second?.items.some(({ kind }) => kind === 'line') ? [] : (second?.itemIds ?? [])

/**
 * The newest decision of a patient on an alert, and whether it still counts: no supply was added
 * that none of their decisions on it has compared.
 */
export function findAlertDecision(
  alert: Alert,
  { decisions, patientId, now }: { decisions: readonly RecordedDecision[]; patientId: string; now: Date },
): { decision: RecordedDecision; isCurrent: boolean } | null {
  const own = decisions.filter((each) => each.key === alert.key && each.patientId === patientId)
  const decision = own.reduce<RecordedDecision | null>(
    (newest, each) => (newest === null || each.at > newest.at ? each : newest),
    null,
  )
  if (!decision) return null
  const lineIds = lineIdsOf(alert)
  const counting = own.filter(
    (each) =>
      now.getTime() - Date.parse(each.at) < validDays * dayMs &&
      each.choice !== 'refuse' &&
      each.facts === factsOf(alert) &&
      (!isForOneFill(each) || lineIds.includes(each.lineId)),
  )
  const compared = new Set(counting.flatMap(({ itemIds }) => itemIds))
  return {
    decision,
    isCurrent: counting.includes(decision) && suppliesOf(alert).every((id) => compared.has(id)),
  }
}

/** "Not relevant: taken together before, and monitored. Stable INR." */
export function describeDecision({
  choice,
  reason,
  note,
}: Pick<AlertDecision, 'choice' | 'reason' | 'note'>): string {
  const why = reason === null || reason === 'other' ? null : notRelevantReasons[reason]
  const parts = [why, note].filter((part) => part !== null)
  return parts.length === 0
    ? `${alertChoices[choice]}.`
    : `${alertChoices[choice]}: ${parts.map(sentenceOf).join(' ')}`
}
