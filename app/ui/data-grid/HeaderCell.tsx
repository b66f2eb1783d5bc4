import { ArrowDown, ArrowUp } from '../admin-icons.tsx'
import { GridLink } from './GridLink.tsx'
import type { GridColumn } from './grid-types.ts'
import type { GridUrl } from './grid-url.ts'

type HeaderCellProps<Row> = {
  column: GridColumn<Row>
  url: GridUrl
  sort: string
  dir: 'asc' | 'desc'
}

/** A column's header; a sort link where the server can sort by it. */
export function HeaderCell<Row>({ column, url, sort, dir }: HeaderCellProps<Row>) {
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
