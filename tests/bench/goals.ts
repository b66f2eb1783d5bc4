/** What a figure has to reach. A share is of the raw limit in the same run. */
export type Goal =
  | { kind: 'share'; atLeast: number }
  | { kind: 'perSecond'; atLeast: number }
  | { kind: 'amount'; atMost: number }

/** One line of the table. */
export type TableRow = {
  work: string
  /** Requests a second, milliseconds, MiB or seconds, as `unit` says. */
  ours: number
  unit: '/s' | 'ms' | 'MiB' | 's' | 'kB'
  /** Our process's CPU time per request. */
  cpuMs?: number
  /** The raw limit in the same unit. */
  raw?: number
  rawCpuMs?: number
  /** Ours as a part of the raw limit: the median of the rounds, each with its own limit. */
  share?: number
  goal?: Goal
}

/** Whether a line reaches its goal; null without a goal, or without the limit that it needs. */
export function isMet({ ours, share, goal }: TableRow): boolean | null {
  if (!goal) return null
  if (goal.kind === 'share') return share === undefined ? null : share >= goal.atLeast
  return goal.kind === 'perSecond' ? ours >= goal.atLeast : ours <= goal.atMost
}

const percent = (share: number): string =>
  share >= 2 ? `${share.toFixed(1)} ×` : `${(100 * share).toFixed(0)} %`

const amount = (value: number, unit: TableRow['unit']): string =>
  `${value.toFixed(value < 10 && unit !== '/s' ? 2 : 0)} ${unit}`

function describeGoal({ goal, unit }: TableRow): string {
  if (!goal) return ''
  if (goal.kind === 'share') return percent(goal.atLeast)
  return goal.kind === 'perSecond' ? `${goal.atLeast} /s` : `≤ ${amount(goal.atMost, unit)}`
}

const columns = ['work', 'ours', 'CPU ms', 'raw', 'raw CPU', 'share', 'goal', 'met?'] as const
const widths = [44, 11, 8, 11, 9, 8, 11, 6]

const pad = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[i] ?? 0))).join('')

/** The table's head. */
export const tableHead = (): string => pad(columns)

/** A line as text. */
export function tableLine(row: TableRow): string {
  const met = isMet(row)
  const optional = (value: number | undefined, show: (value: number) => string): string =>
    value === undefined ? '–' : show(value)
  return pad([
    row.work,
    amount(row.ours, row.unit),
    optional(row.cpuMs, (ms) => ms.toFixed(2)),
    optional(row.raw, (raw) => amount(raw, row.unit)),
    optional(row.rawCpuMs, (ms) => ms.toFixed(2)),
    optional(row.share, percent),
    describeGoal(row),
    met === null ? '' : met ? 'yes' : 'no',
  ])
}
