import { useMemo, useRef, type ReactNode } from 'react'
import { Checkbox } from './Checkbox.tsx'
import type { GridColumn } from './grid-types.ts'
import type { GridUrl } from './grid-url.ts'
import { HeaderCell } from './HeaderCell.tsx'
import { useShortcuts, type Shortcut } from './shortcuts.ts'
import { useCellKeys } from './use-cell-keys.ts'
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
  /** Ids of hidden columns. The first column always shows. */
  hidden: readonly string[]
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
  hidden,
  selection,
  canSelect = anyRow,
  empty,
  isBusy,
  isSecond = false,
  isDense = false,
}: DataGridProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const visibleColumns = columns.filter(({ id }, index) => index === 0 || !hidden.includes(id))
  const isSelected = (row: Row): boolean =>
    selection !== undefined && canSelect(row) && (selection.isAll || selection.ids.has(row.id))
  const { indexes, before, after, scrollToRow } = useVisibleRows(rows.length, scroller)
  const { onKeyDown, step, currentRow } = useCellKeys(scroller, scrollToRow)

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
                      label: 'Select the row',
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
  const selectedOnPage = rows.filter(isSelected).length
  return (
    <div
      ref={scroller}
      className="data-grid"
      data-busy={isBusy || undefined}
      data-dense={isDense || undefined}
      // Without rows no cell takes the focus, and the keyboard could not scroll to the last header.
      {...(rows.length === 0 && { role: 'group', 'aria-label': label, tabIndex: 0 })}
    >
      <table
        role="grid"
        aria-label={label}
        aria-busy={isBusy}
        aria-rowcount={rows.length + 1}
        {...(selection && { 'aria-multiselectable': true })}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            {selection ? (
              <th scope="col" className="w-10">
                <Checkbox
                  label="Select all rows on this page"
                  checked={selectedOnPage > 0 && selectedOnPage === pageIds.length}
                  isIndeterminate={selectedOnPage > 0 && selectedOnPage < pageIds.length}
                  onChange={(to) => selection.toggle(pageIds, to)}
                />
              </th>
            ) : null}
            {visibleColumns.map((column) => (
              <HeaderCell key={column.id} column={column} url={url} sort={sort} dir={dir} />
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
                data-index={index}
                data-row={row.id}
                aria-rowindex={index + 2}
                {...(selection && { 'aria-selected': isSelected(row) })}
              >
                {selection ? (
                  <td tabIndex={-1}>
                    <Checkbox
                      label={`Select ${nameOf(row)}`}
                      checked={isSelected(row)}
                      isDisabled={!canSelect(row)}
                      onChange={(to) => selection.toggle([row.id], to)}
                    />
                  </td>
                ) : null}
                {visibleColumns.map((column, columnIndex) => (
                  <td
                    key={column.id}
                    // One cell is in the tab order; arrow keys move it.
                    tabIndex={index === 0 && columnIndex === 0 ? 0 : -1}
                    className={column.align === 'end' ? 'text-end tabular-nums' : undefined}
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
      {rows.length === 0 ? <div className="px-6 py-12 text-center">{empty}</div> : null}
    </div>
  )
}

const anyRow = () => true

const Spacer = ({ height }: { height: number }) => (
  <tr aria-hidden="true">
    <td style={{ height, padding: 0, border: 0 }}>{'\u00a0'}</td>
  </tr>
)
