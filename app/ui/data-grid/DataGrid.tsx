import {
  columnVisibilityFeature,
  rowSelectionFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { ArrowDown, ArrowUp } from '../admin-icons.tsx'
import { GridLink } from './GridLink.tsx'
import type { GridColumn, GridPlaceInUrl } from './grid-types.ts'
import { useShortcuts, type Shortcut } from './shortcuts.ts'
import type { Selection } from './use-selection.ts'

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature })

/** Up to this many rows all are drawn; of more, those in sight. */
const allDrawn = 100
const rowHeight = 46

type DataGridProps<Row extends { id: string }> = {
  /** Its accessible name: what the rows are. */
  label: string
  columns: readonly GridColumn<Row>[]
  rows: readonly Row[]
  /** What a row is called, where it is chosen. */
  nameOf: (row: Row) => string
  url: GridPlaceInUrl
  sort: string
  dir: 'asc' | 'desc'
  /** The ids of columns that are not shown. The first is always. */
  hidden: readonly string[]
  /** Left out, rows cannot be chosen. */
  selection?: Selection
  /** Which rows can be chosen; all when left out. */
  canSelect?: (row: Row) => boolean
  /** Shown in place of rows where there are none. */
  empty: ReactNode
  /** Whether other rows are on their way. */
  isBusy: boolean
  /** Whether it is the second of its page: `j` and `k` are the first's. */
  isSecond?: boolean
}

const noKeys: readonly Shortcut[] = []

/**
 * The one grid of the back office: server-sorted columns, chosen rows, arrow keys from cell to cell and `j`, `k`, `x` from row to row
 * (ARIA Authoring Practices, "Grid"). Readable before any script.
 */
