import type { ReactNode } from 'react'
import { useDensity } from '../../../ui/data-grid/density.ts'
import { formatDay } from '../../../components/orders/order-labels.ts'

/** A date, or a dash. */
export const Day = ({ iso }: { iso: string | null }) =>
  iso === null ? '–' : <time dateTime={iso}>{formatDay(iso)}</time>

type TableProps = {
  label: string
  headers: readonly string[]
  children: ReactNode
}

/** A short list as a table that scrolls sideways, in the row height of the grids. */
export function Table({ label, headers, children }: TableProps) {
  const { density } = useDensity()
  return (
    // Keyboard users must be able to scroll it (axe, "scrollable-region-focusable").
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="data-grid" data-density={density} tabIndex={0} role="region" aria-label={label}>
      <table aria-label={label}>
        <thead>
          <tr>
            {headers.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
