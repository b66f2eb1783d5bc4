import { paths } from '#domain/paths.ts'
import type { SearchParams } from '../../http/search-params.server.ts'

/** The URL of a search, without empty parameters. */
export function searchUrl(search: SearchParams): string {
  const entries = Object.entries(search).filter(
    ([name, value]) => value !== undefined && !(name === 'page' && value === 1),
  )
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return query ? `${paths.products}?${query}` : paths.products
}

/** The search without what narrows it. */
export const withoutFacets = (search: SearchParams): SearchParams => ({
  ...search,
  category: undefined,
  form: undefined,
  stock: undefined,
  price: undefined,
  shipsTo: undefined,
  page: undefined,
})
