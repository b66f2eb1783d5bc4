import type { Alert, AlertLevel, Screening } from '../screening/alert.ts'
import { levelRank } from '../screening/order-alerts.ts'
import { lineIdsOf } from './alert-decision.ts'
import { alertText, forPerson, notCheckedText, type SourceText } from './alert-text.ts'
import type { CareListDate } from './case-alert.ts'

/** An alert as a customer reads it. */
export type CustomerAlert = {
  title: string
  fact: string
  sources: SourceText[]
  level: AlertLevel
  isFolded: boolean
}

/** What a customer reads about a cart or a product. */
export type CustomerAlerts = {
  alerts: CustomerAlert[]
  /** What could not be checked, in words. */
  notChecked: string[]
  lists: CareListDate[]
}

/** What the lists say about the lines of one patient. */
export type PatientScreening = {
  patientId: string | null
  /** Null for the customer's own lines. */
  dependantName: string | null
  screening: Screening
}

/** How many alerts are unfolded, the most severe first. */
const unfolded = 3

export function toCustomerAlerts(
  screenings: readonly PatientScreening[],
  lists: CareListDate[],
): CustomerAlerts {
  const shown = screenings
    .flatMap(({ screening, dependantName }) =>
      screening.alerts.filter(isForEveryone).map((alert) => ({ alert, dependantName })),
    )
    .toSorted((a, b) => levelRank(a.alert.level) - levelRank(b.alert.level))
  const open = shown
    .filter(({ alert: { isFolded, level } }) => !isFolded || level === 'high')
    .slice(0, unfolded)
  return {
    alerts: shown.map((each) => {
      const { alert, dependantName } = each
      const text = alertText(alert, { isOwn: dependantName === null })
      const title = forPerson(dependantName, text.title)
      return { ...text, title, level: alert.level, isFolded: !open.includes(each) }
    }),
    notChecked: screenings.flatMap(({ screening, dependantName }) =>
      // Every record with a weight would say that no list has doses.
      screening.notChecked
        .filter(({ kind }) => kind !== 'weight')
        .map((each) => forPerson(dependantName, notCheckedText(each))),
    ),
    lists,
  }
}

const isForEveryone = ({ audience }: Alert): boolean => audience === 'everyone'

/**
 * The high alerts that the customer confirms reading before paying.
 * @param isOtc whether a line, by its id, is sold without a prescription. A pharmacist decides on
 * the others.
 */
export const alertsToConfirm = (
  screenings: readonly PatientScreening[],
  isOtc: (lineId: string) => boolean,
): { patientId: string | null; alert: Alert }[] =>
  screenings.flatMap(({ patientId, screening }) =>
    screening.alerts
      .filter((alert) => isForEveryone(alert) && alert.level === 'high' && lineIdsOf(alert).some(isOtc))
      .map((alert) => ({ patientId, alert })),
  )

/** Whether a dependant has alerts to read, beside information. */
export const hasAlertsForDependants = (screenings: readonly PatientScreening[]): boolean =>
  screenings.some(
    ({ dependantName, screening }) =>
      dependantName !== null &&
      screening.alerts.some(
        (alert) => isForEveryone(alert) && !alert.isFolded && alert.level !== 'information',
      ),
  )
