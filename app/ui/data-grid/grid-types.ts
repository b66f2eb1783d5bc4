import type { ReactNode } from 'react'

export type GridColumn<Row> = {
  /** Stored when the column is hidden or resized. */
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** A class that sets its width until it is resized: "w-40". */
  width?: string
  /** For a dense grid, its share of the width in pixels. Longer words are cut, never broken. */
  size?: number
  /** For a dense grid, a class with the width on a phone, where the grid scrolls: "max-md:w-20". */
  phoneWidth?: string
  align?: 'end'
  /** The server's name for sorting by it. */
  sort?: string
  /** The direction of the first click; ascending by default. */
  firstDir?: 'asc' | 'desc'
}

/** A named state of a grid: the parameters of its URL. */
export type GridView = { id: string; name: string; params: Readonly<Record<string, string>> }

/** What an employee keeps of a grid. The functions that save a view return why they failed. */
export type GridSettings = {
  /** Ids of the hidden columns. The first column always shows. */
  hidden: readonly string[]
  hide: (columns: readonly string[]) => void
  /** Pixels by column id, of the columns that were resized. */
  widths: Readonly<Record<string, number>>
  resize: (widths: Readonly<Record<string, number>>) => void
  views: readonly GridView[]
  saveView: (name: string, params: GridView['params']) => Promise<string | null>
  renameView: (id: string, name: string) => Promise<string | null>
  deleteView: (id: string) => Promise<string | null>
}

/** The bounds of a column's width in pixels. */
export const widthBounds = { min: 48, max: 800 } as const
