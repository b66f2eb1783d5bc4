import { useCallback, useRef } from 'react'
import type { Selection } from './use-selection.ts'

type RangeRow = { id: string }

/**
 * Selects a row, or with Shift all rows between the last one and it.
 * @param canSelect the rows of a range that stay as they are are left out
 */
export function useRange<Row extends RangeRow>(
  rows: readonly Row[],
  canSelect: (row: Row) => boolean,
  selection: Selection | undefined,
) {
  const anchor = useRef<string | null>(null)
  return useCallback(
    (id: string, { isRange, to }: { isRange: boolean; to?: boolean }): void => {
      if (!selection) return
      const start = rows.findIndex((row) => row.id === anchor.current)
      const end = rows.findIndex((row) => row.id === id)
      if (!isRange || start === -1 || end === -1) {
        anchor.current = id
        const row = rows[end]
        if (row && canSelect(row)) selection.toggle([id], to)
        return
      }
      const range = rows.slice(Math.min(start, end), Math.max(start, end) + 1)
      selection.toggle(
        range.filter(canSelect).map((row) => row.id),
        to ?? true,
      )
    },
    [rows, canSelect, selection],
  )
}
