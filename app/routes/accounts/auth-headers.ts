import type { HeadersFunction } from 'react-router'

/** The router drops what an action says beside its cookies: when to try again. */
export const retryHeaders: HeadersFunction = ({ actionHeaders }) => {
  const retryAfter = actionHeaders.get('retry-after')
  return new Headers(retryAfter ? { 'Retry-After': retryAfter } : {})
}

/**
 * A page whose address holds a token tells it to nobody: no site that it leads to, no cache. Not `no-referrer`: without scripts its
 * form would then come with `Origin: null`, as from another site (https://fetch.spec.whatwg.org/#append-a-request-origin-header).
 */
export const tokenHeaders: HeadersFunction = (args) => {
  const headers = new Headers(retryHeaders(args))
  headers.set('Referrer-Policy', 'strict-origin')
  headers.set('Cache-Control', 'private, no-store')
  return headers
}
