import { adminPaths } from '#domain/admin-paths.ts'

/** When reading a whole list without `limit` was deprecated (2026-11-27). */
const deprecatedAt = Date.UTC(2026, 10, 27) / 1000

export const wholeListNotice =
  'Without it, the reply has every row. This is deprecated but still works. Read pages instead.'

/**
 * The headers of a whole list: since when it is deprecated, where this is documented, and the first
 * page of the same list (RFC 9745; RFC 8288 for `first`). No `Sunset`: the contract keeps the call.
 */
export function wholeListHeaders(url: URL): Record<string, string> {
  const first = new URLSearchParams(url.searchParams)
  first.delete('after')
  first.set('limit', '1000')
  return {
    Deprecation: `@${deprecatedAt}`,
    Link: `<${url.pathname}?${first}>; rel="first", <${adminPaths.apiDocument}>; rel="deprecation"; type="application/json"`,
  }
}
