import { useEffect, useMemo, useRef, type KeyboardEvent, type RefObject } from 'react'

const moves: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [10, 0],
  PageUp: [-10, 0],
}
/** `aria-rowindex` counts them, from 1. */
const headerRows = 1
type Position = { cell: HTMLElement; id: string | undefined; row: number; column: number }
const controls = 'a, button, input, select, textarea'

/**
 * Moves the focus between cells. Enter moves it into a cell's control. Escape moves it back to the
 * cell, and from a cell out of the grid.
 */
export function useCellKeys(
  scroller: RefObject<HTMLDivElement | null>,
  scrollToRow: (index: number) => void,
  rows: readonly { id: string }[],
) {
  const scrollTo = useRef(scrollToRow)
  useEffect(() => {
    scrollTo.current = scrollToRow
  })
  const focused = useRef<Position | null>(null)
  const keys = useMemo(() => {
    const focus = (row: number, column: number): void => {
      scrollTo.current(row)
      // At once, so that the next key starts from there. A row outside the viewport renders after
      // the scroll.
      if (!focusCell(row, column)) requestAnimationFrame(() => focusCell(row, column))
    }
    const focusCell = (row: number, column: number): boolean => {
      const cells = scroller.current?.querySelectorAll<HTMLElement>(
        `tr[aria-rowindex="${row + headerRows + 1}"] > td`,
      )
      const cell = cells?.[Math.min(column, cells.length - 1)]
      if (!cell) return false
      scroller.current?.querySelector('td[tabindex="0"]')?.setAttribute('tabindex', '-1')
      cell.tabIndex = 0
      cell.focus()
      return true
    }
    const current = (): Position | null => {
      const active = document.activeElement?.closest<HTMLElement>('.data-grid td')
      const row = active?.closest<HTMLElement>('tr[data-row]')
      if (!active || !row || !scroller.current?.contains(row)) return null
      return {
        cell: active,
        id: row.dataset['row'],
        row: Number(row.ariaRowIndex) - headerRows - 1,
        column: cellIndex(active),
      }
    }
    return {
      onFocus: () => {
        focused.current = current()
      },
      // React calls it when the focus moves elsewhere, not when the focused row is removed.
      onBlur: () => {
        focused.current = null
      },
      focus,
      step: (by: number) => {
        const position = current()
        focus(position ? Math.max(0, position.row + by) : 0, position?.column ?? 0)
      },
      currentRow: () => current()?.id,
      onKeyDown: (event: KeyboardEvent<HTMLTableElement>) => {
        const position = current()
        if (!position || event.ctrlKey || event.metaKey || event.altKey) return
        const isInside = document.activeElement !== position.cell
        if (event.key === 'Escape') {
          if (isInside) position.cell.focus()
          else focusAfter(scroller.current)
        } else if ((event.key === 'Enter' || event.key === 'F2') && !isInside) {
          event.preventDefault()
          // Styles hide the button of a row's menu while its actions show.
          const found = [...position.cell.querySelectorAll<HTMLElement>(controls)]
          found.find((control) => control.checkVisibility())?.focus()
        } else if (!isInside || document.activeElement?.matches('input[type=checkbox]')) {
          const move = moves[event.key]
          if (!move) return
          event.preventDefault()
          focus(Math.max(0, position.row + move[0]), Math.max(0, position.column + move[1]))
        }
      },
    }
  }, [scroller])
  // A row that an action removed takes the focus with it: the row now in its place gets it.
  useEffect(() => {
    const lost = focused.current
    if (!lost || document.activeElement !== document.body || rows.some(({ id }) => id === lost.id)) return
    focused.current = null
    if (rows.length === 0) scroller.current?.focus()
    else keys.focus(Math.min(lost.row, rows.length - 1), lost.column)
  }, [rows, keys, scroller])
  return keys
}

/**
 * Makes cells focusable. The page's HTML leaves that out, as hundreds of cells would repeat it, and
 * without scripts no key moves the focus to a cell.
 */
export function useFocusableCells(scroller: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const cells = scroller.current?.querySelectorAll<HTMLElement>('td:not([tabindex])') ?? []
    for (const cell of cells) cell.tabIndex = -1
  })
}

/** Focuses the first control after a grid. */
function focusAfter(grid: HTMLElement | null): void {
  for (const control of document.querySelectorAll<HTMLElement>('main :is(a[href], :enabled)')) {
    const isAfter = grid?.compareDocumentPosition(control) === Node.DOCUMENT_POSITION_FOLLOWING
    if (isAfter && control.checkVisibility()) return control.focus()
  }
}

const cellIndex = (cell: Element): number => [...(cell.parentElement?.children ?? [])].indexOf(cell)
