import type { Alert, AlertSource, NotChecked, Screening } from './alert.ts'
import { checkAllergies } from './check-allergies.ts'
import { checkDose } from './check-dose.ts'
import { checkInteractions } from './check-interactions.ts'
import { checkLabels } from './check-labels.ts'
import { checkSameClass } from './check-same-class.ts'
import { checkSameIngredient } from './check-same-ingredient.ts'
import { checkRecalls, checkShortages } from './check-supply.ts'
import type { ScreeningFacts } from './facts.ts'
import type { ScreenedLine } from './line.ts'
import { orderAlerts } from './order-alerts.ts'
import type { ScreenedPatient } from './patient.ts'
import { isTurnedDown, type ScreeningRule } from './rules.ts'
import { toScreenedCase } from './screened-case.ts'

export type ScreeningInput = {
  patient: ScreenedPatient
  lines: readonly ScreenedLine[]
  /** `YYYY-MM-DD`. */
  today: string
  /** What an admin turned down. */
  turnedDown?: readonly ScreeningRule[]
}

/**
 * All that the lists say about these lines for this patient (docs/screening.md), the most severe
 * first. No alert means that the lists have no entry, never that it is safe.
 */
export function screen(input: ScreeningInput, facts: ScreeningFacts): Screening {
  const { patient, lines, today, turnedDown = [] } = input
  const screened = toScreenedCase(lines, patient)
  const alerts = [
    ...checkRecalls(screened, facts),
    ...checkAllergies(screened, patient, facts),
    ...checkInteractions(screened, facts),
    ...checkSameIngredient(screened, facts, today),
    ...checkSameClass(screened, facts),
    ...checkLabels(screened, patient, facts, today),
    ...checkDose(screened),
    ...checkShortages(screened, facts),
  ]
  return {
    alerts: orderAlerts(alerts.map((alert) => turnDown(alert, turnedDown))),
    notChecked: findNotChecked(input),
  }
}

/** An alert whose every source is turned down stays, low and folded. */
const turnDown = (alert: Alert, rules: readonly ScreeningRule[]): Alert =>
  rules.length > 0 && alert.sources.length > 0 && alert.sources.every(isSilenced(alert, rules))
    ? { ...alert, level: alert.level === 'information' ? 'information' : 'low', isFolded: true }
    : alert

const isSilenced =
  (alert: Alert, rules: readonly ScreeningRule[]) =>
  (source: AlertSource): boolean =>
    isTurnedDown(rules, { kind: alert.kind, list: source.list, grade: source.grade })

/** What no list could be asked about. */
function findNotChecked({ patient, lines }: ScreeningInput): NotChecked[] {
  const { medications, allergies, breastfeeding, weight } = patient
  return [
    ...medications
      .filter(({ ingredients }) => ingredients.length === 0)
      .map(({ name }): NotChecked => ({ kind: 'medication', name })),
    ...allergies
      .filter(({ kind }) => kind === 'unrecognized')
      .map(({ name }): NotChecked => ({ kind: 'allergy', name })),
    ...lines
      .filter(({ ingredients, isIncomplete }) => isIncomplete || ingredients.length === 0)
      .map(({ name }): NotChecked => ({ kind: 'line', name })),
    ...(breastfeeding === true ? [{ kind: 'breastfeeding' } satisfies NotChecked] : []),
    ...(weight === null ? [] : [{ kind: 'weight' } satisfies NotChecked]),
  ]
}
