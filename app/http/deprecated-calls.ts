import { adminPaths } from '#domain/admin-paths.ts'

export const wholeListNotice =
  'Without it, the reply has every row. This is deprecated but still works. Read pages instead.'

/** Since when the call is deprecated, and where that is documented (RFC 9745). */
const deprecation = (since: number): { Deprecation: string; Link: string } => ({
  Deprecation: `@${since / 1000}`,
  Link: `<${adminPaths.apiDocument}>; rel="deprecation"; type="application/json"`,
})

/**
 * The headers of a whole list, with the first page of the same list (RFC 8288). No `Sunset`: the
 * contract keeps the call.
 */
export function wholeListHeaders(url: URL): Record<string, string> {
  const first = new URLSearchParams(url.searchParams)
  first.delete('after')
  first.set('limit', '1000')
  const { Deprecation, Link } = deprecation(Date.UTC(2026, 10, 27))
  return { Deprecation, Link: `<${url.pathname}?${first}>; rel="first", ${Link}` }
}

/** The headers of a PATCH that sets a variant's stock, which overwrites what was sold since. */
export const setStockHeaders = (): Record<string, string> => deprecation(Date.UTC(2026, 10, 30))
