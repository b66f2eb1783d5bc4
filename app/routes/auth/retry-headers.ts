import type { HeadersFunction } from 'react-router'

/** The router drops what an action says beside its cookies: when to try again. */
export const retryHeaders: HeadersFunction = ({ actionHeaders }) => {
  const retryAfter = actionHeaders.get('retry-after')
  return new Headers(retryAfter ? { 'Retry-After': retryAfter } : {})
}
