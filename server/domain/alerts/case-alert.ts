import {
  needsDecision,
  type Alert,
  type AlertKind,
  type AlertLevel,
  type NotChecked,
} from '../screening/alert.ts'
import { describeDecision, findAlertDecision, lineIdsOf, type RecordedDecision } from './alert-decision.ts'
import { alertText, forPerson, notCheckedText, type SourceText } from './alert-text.ts'

/** An alert beside the lines of a pharmacist's case, as JSON. */
export type CaseAlert = {
  /** Stands for the alert as it is shown, which names medicines, in forms and errors. */
  id: string
  kind: AlertKind
  level: AlertLevel
  isFolded: boolean
  title: string
  fact: string
  sources: SourceText[]
  /** The order's lines that it is about. */
  lineIds: string[]
  /** Whether a line that it is about is cleared only with a decision on it. */
  needsDecision: boolean
  /** The newest decision on it for this patient; null when there is none. */
  decision: CaseAlertDecision | null
}

export type CaseAlertDecision = {
  /** "Told the patient. Stable INR." */
  text: string
  by: string
  at: string
  /** Whether it still counts: it is recent, and the lists say what they said then. */
  isCurrent: boolean
}

/** What the lists say about an order for its patient. */
export type CaseScreening = {
  alerts: CaseAlert[]
  /** What could not be checked, in words. */
  notChecked: string[]
  /** The lists with their dates. */
  lists: CareListDate[]
}

/** "FDA labels, Jul 16, 2026". */
export type CareListDate = { title: string; date: string | null }

type CaseFacts = {
  patientId: string
  /** `by` is a name. */
  decisions: readonly RecordedDecision[]
  now: Date
  /** Stands for an alert as it is shown. */
  idOf: (alert: Alert) => string
}

export const toCaseAlert = (alert: Alert, { idOf, ...facts }: CaseFacts): CaseAlert => {
  const found = findAlertDecision(alert, facts)
  return {
    id: idOf(alert),
    kind: alert.kind,
    level: alert.level,
    isFolded: alert.isFolded,
    ...alertText(alert, { isOwn: false }),
    lineIds: lineIdsOf(alert),
    needsDecision: needsDecision(alert),
    decision: found && {
      text: describeDecision(found.decision),
      by: found.decision.by,
      at: found.decision.at,
      isCurrent: found.isCurrent,
    },
  }
}

/** What could not be checked for a patient, in words that name a dependant. */
export const toNotChecked = ({
  notChecked,
  dependantName,
}: {
  notChecked: readonly NotChecked[]
  dependantName: string | null
}): string[] => notChecked.map((each) => forPerson(dependantName, notCheckedText(each)))

/** The alerts of a line that a pharmacist has still to decide on. */
export const undecidedAlerts = (alerts: readonly CaseAlert[], lineId: string): CaseAlert[] =>
  alerts.filter(
    ({ lineIds, needsDecision: isNeeded, decision }) =>
      isNeeded && lineIds.includes(lineId) && decision?.isCurrent !== true,
  )

/** The field of an alert's form that errors name. */
export const alertField = (id: string): string => `alert-${id}`
