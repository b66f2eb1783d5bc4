import type { HeadersFunction } from 'react-router'
import { retryHeaders } from '../../http/retry-headers.ts'

/**
 * Keeps the token in a page's URL out of referrers and caches. Not `no-referrer`: without
 * JavaScript its form would send `Origin: null`, like a cross-site form
 * (https://fetch.spec.whatwg.org/#append-a-request-origin-header).
 */
export const tokenHeaders: HeadersFunction = (args) => {
  const headers = new Headers(retryHeaders(args))
  headers.set('Referrer-Policy', 'strict-origin')
  headers.set('Cache-Control', 'private, no-store')
  return headers
}
