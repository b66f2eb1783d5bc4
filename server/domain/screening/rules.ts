import type { AlertKind, ScreeningList } from './alert.ts'

/** Alerts that can be turned down: an admin never turns down allergies and recalls. */
export const adjustableKinds = [
  'interaction',
  'same-ingredient',
  'same-class',
  'pregnancy',
  'age',
  'boxed-warning',
  'rems',
  'medication-guide',
  'dose',
  'shortage',
] as const satisfies readonly AlertKind[]
export type AdjustableKind = (typeof adjustableKinds)[number]

/** A rule to turn down: a kind of alerts, of one list only unless `list` is null. */
export type ScreeningRule = { kind: AdjustableKind; list: ScreeningList | null; grade: string | null }

/** Whether a source of an alert is turned down. */
export const isTurnedDown = (
  rules: readonly ScreeningRule[],
  { kind, list, grade }: { kind: AlertKind; list: ScreeningList; grade: string },
): boolean =>
  rules.some(
    (rule) =>
      rule.kind === kind &&
      (rule.list === null || rule.list === list) &&
      (rule.grade === null || rule.grade === grade),
  )
