import { alertKinds, alertLevels, type Alert, type AlertKind, type AlertLevel } from './alert.ts'

const levelRanks = new Map<AlertLevel, number>(alertLevels.map((level, rank) => [level, rank]))
const kindRanks = new Map<AlertKind, number>(alertKinds.map((kind, rank) => [kind, rank]))

/** 0 for the most severe level. */
export const levelRank = (level: AlertLevel): number => levelRanks.get(level) ?? alertLevels.length

export const moreSevere = (a: AlertLevel, b: AlertLevel): AlertLevel => (levelRank(a) <= levelRank(b) ? a : b)

/** How many alerts are shown without being opened. */
const unfolded = 3

const effectRank = ({ effect }: Alert): number => (effect === 'block' ? 0 : effect === 'check-pack' ? 1 : 2)

/**
 * In the order of harm; all but the first three are folded. An alert that is folded already does
 * not count among them.
 */
export function orderAlerts(alerts: readonly Alert[]): Alert[] {
  const ordered = alerts.toSorted(
    (a, b) =>
      levelRank(a.level) - levelRank(b.level) ||
      effectRank(a) - effectRank(b) ||
      (kindRanks.get(a.kind) ?? 0) - (kindRanks.get(b.kind) ?? 0) ||
      (a.key < b.key ? -1 : 1),
  )
  let shown = 0
  return ordered.map((alert) => ({ ...alert, isFolded: alert.isFolded || ++shown > unfolded }))
}
