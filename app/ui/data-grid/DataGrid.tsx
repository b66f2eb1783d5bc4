import { useMemo, useRef, useState, type ReactNode } from 'react'
import { Checkbox } from './Checkbox.tsx'
import { useDensity } from './density.ts'
import type { GridColumn, GridSettings } from './grid-types.ts'
import type { GridUrl } from './grid-url.ts'
import { HeaderCell } from './HeaderCell.tsx'
import { useShortcuts, type Shortcut } from './shortcuts.ts'
import { useRange } from './use-range.ts'
import { useCellKeys, useFocusableCells } from './use-cell-keys.ts'
import { useVisibleRows } from './use-visible-rows.ts'
import type { Selection } from './use-selection.ts'

type DataGridProps<Row extends { id: string }> = {
  /** Its accessible name: what the rows are. */
  label: string
  columns: readonly GridColumn<Row>[]
  rows: readonly Row[]
  /** The row's name in the label of its checkbox. */
  nameOf: (row: Row) => string
  url: GridUrl
  sort: string
  dir: 'asc' | 'desc'
  settings: GridSettings
  /** Without it, rows cannot be selected. */
  selection?: Selection
  /** Which rows can be selected; all by default. */
  canSelect?: (row: Row) => boolean
  /** Shown when there are no rows. */
  empty: ReactNode
  /** Whether new rows are loading. */
  isBusy: boolean
  /** Whether it is the second grid of its page: `j` and `k` belong to the first. */
  isSecond?: boolean
  /** Whether type and padding are smaller, so that many columns fit at 1280 px. */
  isDense?: boolean
}

const noKeys: readonly Shortcut[] = []

/**
 * The one grid of the back office: server-sorted columns, selected rows, arrow keys from cell to
 * cell, and `j`, `k`, `x` from row to row (ARIA Authoring Practices, "Grid"). Readable without
 * scripts.
 */
