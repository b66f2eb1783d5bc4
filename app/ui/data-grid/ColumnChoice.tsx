import { useId, useState } from 'react'
import { Columns3 } from '../admin-icons.tsx'
import { densities, useDensity, type Density } from './density.ts'
import { widthBounds, type GridColumn, type GridSettings } from './grid-types.ts'

type ColumnChoiceProps = { columns: readonly GridColumn<never>[]; settings: GridSettings }

/** Which columns show, how wide they are, and how high the rows are. */
export function ColumnChoice({ columns, settings }: ColumnChoiceProps) {
  const { hidden, hide, widths, resize } = settings
  const id = useId()
  const { density, setDensity } = useDensity()
  /** The widths of the columns as they show, read when the choice opens. */
  const [shownWidths, setShownWidths] = useState<Readonly<Record<string, number>>>({})
  return (
    <>
      <button type="button" className="btn btn-ghost" popoverTarget={id}>
        <Columns3 /> Columns
      </button>
      <div
        id={id}
        popover="auto"
        className="popover grid-menu"
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'open') setShownWidths(measureColumns(currentTarget))
        }}
      >
        <fieldset className="mb-2">
          <legend className="mb-1 font-semibold">Row height, in all lists</legend>
          {Object.entries(densities).map(([value, label]) => (
            <label key={value} className="flex min-h-8 items-center gap-2">
              <input
                type="radio"
                className="accent-primary"
                name={`${id}-density`}
                checked={value === density}
                onChange={() => setDensity(value as Density)}
              />
              {label}
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend className="mb-2 font-semibold">Columns to show</legend>
          {columns.map((column, index) => (
            <div key={column.id} className="flex min-h-8 items-center gap-2">
              <label className="me-auto flex min-h-8 items-center gap-2">
                <input
                  type="checkbox"
                  className="grid-check"
                  checked={index === 0 || !hidden.includes(column.id)}
                  disabled={index === 0}
                  onChange={(event) =>
                    hide(
                      event.currentTarget.checked
                        ? hidden.filter((id) => id !== column.id)
                        : [...hidden, column.id],
                    )
                  }
                />
                {column.header}
              </label>
              <input
                type="range"
                className="w-24 accent-primary"
                aria-label={`Width of ${column.header}`}
                min={widthBounds.min}
                max={widthBounds.max / 2}
                step={8}
                value={widths[column.id] ?? shownWidths[column.id] ?? widthBounds.min}
                onChange={(event) => resize({ ...widths, [column.id]: Number(event.currentTarget.value) })}
              />
            </div>
          ))}
        </fieldset>
        <button
          type="button"
          className="btn btn-ghost"
          disabled={Object.keys(widths).length === 0}
          onClick={() => resize({})}
        >
          Reset widths
        </button>
      </div>
    </>
  )
}

/** The widths of the columns of the grid that a toolbar belongs to. */
function measureColumns(element: HTMLElement): Record<string, number> {
  const grid = [...document.querySelectorAll('.data-grid')].find(
    (grid) => element.compareDocumentPosition(grid) === Node.DOCUMENT_POSITION_FOLLOWING,
  )
  return Object.fromEntries(
    [...(grid?.querySelectorAll<HTMLElement>('th[data-column]') ?? [])].map((header) => [
      header.dataset['column'] ?? '',
      header.offsetWidth,
    ]),
  )
}