export function DataGrid<Row extends { id: string }>({
  label,
  columns,
  rows,
  nameOf,
  url,
  sort,
  dir,
  hidden,
  selection,
  canSelect = anyRow,
  empty,
  isBusy,
  isSecond = false,
}: DataGridProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const defs = useMemo(
    () => columns.map((column): ColumnDef<typeof features, Row> => toDef(column)),
    [columns],
  )
  const data = useMemo(() => [...rows], [rows])
  const table = useTable({
    features,
    columns: defs,
    data,
    getRowId: (row) => row.id,
    enableRowSelection: selection !== undefined,
    state: {
      columnVisibility: Object.fromEntries(hidden.map((id) => [id, id === columns[0]?.id])),
      rowSelection: Object.fromEntries([...(selection?.ids ?? [])].map((id) => [id, true])),
    },
  })
  const shown = table
    .getVisibleLeafColumns()
    .flatMap(({ id }) => columns.find((column) => column.id === id) ?? [])
  const model = table.getRowModel().rows
  const { drawn, before, after, bringToSight } = useDrawnRows(model.length, scroller)
  const { onKeyDown, step, currentRow } = useCellKeys(scroller, bringToSight)

  useShortcuts(
    useMemo(
      () =>
        isSecond
          ? noKeys
          : [
              { keys: 'j', does: 'Next row', run: () => step(1) },
              { keys: 'k', does: 'Row before', run: () => step(-1) },
              ...(selection
                ? [
                    {
                      keys: 'x',
                      does: 'Choose the row',
                      run: () => {
                        const id = currentRow()
                        if (id && rows.some((row) => row.id === id && canSelect(row))) selection.toggle([id])
                      },
                    },
                  ]
                : []),
            ],
      [isSecond, step, currentRow, selection, rows, canSelect],
    ),
  )

  const pageIds = rows.filter(canSelect).map(({ id }) => id)
  const chosenHere = pageIds.filter((id) => selection?.isAll || selection?.ids.has(id)).length
  return (
    <div
      ref={scroller}
      className="data-grid"
      data-busy={isBusy || undefined}
      // Without rows no cell can have the focus, and the keyboard could not scroll to the last header.
      {...(rows.length === 0 && { role: 'group', 'aria-label': label, tabIndex: 0 })}
    >
      <table
        role="grid"
        aria-label={label}
        aria-busy={isBusy}
        aria-rowcount={model.length + 1}
        {...(selection && { 'aria-multiselectable': true })}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            {selection ? (
              <th scope="col" className="w-10">
                <Checkbox
                  label="Select all rows of this page"
                  checked={chosenHere > 0 && chosenHere === pageIds.length}
                  isSome={chosenHere > 0 && chosenHere < pageIds.length}
                  onChange={(to) => selection.toggle(pageIds, to)}
                />
              </th>
            ) : null}
            {shown.map((column) => (
              <HeaderCell key={column.id} column={column} url={url} sort={sort} dir={dir} />
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 ? <Spacer height={before} /> : null}
          {drawn.map((index) => {
            const row = model[index]
            if (!row) return null
            const isChosen =
              selection !== undefined && canSelect(row.original) && (selection.isAll || row.getIsSelected())
            return (
              <tr
                key={row.id}
                data-index={index}
                data-row={row.id}
                aria-rowindex={index + 2}
                {...(selection && { 'aria-selected': isChosen })}
              >
                {selection ? (
                  <td tabIndex={-1}>
                    <Checkbox
                      label={`Select ${nameOf(row.original)}`}
                      checked={isChosen}
                      isDisabled={!canSelect(row.original)}
                      onChange={(to) => selection.toggle([row.id], to)}
                    />
                  </td>
                ) : null}
                {shown.map((column, at) => (
                  <td
                    key={column.id}
                    // One cell is in the order of Tab; the keys move it from there.
                    tabIndex={index === 0 && at === 0 ? 0 : -1}
                    className={column.align === 'end' ? 'text-end tabular-nums' : undefined}
                  >
                    {column.cell(row.original)}
                  </td>
                ))}
              </tr>
            )
          })}
          {after > 0 ? <Spacer height={after} /> : null}
        </tbody>
      </table>
      {rows.length === 0 ? <div className="px-6 py-12 text-center">{empty}</div> : null}
    </div>
  )
}

const anyRow = () => true

const toDef = <Row extends { id: string }>({
  id,
  header,
}: GridColumn<Row>): ColumnDef<typeof features, Row> => ({
  id,
  header,
  accessorFn: () => null,
})

/** Which rows are drawn, and how high those are that are not. On paper, and before any script, all are. */
function useDrawnRows(count: number, scroller: React.RefObject<HTMLDivElement | null>) {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    setReady(true)
    const forPaper = () => setReady(false)
    const forScreen = () => setReady(true)
    window.addEventListener('beforeprint', forPaper)
    window.addEventListener('afterprint', forScreen)
    return () => {
      window.removeEventListener('beforeprint', forPaper)
      window.removeEventListener('afterprint', forScreen)
    }
  }, [])
  const isVirtual = isReady && count > allDrawn
  // oxlint-disable-next-line react/incompatible-library -- Nothing here is compiled; its functions may change with each render.
  const virtualizer = useVirtualizer({
    count,
    enabled: isVirtual,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const items = isVirtual ? virtualizer.getVirtualItems() : null
  const first = items?.[0]
  const last = items?.at(-1)
  return {
    drawn: items ? items.map(({ index }) => index) : Array.from({ length: count }, (_, index) => index),
    before: first?.start ?? 0,
    after: last ? virtualizer.getTotalSize() - last.end : 0,
    bringToSight: (index: number) => {
      if (isVirtual) virtualizer.scrollToIndex(index)
    },
  }
}

const Spacer = ({ height }: { height: number }) => (
  <tr aria-hidden="true">
    <td style={{ height, padding: 0, border: 0 }}>{'\u00a0'}</td>
  </tr>
)

const moves: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [10, 0],
  PageUp: [-10, 0],
}
const controls = 'a, button, input, select, textarea'

/** Moves the focus between cells. Enter goes into a cell's control, Escape back out of it. */
function useCellKeys(
  scroller: React.RefObject<HTMLDivElement | null>,
  bringToSight: (index: number) => void,
) {
  const sight = useRef(bringToSight)
  useEffect(() => {
    sight.current = bringToSight
  })
  return useMemo(() => {
    const focus = (row: number, column: number): void => {
      sight.current(row)
      // At once, so that the next key goes on from there; a row that is not drawn yet is when it has come to sight.
      if (!focusDrawn(row, column)) requestAnimationFrame(() => focusDrawn(row, column))
    }
    const focusDrawn = (row: number, column: number): boolean => {
      const cells = scroller.current?.querySelectorAll<HTMLElement>(`tr[data-index="${row}"] > td`)
      const cell = cells?.[Math.min(column, cells.length - 1)]
      if (!cell) return false
      scroller.current?.querySelector('td[tabindex="0"]')?.setAttribute('tabindex', '-1')
      cell.tabIndex = 0
      cell.focus()
      return true
    }
    const current = () => {
      const active = document.activeElement?.closest<HTMLElement>('.data-grid td')
      const row = active?.closest<HTMLElement>('tr[data-index]')
      if (!active || !row || !scroller.current?.contains(row)) return null
      return {
        cell: active,
        id: row.dataset['row'],
        row: Number(row.dataset['index']),
        column: cellIndex(active),
      }
    }
    return {
      step: (by: number) => {
        const at = current()
        focus(at ? Math.max(0, at.row + by) : 0, at?.column ?? 0)
      },
      currentRow: () => current()?.id,
      onKeyDown: (event: KeyboardEvent<HTMLTableElement>) => {
        const at = current()
        if (!at || event.ctrlKey || event.metaKey || event.altKey) return
        const isInside = document.activeElement !== at.cell
        if (event.key === 'Escape' && isInside) {
          at.cell.focus()
        } else if ((event.key === 'Enter' || event.key === 'F2') && !isInside) {
          event.preventDefault()
          at.cell.querySelector<HTMLElement>(controls)?.focus()
        } else if (!isInside || document.activeElement?.matches('input[type=checkbox]')) {
          const move = moves[event.key]
          if (!move) return
          event.preventDefault()
          focus(Math.max(0, at.row + move[0]), Math.max(0, at.column + move[1]))
        }
      },
    }
  }, [scroller])
}

const cellIndex = (cell: Element): number => [...(cell.parentElement?.children ?? [])].indexOf(cell)

type HeaderCellProps<Row> = {
  column: GridColumn<Row>
  url: GridPlaceInUrl
  sort: string
  dir: 'asc' | 'desc'
}

function HeaderCell<Row>({ column, url, sort, dir }: HeaderCellProps<Row>) {
  const { sort: key, firstDir = 'asc', header, width, align } = column
  const isSorted = key !== undefined && key === sort
  const next = isSorted ? (dir === 'asc' ? 'desc' : 'asc') : firstDir
  const Arrow = dir === 'asc' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      className={`${width ?? ''} ${align === 'end' ? 'text-end' : ''}`}
      {...(isSorted && { 'aria-sort': dir === 'asc' ? 'ascending' : 'descending' })}
    >
      {key === undefined ? (
        header
      ) : (
        <GridLink
          url={url}
          change={{ sort: key, dir: next }}
          className="inline-flex items-center gap-1 hover:underline"
        >
          {header}
          {isSorted ? <Arrow className="size-3.5" /> : null}
        </GridLink>
      )}
    </th>
  )
}

type CheckboxProps = {
  label: string
  checked: boolean
  isSome?: boolean
  isDisabled?: boolean
  onChange: (to: boolean) => void
}

const Checkbox = ({ label, checked, isSome = false, isDisabled = false, onChange }: CheckboxProps) => (
  <input
    type="checkbox"
    className="grid-check"
    aria-label={label}
    checked={checked}
    disabled={isDisabled}
    ref={(element) => {
      if (element) element.indeterminate = isSome
    }}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
)
