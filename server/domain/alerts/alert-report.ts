import type { AlertKind, ScreeningList } from '../screening/alert.ts'
import { adjustableKinds, type ScreeningRule } from '../screening/rules.ts'
import type { AlertCount } from './alert-counts.ts'
import { alertKindLabels, listNames } from './alert-text.ts'

/** How often a rule's alerts came up when lines were decided, and whether it is turned down. */
export type AlertReportRow = AlertCount & {
  /** "Interaction, FDA labels, Drug interactions". */
  label: string
  /** Null for allergies and recalls, which are never turned down. */
  rule: ScreeningRule | null
  isTurnedDown: boolean
}

const isAdjustable = (kind: string): kind is ScreeningRule['kind'] =>
  (adjustableKinds as readonly string[]).includes(kind)
const isList = (list: string): list is ScreeningList => Object.hasOwn(listNames, list)

const kindLabel = (kind: string): string =>
  Object.hasOwn(alertKindLabels, kind) ? alertKindLabels[kind as AlertKind] : kind

/** "Interaction, FDA labels, Drug interactions". */
export const ruleText = ({
  kind,
  list,
  grade,
}: {
  kind: string
  list: string | null
  grade: string | null
}): string =>
  [kindLabel(kind), list === null ? null : isList(list) ? listNames[list] : list, grade]
    .filter(Boolean)
    .join(', ')

/** The rule that makes these alerts; null when it cannot be turned down. */
export const ruleOf = ({
  kind,
  list,
  grade,
}: Pick<AlertCount, 'kind' | 'list' | 'grade'>): ScreeningRule | null =>
  isAdjustable(kind) && isList(list) ? { kind, list, grade: grade || null } : null

export const isSameRule = (a: ScreeningRule, b: ScreeningRule): boolean =>
  a.kind === b.kind && a.list === b.list && a.grade === b.grade

/**
 * The report: what was counted, then rules that are turned down and have not come up since. The
 * most shown first.
 */
export function toReport(
  counts: readonly AlertCount[],
  turnedDown: readonly ScreeningRule[],
): AlertReportRow[] {
  const rows = counts.map((count): AlertReportRow => {
    const rule = ruleOf(count)
    return {
      ...count,
      label: ruleText(count),
      rule,
      isTurnedDown: rule !== null && turnedDown.some((each) => isSameRule(each, rule)),
    }
  })
  const silent = turnedDown.filter((rule) => !rows.some((row) => row.rule && isSameRule(row.rule, rule)))
  return [
    ...rows.toSorted((a, b) => b.shown - a.shown || (a.label < b.label ? -1 : 1)),
    ...silent.map((rule): AlertReportRow => ({
      kind: rule.kind,
      list: rule.list ?? '',
      grade: rule.grade ?? '',
      level: '',
      shown: 0,
      confirmed: 0,
      overridden: 0,
      refused: 0,
      label: ruleText(rule),
      rule,
      isTurnedDown: true,
    })),
  ]
}
