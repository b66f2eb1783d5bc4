import type { HeadersFunction } from 'react-router'

/**
 * The headers of every route that exports none: those of its layout, and the `Retry-After` of its
 * action. The router drops an action's headers other than cookies.
 */
export const retryHeaders: HeadersFunction = ({ actionHeaders, parentHeaders }) => {
  const headers = new Headers(parentHeaders)
  const retryAfter = actionHeaders.get('retry-after')
  if (retryAfter !== null) headers.set('Retry-After', retryAfter)
  return headers
}
