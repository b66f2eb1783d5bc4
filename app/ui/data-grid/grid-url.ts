import { useCallback, useLayoutEffect, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useHydrated } from '../use-hydrated.ts'

/** What of a grid stands in the URL: search, filters, sort and page. */
export type GridParams = Readonly<Record<string, string>>

/** What names a page; another search, filter or sort begins with the first. */
const pageParams = ['after', 'before', 'last']

/** A change of them; what is empty or null is left out. */
export type GridChange = Readonly<Record<string, string | null>>

/** The parameters after a change. */
function changed(params: GridParams, change: GridChange): GridParams {
  const kept = Object.entries(params).filter(
    ([name]) => !Object.hasOwn(change, name) && !pageParams.includes(name),
  )
  const said = Object.entries(change).filter((entry): entry is [string, string] => !!entry[1])
  return Object.fromEntries([...kept, ...said])
}

const searchOf = (params: GridParams): string => `?${new URLSearchParams(params)}`

export type GridUrl = {
  params: GridParams
  /** The address of the grid after a change: each can be linked to, and works without scripts. */
  hrefOf: (change: GridChange) => string
  /** Goes there without asking the page's loader: the grid's query asks. */
  go: (change: GridChange, options?: { replace?: boolean }) => void
  /** What a link takes along besides its address. */
  state: unknown
  /** Whether what is searched for stays out of the address. */
  isPrivate: boolean
}

/** A page of two grids keeps the second's parameters under its name and a dot: `history.after`. The first has none. */
export const partOf = (all: GridParams, part = ''): GridParams =>
  Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => {
      if (part === '') return name.includes('.') ? [] : [[name, value]]
      return name.startsWith(`${part}.`) ? [[name.slice(part.length + 1), value]] : []
    }),
  )

/** The same change of one grid's part; what belongs to another stays. */
function changedPart(all: GridParams, part: string, change: GridChange): GridParams {
  const own = partOf(all, part)
  const prefix = part === '' ? '' : `${part}.`
  const isOwn = (name: string) => name.startsWith(prefix) && Object.hasOwn(own, name.slice(prefix.length))
  const others = Object.entries(all).filter(([name]) => !isOwn(name))
  const said = Object.entries(changed(own, change)).map(([name, value]) => [prefix + name, value] as const)
  return Object.fromEntries([...others, ...said])
}

/** What was asked for and is not shown yet: the next change, of whichever grid of the page, must not forget it. */
let asked: GridParams | null = null

function useAsk(shown: GridParams): (change: (params: GridParams) => GridParams) => GridParams {
  const location = useLocation()
  useLayoutEffect(() => {
    asked = null
  }, [location])
  return useCallback((change) => (asked = change(asked ?? shown)), [shown])
}

/**
 * The part of a grid that its URL keeps.
 * @param part the grid's name, where it is the second of its page
 */
export function useGridUrl(part = ''): GridUrl {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const all = useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search])
  const ask = useAsk(all)
  const params = useMemo(() => partOf(all, part), [all, part])
  const hrefOf = useCallback(
    (change: GridChange) => pathname + searchOf(changedPart(all, part, change)),
    [pathname, all, part],
  )
  const go = useCallback(
    (change: GridChange, { replace = false } = {}) => {
      const to = ask((params) => changedPart(params, part, change))
      void navigate(pathname + searchOf(to), { ...quietly, replace })
    },
    [navigate, pathname, ask, part],
  )
  return useMemo(() => ({ params, hrefOf, go, state: null, isPrivate: false }), [params, hrefOf, go])
}

/** The page stays where it is, and its loader is not asked. */
const quietly = { preventScrollReset: true, defaultShouldRevalidate: false }

/**
 * The same of a grid that is searched by what names a person: that stands in no URL, and so in no log, but in the history's own state;
 * without scripts it comes by POST. All else stands in the URL.
 * @param posted what the page's action read of a form
 */
export function usePrivateGridUrl(posted: GridParams | undefined): GridUrl {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const hydrated = useHydrated()
  // The server knows no state: until the scripts have begun, nor do they.
  const q = (hydrated ? searchedFor(state) : null) ?? posted?.['q'] ?? ''
  const params = useMemo(() => {
    const inUrl = withoutQ(Object.fromEntries(new URLSearchParams(search)))
    return q === '' ? inUrl : { ...inUrl, q }
  }, [search, q])
  const ask = useAsk(params)
  const hrefOf = useCallback(
    (change: GridChange) => pathname + searchOf(withoutQ(changed(params, change))),
    [pathname, params],
  )
  const go = useCallback(
    (change: GridChange, { replace = false } = {}) => {
      const to = ask((params) => changed(params, change))
      const state = { q: to['q'] ?? '' }
      void navigate(pathname + searchOf(withoutQ(to)), { ...quietly, replace, state })
    },
    [navigate, pathname, ask],
  )
  return useMemo(() => ({ params, hrefOf, go, state: { q }, isPrivate: true }), [params, hrefOf, go, q])
}

const withoutQ = ({ q: _q, ...inUrl }: GridParams): GridParams => inUrl

const searchedFor = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'q' in state && typeof state.q === 'string' ? state.q : null
