import { useCallback, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useHydrated } from '../use-hydrated.ts'
import {
  addRequest,
  isEntryPending,
  newestRequest,
  settleRequests,
  subscribeToRequests,
  type GridParams,
} from './grid-requests.ts'

export type { GridParams } from './grid-requests.ts'

/** Parameters that name a page; another search, filter or sort starts at the first page. */
const pageParams = ['after', 'before', 'last', 'from']

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

type GoOptions = {
  replace?: boolean
  /** The element to scroll to: "#history". */
  hash?: string
}

export type GridUrl = {
  /** What the grid was asked for: at once, before the navigation to it finishes. */
  params: GridParams
  /** The grid's URL after a change: every state can be linked to, and works without scripts. */
  hrefOf: (change: GridChange) => string
  /** Navigates without running the page's loader: the grid's query fetches the rows. */
  go: (change: GridChange, options?: GoOptions) => void
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

type Page = {
  /** All parameters that the page was asked for. */
  all: GridParams
  request: (change: (params: GridParams) => GridParams, options?: GoOptions) => void
}

/**
 * What the page was asked for: the newest request, or the URL when all are done.
 * @param inUrl the parameters of the finished navigation
 * @param isPrivate whether `q` is history state
 */
function usePage(inUrl: GridParams, isPrivate: boolean): Page {
  const location = useLocation()
  const { pathname, search } = location
  const navigate = useNavigate()
  const newest = useSyncExternalStore(subscribeToRequests, newestRequest, () => null)
  const all = newest?.pathname === pathname ? newest.params : inUrl
  // A timer may hold the function of an earlier render.
  const latest = useRef({ pathname, inUrl })
  useLayoutEffect(() => {
    latest.current = { pathname, inUrl }
    settleRequests(location, keyOf(pathname + search, isPrivate ? inUrl['q'] : undefined))
  })
  const request = useCallback<Page['request']>(
    (change, { replace = false, hash = '' } = {}) => {
      const { pathname, inUrl } = latest.current
      const newest = newestRequest()
      const params = change(newest?.pathname === pathname ? newest.params : inUrl)
      const href = pathname + toQueryString(isPrivate ? withoutQ(params) : params)
      const isReplacing = replace && !isEntryPending()
      addRequest({
        pathname,
        params,
        key: keyOf(href, isPrivate ? params['q'] : undefined),
        replace: isReplacing,
      })
      void navigate(href + hash, {
        // The page keeps its scroll position, and its loader does not run.
        preventScrollReset: hash === '',
        defaultShouldRevalidate: false,
        replace: isReplacing,
        ...(isPrivate && { state: { q: params['q'] ?? '' } }),
      })
    },
    [navigate, isPrivate],
  )
  return { all, request }
}

const keyOf = (href: string, q = ''): string => `${href} ${q}`

/**
 * A grid's state in the URL.
 * @param part the grid's name, if it is the second of its page
 */
export function useGridUrl(part = ''): GridUrl {
  const { pathname, search } = useLocation()
  const inUrl = useMemo(() => Object.fromEntries(new URLSearchParams(search)), [search])
  const { all, request } = usePage(inUrl, false)
  const params = useMemo(() => gridPart(all, part), [all, part])
  const hrefOf = useCallback(
    (change: GridChange) => pathname + toQueryString(applyPartChange(all, part, change)),
    [pathname, all, part],
  )
  const go = useCallback(
    (change: GridChange, options?: GoOptions) =>
      request((params) => applyPartChange(params, part, change), options),
    [request, part],
  )
  return useMemo(() => ({ params, hrefOf, go, state: null, isPrivate: false }), [params, hrefOf, go])
}

/**
 * The same for a grid whose search names a person. The search is in the history state instead of
 * the URL, and so in no log; without scripts it is posted. Everything else is in the URL.
 * @param posted the parameters that the page's action read from a form
 */
export function usePrivateGridUrl(posted: GridParams | undefined): GridUrl {
  const { pathname, search, state } = useLocation()
  const hydrated = useHydrated()
  // The server has no history state; before hydration the browser must render the same.
  const shownQ = (hydrated ? searchedFor(state) : null) ?? posted?.['q'] ?? ''
  const inUrl = useMemo(() => {
    const params = withoutQ(Object.fromEntries(new URLSearchParams(search)))
    return shownQ === '' ? params : { ...params, q: shownQ }
  }, [search, shownQ])
  const { all: params, request } = usePage(inUrl, true)
  const q = params['q'] ?? ''
  const hrefOf = useCallback(
    (change: GridChange) => pathname + toQueryString(withoutQ(applyChange(params, change))),
    [pathname, params],
  )
  const go = useCallback(
    (change: GridChange, options?: GoOptions) => request((params) => applyChange(params, change), options),
    [request],
  )
  return useMemo(() => ({ params, hrefOf, go, state: { q }, isPrivate: true }), [params, hrefOf, go, q])
}

const withoutQ = ({ q: _q, ...inUrl }: GridParams): GridParams => inUrl

const searchedFor = (state: unknown): string | null =>
  typeof state === 'object' && state !== null && 'q' in state && typeof state.q === 'string' ? state.q : null
