import {
  columnVisibilityFeature,
  rowSelectionFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table'
import { useMemo, useRef, type ReactNode } from 'react'
import { Checkbox } from './Checkbox.tsx'
import type { GridColumn, GridPlaceInUrl } from './grid-types.ts'
import { HeaderCell } from './HeaderCell.tsx'
import { useShortcuts, type Shortcut } from './shortcuts.ts'
import { useCellKeys } from './use-cell-keys.ts'
import { useDrawnRows } from './use-visible-rows.ts'
import type { Selection } from './use-selection.ts'

const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature })

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
  /** Whether its columns are so many that type and room are smaller, for all to be seen at 1280 px. */
  isDense?: boolean
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
  isDense = false,
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
      data-dense={isDense || undefined}
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

const Spacer = ({ height }: { height: number }) => (
  <tr aria-hidden="true">
    <td style={{ height, padding: 0, border: 0 }}>{'\u00a0'}</td>
  </tr>
)
