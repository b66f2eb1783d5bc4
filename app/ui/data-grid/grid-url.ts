import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useHydrated } from '../use-hydrated.ts'

/** A grid's parameters in the URL: search, filters, sort and page. */
export type GridParams = Readonly<Record<string, string>>

/** Parameters that name a page; another search, filter or sort starts at the first page. */
const pageParams = ['after', 'before', 'last']

/** A change of them; empty and null ones are removed. */
export type GridChange = Readonly<Record<string, string | null>>

/** The parameters after a change. */
function applyChange(params: GridParams, change: GridChange): GridParams {
  const unchanged = Object.entries(params).filter(
    ([name]) => !Object.hasOwn(change, name) && !pageParams.includes(name),
  )
  const added = Object.entries(change).filter((entry): entry is [string, string] => !!entry[1])
  return Object.fromEntries([...unchanged, ...added])
}

const toQueryString = (params: GridParams): string =>
  Object.keys(params).length > 0 ? `?${new URLSearchParams(params)}` : ''

export type GridUrl = {
  params: GridParams
  /** The grid's URL after a change: every state can be linked to, and works without scripts. */
  hrefOf: (change: GridChange) => string
  /** Navigates without running the page's loader: the grid's query fetches the rows. */
  go: (change: GridChange, options?: { replace?: boolean }) => void
  /** The history state that a link carries. */
  state: unknown
  /** Whether the search stays out of the URL. */
  isPrivate: boolean
}

/**
 * A page of two grids prefixes the second one's parameters with its name and a dot:
 * `history.after`.
 */
export const gridPart = (all: GridParams, part = ''): GridParams =>
  Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => {
      if (part === '') return name.includes('.') ? [] : [[name, value]]
      return name.startsWith(`${part}.`) ? [[name.slice(part.length + 1), value]] : []
    }),
  )

/** A change of one grid's parameters; those of another stay. */
function applyPartChange(all: GridParams, part: string, change: GridChange): GridParams {
  const partParams = gridPart(all, part)
  const prefix = part === '' ? '' : `${part}.`
  const belongsToPart = (name: string) =>
    name.startsWith(prefix) && Object.hasOwn(partParams, name.slice(prefix.length))
  const otherParams = Object.entries(all).filter(([name]) => !belongsToPart(name))
  const changedParams = Object.entries(applyChange(partParams, change)).map(
    ([name, value]) => [prefix + name, value] as const,
  )
  return Object.fromEntries([...otherParams, ...changedParams])
}

/**
 * Parameters that were requested and are not in the URL yet: the next change of any grid on the
 * page builds on them.
 */
let pending: GridParams | null = null

/**
 * Returns a function that requests other parameters. It changes those of the page as it is when
 * called: a timer may hold the function of an earlier render.
 */
function usePendingParams(current: GridParams): (change: (params: GridParams) => GridParams) => GridParams {
  const location = useLocation()
  const latest = useRef(current)
  useLayoutEffect(() => {
    latest.current = current
  }, [current])
  useLayoutEffect(() => {
    pending = null
  }, [location])
  return useCallback((change) => (pending = change(pending ?? latest.current)), [])
}

/**
 * A grid's state in the URL.
 * @param part the grid's name, if it is the second of its page
 */
export function useGridUrl(part = ''): GridUrl {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const all = useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search])
  const request = usePendingParams(all)
  const params = useMemo(() => gridPart(all, part), [all, part])
  const hrefOf = useCallback(
    (change: GridChange) => pathname + toQueryString(applyPartChange(all, part, change)),
    [pathname, all, part],
  )
  const go = useCallback(
    (change: GridChange, { replace = false } = {}) => {
      const to = request((params) => applyPartChange(params, part, change))
      void navigate(pathname + toQueryString(to), { ...keepPage, replace })
    },
    [navigate, pathname, request, part],
  )
  return useMemo(() => ({ params, hrefOf, go, state: null, isPrivate: false }), [params, hrefOf, go])
}

/** The page keeps its scroll position, and its loader does not run. */
const keepPage = { preventScrollReset: true, defaultShouldRevalidate: false }

/**
 * The same for a grid whose search names a person. The search is in the history state instead of
 * the URL, and so in no log; without scripts it is posted. Everything else is in the URL.
 * @param posted the parameters that the page's action read from a form
 */
export function usePrivateGridUrl(posted: GridParams | undefined): GridUrl {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const hydrated = useHydrated()
  // The server has no history state; before hydration the browser must render the same.
  const q = (hydrated ? searchedFor(state) : null) ?? posted?.['q'] ?? ''
  const params = useMemo(() => {
    const inUrl = withoutQ(Object.fromEntries(new URLSearchParams(search)))
    return q === '' ? inUrl : { ...inUrl, q }
  }, [search, q])
  const request = usePendingParams(params)
  const hrefOf = useCallback(
    (change: GridChange) => pathname + toQueryString(withoutQ(applyChange(params, change))),
    [pathname, params],
  )
  const go = useCallback(
    (change: GridChange, { replace = false } = {}) => {
      const to = request((params) => applyChange(params, change))
      const state = { q: to['q'] ?? '' }
      void navigate(pathname + toQueryString(withoutQ(to)), { ...keepPage, replace, state })
    },
    [navigate, pathname, request],
  )
  return useMemo(() => ({ params, hrefOf, go, state: { q }, isPrivate: true }), [params, hrefOf, go, q])
}

const withoutQ = ({ q: _q, ...inUrl }: GridParams): GridParams => inUrl

const searchedFor = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'q' in state && typeof state.q === 'string' ? state.q : null
