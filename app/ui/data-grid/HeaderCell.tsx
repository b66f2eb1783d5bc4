import { useRef, type PointerEvent } from 'react'
import { ArrowDown, ArrowUp } from '../admin-icons.tsx'
import { GridLink } from './GridLink.tsx'
import { widthBounds, type GridColumn } from './grid-types.ts'
import type { GridUrl } from './grid-url.ts'

type HeaderCellProps<Row> = {
  column: GridColumn<Row>
  /** Pixels, if it was resized. */
  size: number | undefined
  /** Null makes it fit its contents again. */
  onResize: (size: number | null, isDone: boolean) => void
  url: GridUrl
  sort: string
  dir: 'asc' | 'desc'
}

/**
 * A column's header; a sort link where the server can sort by it. An empty picture gives a resized
 * column its width: the content security policy has no styles in HTML, and without scripts the
 * column would get another width than with them.
 */
export function HeaderCell<Row>({ column, size, onResize, url, sort, dir }: HeaderCellProps<Row>) {
  const { sort: key, firstDir = 'asc', header, width, align } = column
  const isSorted = key !== undefined && key === sort
  const next = isSorted ? (dir === 'asc' ? 'desc' : 'asc') : firstDir
  const Arrow = dir === 'asc' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      data-column={column.id}
      className={`${size === undefined ? (width ?? '') : 'resized'} ${align === 'end' ? 'text-end' : ''}`}
      {...(isSorted && { 'aria-sort': dir === 'asc' ? 'ascending' : 'descending' })}
    >
      <span className="grid-label">
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
      </span>
      {size === undefined ? null : <svg className="grid-width" width={size} height="0" aria-hidden="true" />}
      <Resizer onResize={onResize} />
    </th>
  )
}

const clampSize = (size: number): number =>
  Math.round(Math.min(Math.max(size, widthBounds.min), widthBounds.max))

/**
 * The edge to drag a column by; a double click makes it fit again. Keyboards resize in the choice
 * of columns.
 */
function Resizer({ onResize }: { onResize: (size: number | null, isDone: boolean) => void }) {
  const start = useRef<{ x: number; size: number } | null>(null)
  const sizeAt = ({ clientX }: PointerEvent): number | null =>
    start.current && clampSize(start.current.size + clientX - start.current.x)
  return (
    <span
      className="grid-resizer"
      aria-hidden="true"
      onPointerDown={(event) => {
        const header = event.currentTarget.parentElement
        if (!header || event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, size: header.offsetWidth }
      }}
      onPointerMove={(event) => {
        const size = sizeAt(event)
        if (size !== null) onResize(size, false)
      }}
      onPointerUp={(event) => {
        const size = sizeAt(event)
        const isDragged = start.current?.x !== event.clientX
        start.current = null
        if (size !== null && isDragged) onResize(size, true)
      }}
      onDoubleClick={() => onResize(null, true)}
    />
  )
}
