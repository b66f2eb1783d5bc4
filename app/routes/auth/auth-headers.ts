import type { HeadersFunction } from 'react-router'

/** The router drops what an action says beside its cookies: when to try again. */
export const retryHeaders: HeadersFunction = ({ actionHeaders }) => {
  const retryAfter = actionHeaders.get('retry-after')
  return new Headers(retryAfter ? { 'Retry-After': retryAfter } : {})
}

/** A page whose address holds a token tells it to nobody: no site that it leads to, no cache. */
export const tokenHeaders: HeadersFunction = (args) => {
  const headers = new Headers(retryHeaders(args))
  headers.set('Referrer-Policy', 'no-referrer')
  headers.set('Cache-Control', 'private, no-store')
  return headers
}
