import { ruleText } from '../alerts/alert-report.ts'
import { decimalFromCents } from '../money.ts'
import type { ScreeningRule } from '../screening/rules.ts'
import type { SettingName, Settings, StateScheduledDrug } from './settings.ts'

/** The settings as the settings page and its history name them. */
export const settingLabels = {
  supportRefundLimitCents: 'Refund limit for support',
  codeAboveRefundCents: 'Refunds that need a code',
  refillOpensAtPercent: 'When a refill opens',
  twoPharmacists: 'Second pharmacist',
  captureMarginHours: 'Capture before the authorization lapses',
  retentionYears: 'Retention of dispensing records',
  careListMaxAgeDays: 'Age of screening lists',
  recallNoticeDays: 'Recalls of shipped orders',
  stateScheduled: 'Drugs that only a state schedules',
  turnedDownAlerts: 'Downgraded alerts',
} as const satisfies Record<SettingName, string>

const plural = (count: number, unit: string): string => `${count} ${count === 1 ? unit : `${unit}s`}`

/** "gabapentin (KY, MI), tramadol (AR)". */
export function describeDrugs(drugs: readonly StateScheduledDrug[]): string {
  const states = new Map<string, string[]>()
  for (const { ingredient, state } of drugs)
    states.set(ingredient, [...(states.get(ingredient) ?? []), state])
  return [...states].map(([ingredient, list]) => `${ingredient} (${list.join(', ')})`).join(', ') || 'none'
}

/** "Interaction, FDA labels, Drug interactions; Age, FDA labels". */
const describeRules = (rules: readonly ScreeningRule[]): string => rules.map(ruleText).join('; ') || 'none'

/** A value in words. */
const formats: { [Name in SettingName]: (value: Settings[Name]) => string } = {
  supportRefundLimitCents: (cents) => `$${decimalFromCents(cents)}`,
  codeAboveRefundCents: (cents) => `more than $${decimalFromCents(cents)}`,
  refillOpensAtPercent: (percent) => `${percent}% of the days’ supply`,
  twoPharmacists: (isOn) => (isOn ? 'required' : 'not required'),
  captureMarginHours: (hours) => plural(hours, 'hour'),
  retentionYears: (years) => plural(years, 'year'),
  careListMaxAgeDays: (days) => plural(days, 'day'),
  recallNoticeDays: (days) => plural(days, 'day'),
  stateScheduled: describeDrugs,
  turnedDownAlerts: describeRules,
}

/** "75% of the days’ supply". */
export const describeSetting = <Name extends SettingName>(name: Name, value: Settings[Name]): string =>
  formats[name](value)

/** What happens when records are kept for less time. */
export const describeShorterRetention = (years: number, records: number): string =>
  records === 0
    ? `No dispensing record is older than ${plural(years, 'year')} now. Later records will be deleted at that age and can’t be restored.`
    : `${plural(records, 'dispensing record')} older than ${plural(years, 'year')} will be deleted within a day and can’t be restored.`
