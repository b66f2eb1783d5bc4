import type { Location } from 'react-router'

type Visit = Pick<Location, 'search' | 'state'>

/** By path. Only in the browser, until the page is reloaded. */
const visits = new Map<string, Visit>()

export function recordVisit({ pathname, search, state }: Location): void {
  visits.set(pathname, { search, state })
}

/** Links to a page as it was left: with its filters, its page and its private search. */
export function linkToLastVisit(to: string): { to: string; state?: unknown } {
  const visit = visits.get(to)
  return visit ? { to: to + visit.search, state: visit.state } : { to }
}
