import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** What of a grid stands in the URL: search, filters, sort and page. */
export type GridParams = Readonly<Record<string, string>>

/** What names a page; another search, filter or sort begins with the first. */
const pageParams = ['after', 'before', 'last']

/** A change of them; what is empty or null is left out. */
export type GridChange = Readonly<Record<string, string | null>>

function changed(params: GridParams, change: GridChange): string {
  const isTurn = Object.keys(change).every((name) => pageParams.includes(name))
  const kept = Object.entries(params).filter(
    ([name]) => !Object.hasOwn(change, name) && !pageParams.includes(name),
  )
  const said = Object.entries(change).filter((entry): entry is [string, string] => !!entry[1])
  const search = new URLSearchParams([...kept, ...said])
  return search.size > 0 || isTurn ? `?${search}` : '?'
}

export type GridUrl = {
  params: GridParams
  /** The address of the grid after a change: each can be linked to, and works without scripts. */
  hrefOf: (change: GridChange) => string
  /** Goes there without asking the page's loader: the grid's query asks. */
  go: (change: GridChange, options?: { replace?: boolean }) => void
}

/** The part of a grid that its URL keeps. */
export function useGridUrl(): GridUrl {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const params = useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search])
  const hrefOf = useCallback((change: GridChange) => pathname + changed(params, change), [pathname, params])
  const go = useCallback(
    (change: GridChange, { replace = false } = {}) => {
      void navigate(pathname + changed(params, change), {
        replace,
        preventScrollReset: true,
        defaultShouldRevalidate: false,
      })
    },
    [navigate, pathname, params],
  )
  return useMemo(() => ({ params, hrefOf, go }), [params, hrefOf, go])
}
