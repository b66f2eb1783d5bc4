import { formatTotal } from '#domain/grid-total.ts'

export type Page = {
  rows: readonly unknown[]
  total: number
  next: string | null
  previous: string | null
}

/**
 * The number of the page's first row: exact on the first and the last page. Pages start at a row,
 * not at a number, so in between it is counted along the links. Null when it is unknown.
 */
export function firstNumber({ rows, total, next, previous }: Page, from?: string): number | null {
  const size = rows.length
  if (size === 0) return null
  if (previous === null) return 1
  if (next === null) return Math.max(1, total - size + 1)
  const counted = Number(from)
  return Number.isInteger(counted) && counted > 0 && counted + size - 1 <= total ? counted : null
}

/** "51–100 of 1,025", or "50 of 1,025" when the number of the first row is unknown. */
export function formatRange({ rows, total }: Page, first: number | null): string {
  const range = first === null ? [rows.length] : [first, first + rows.length - 1]
  return `${range.map((number) => number.toLocaleString('en-US')).join('–')} of ${formatTotal(total)}`
}
