import type { Alert, AlertLevel, Screening } from '../screening/alert.ts'
import { alertText, notCheckedText, type SourceText } from './alert-text.ts'
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
  /** Whether the customer confirms reading before paying: a high alert is about an OTC line. */
  needsReading: boolean
}

/** How many alerts are unfolded, the gravest first. */
const unfolded = 3

/**
 * @param isOtc whether a line, by its id, is sold without a prescription. A pharmacist decides on
 * the others.
 */
export function toCustomerAlerts(
  { alerts, notChecked }: Screening,
  { lists, isOtc }: { lists: CareListDate[]; isOtc: (lineId: string) => boolean },
): CustomerAlerts {
  const shown = alerts.filter(({ audience }) => audience === 'everyone')
  const open = shown.filter(({ isFolded, level }) => !isFolded || level === 'high').slice(0, unfolded)
  return {
    alerts: shown.map((alert) => ({
      ...alertText(alert, { isOwn: true }),
      level: alert.level,
      isFolded: !open.includes(alert),
    })),
    // Every record with a weight would say that no list has doses.
    notChecked: notChecked.filter(({ kind }) => kind !== 'weight').map(notCheckedText),
    lists,
    needsReading: shown.some((alert) => alert.level === 'high' && lineIdsOf(alert).some(isOtc)),
  }
}

const lineIdsOf = ({ first, second }: Alert): string[] =>
  [...first.items, ...(second?.items ?? [])].flatMap((item) => (item.kind === 'line' ? [item.id] : []))
