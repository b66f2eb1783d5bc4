/** A grid's parameters: search, filters, sort and page. */
export type GridParams = Readonly<Record<string, string>>

/** What a page was asked for by one control. */
export type GridRequest = {
  pathname: string
  params: GridParams
  /** Identifies the navigation that it started. */
  key: string
  /** Whether that navigation replaces the history entry. */
  replace: boolean
}

/**
 * What the current page was asked for and does not show yet, the newest last. Navigations finish
 * late and can finish after a newer request. So this is the state that every control reads and
 * changes; the URL follows it.
 */
let requests: readonly GridRequest[] = []
let settled: unknown = null
const listeners = new Set<() => void>()

function set(to: readonly GridRequest[]): void {
  if (to === requests) return
  requests = to
  for (const listener of listeners) listener()
}

export const newestRequest = (): GridRequest | null => requests.at(-1) ?? null

export const addRequest = (request: GridRequest): void => set([...requests, request])

/**
 * Whether a requested history entry is still to be added: a replacing request that overtakes it
 * must add it instead.
 */
export const isEntryPending = (): boolean => requests.some(({ replace }) => !replace)

/**
 * The page's location has changed: requests up to this one are done, newer ones are still on their
 * way. A location that no control asked for (the back button, a link) ends them all.
 * @param location only its identity matters: every grid of the page reports it
 */
export function settleRequests(location: unknown, key: string): void {
  if (location === settled) return
  settled = location
  const index = requests.findLastIndex((request) => request.key === key)
  if (requests.length > 0) set(index === -1 ? [] : requests.slice(index + 1))
}

export function subscribeToRequests(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