export function DataGrid<Row extends { id: string }>({
  label,
  columns,
  rows,
  nameOf,
  url,
  sort,
  dir,
  settings,
  selection,
  canSelect = anyRow,
  empty,
  isBusy,
  isSecond = false,
  isDense = false,
}: DataGridProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  // Whether Shift is held since the first row of a range.
  const isExtending = useRef(false)
  const { hidden, widths, resize } = settings
  // The widths while an edge is dragged.
  const [draggedWidths, setDraggedWidths] = useState<GridSettings['widths'] | null>(null)
  const shownWidths = draggedWidths ?? widths
  const { density } = useDensity()
  const visibleColumns = columns.filter(({ id }, index) => index === 0 || !hidden.includes(id))
  const select = useRange(rows, canSelect, selection)
  const isSelected = (row: Row): boolean =>
    selection !== undefined && canSelect(row) && (selection.isAll || selection.ids.has(row.id))
  const { indexes, before, after, scrollToRow } = useVisibleRows(rows.length, scroller)
  const { onKeyDown, onFocus, onBlur, step, currentRow } = useCellKeys(scroller, scrollToRow, rows)
  useFocusableCells(scroller)

  useShortcuts(
    useMemo(
      () =>
        isSecond
          ? noKeys
          : [
              { keys: 'j', label: 'Next row', run: () => step(1) },
              { keys: 'k', label: 'Previous row', run: () => step(-1) },
              ...(selection
                ? [
                    {
                      keys: 'x',
                      label: 'Select the row; with Shift, all from the last one',
                      run: (event: KeyboardEvent) => {
                        const id = currentRow()
                        if (id) select(id, { isRange: event.shiftKey })
                      },
                    },
                  ]
                : []),
            ],
      [isSecond, step, currentRow, selection, select],
    ),
  )

  const pageIds = rows.filter(canSelect).map(({ id }) => id)
  const selectedOnPage = rows.filter(isSelected).length
  return (
    <div
      ref={scroller}
      className="data-grid"
      data-busy={isBusy || undefined}
      data-dense={isDense || undefined}
      data-density={density}
      // Without rows no cell takes the focus, and the keyboard could not scroll to the last header.
      {...(rows.length === 0 && { role: 'group', 'aria-label': label, tabIndex: 0 })}
    >
      <table
        role="grid"
        aria-label={label}
        aria-busy={isBusy}
        aria-rowcount={rows.length + 1}
        {...(selection && { 'aria-multiselectable': true })}
        onFocus={onFocus}
        onBlur={onBlur}
        onKeyDown={(event) => {
          const from = selection && event.shiftKey && /^Arrow(Up|Down)$/.test(event.key) ? currentRow() : null
          onKeyDown(event)
          const to = currentRow()
          if (!from || !to || from === to) return
          if (!isExtending.current) select(from, { isRange: false, to: true })
          isExtending.current = true
          select(to, { isRange: true, to: true })
        }}
        onKeyUp={(event) => {
          if (event.key === 'Shift') isExtending.current = false
        }}
      >
        <colgroup>
          {selection ? <col /> : null}
          {visibleColumns.map(({ id, size, phoneWidth }) => (
            <col
              key={id}
              width={shownWidths[id] ?? size}
              className={shownWidths[id] === undefined ? phoneWidth : undefined}
            />
          ))}
        </colgroup>
        <thead>
          <tr>
            {selection ? (
              <th scope="col" className="w-10">
                <Checkbox
                  label="Select all rows on this page"
                  checked={selectedOnPage > 0 && selectedOnPage === pageIds.length}
                  isIndeterminate={selectedOnPage > 0 && selectedOnPage < pageIds.length}
                  isDisabled={selection.isDisabled}
                  onChange={(to) => selection.toggle(pageIds, to)}
                />
              </th>
            ) : null}
            {visibleColumns.map((column) => (
              <HeaderCell
                key={column.id}
                column={column}
                size={shownWidths[column.id]}
                onResize={(size, isDone) => {
                  const { [column.id]: _, ...others } = shownWidths
                  const next = size === null ? others : { ...others, [column.id]: size }
                  setDraggedWidths(isDone ? null : next)
                  if (isDone) resize(next)
                }}
                url={url}
                sort={sort}
                dir={dir}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 ? <Spacer height={before} /> : null}
          {indexes.map((index) => {
            const row = rows[index]
            if (!row) return null
            return (
              <tr
                key={row.id}
                data-row={row.id}
                aria-rowindex={index + 2}
                {...(selection && { 'aria-selected': isSelected(row) })}
              >
                {selection ? (
                  <td>
                    <Checkbox
                      label={`Select ${nameOf(row)}`}
                      checked={isSelected(row)}
                      isDisabled={selection.isDisabled || !canSelect(row)}
                      onChange={(to, isRange) => select(row.id, { isRange, to })}
                    />
                  </td>
                ) : null}
                {visibleColumns.map((column, columnIndex) => (
                  <td
                    key={column.id}
                    // One cell is in the tab order; arrow keys move it.
                    tabIndex={index === 0 && columnIndex === 0 ? 0 : undefined}
                    data-column={styledColumns.has(column.id) ? column.id : undefined}
                    className={cellClass(column.align === 'end', shownWidths[column.id] !== undefined)}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
          {after > 0 ? <Spacer height={after} /> : null}
        </tbody>
      </table>
      {rows.length === 0 ? (
        <div className="px-6 py-12 text-center">
          {/* The rows were deleted or no longer match. The pager links to the other pages. */}
          {url.params['after'] || url.params['before'] ? 'No rows on this page.' : empty}
        </div>
      ) : null}
    </div>
  )
}

const anyRow = () => true

/** The columns whose cells the style sheet names. */
const styledColumns: ReadonlySet<string> = new Set(['stock', 'actions'])

/** No class where none is needed: a page has hundreds of cells. */
const cellClass = (isEnd: boolean, isResized: boolean): string | undefined =>
  `${isEnd ? 'text-end' : ''}${isResized ? ' resized' : ''}` || undefined

const Spacer = ({ height }: { height: number }) => (
  <tr aria-hidden="true">
    <td style={{ height, padding: 0, border: 0 }}>{'\u00a0'}</td>
  </tr>
)
