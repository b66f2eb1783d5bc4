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
