import type { ReactNode } from 'react'

export type GridColumn<Row> = {
  /** Tells columns apart; kept as hidden under this name. */
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** A class that sets its width, as "w-40". */
  width?: string
  align?: 'end'
  /** The name that the server sorts by. */
  sort?: string
  /** Which way a first click sorts; ascending when left out. */
  firstDir?: 'asc' | 'desc'
}

/** What is changed in the address to come to another page, sort or filter of a grid; what is empty or null is left out. */
export type GridChange = Readonly<Record<string, string | null>>

/** The part of a grid that its address keeps. */
export type GridPlaceInUrl = {
  params: Readonly<Record<string, string>>
  hrefOf: (change: GridChange) => string
  go: (change: GridChange, options?: { replace?: boolean }) => void
  /** What a link takes along besides its address. */
  state: unknown
  /** Whether what is searched for stays out of the address: without scripts it is sent by POST. */
  isPrivate: boolean
}
