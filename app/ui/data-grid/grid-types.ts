import type { ReactNode } from 'react'

export type GridColumn<Row> = {
  /** Stored when the column is hidden. */
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** A class that sets its width: "w-40". */
  width?: string
  align?: 'end'
  /** The server's name for sorting by it. */
  sort?: string
  /** The direction of the first click; ascending by default. */
  firstDir?: 'asc' | 'desc'
}

/** A change of a grid's parameters that leads to another page, sort or filter. Empty and null ones are removed. */
export type GridChange = Readonly<Record<string, string | null>>

/** A grid's state in its URL. */
export type GridPlaceInUrl = {
  params: Readonly<Record<string, string>>
  hrefOf: (change: GridChange) => string
  go: (change: GridChange, options?: { replace?: boolean }) => void
  /** The history state that a link carries. */
  state: unknown
  /** Whether the search stays out of the URL: without scripts it is sent by POST. */
  isPrivate: boolean
}
