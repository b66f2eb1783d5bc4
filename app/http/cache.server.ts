import { cookieEffect } from './cookies.server.ts'

/** Public: cacheable with revalidation on each use. Private: never stored. */
export const cacheControl = (access: 'public' | 'private'): string =>
  access === 'public' ? 'no-cache' : 'private, no-store'

/** Long enough to get from hovering a link to clicking it. Later, the data could be stale. */
const prefetchedSeconds = 5

/**
 * Whether the router prefetches a page's data, as when a visitor hovers a link.
 * https://fetch.spec.whatwg.org/#sec-purpose-header
 */
export const isPrefetch = (request: Request): boolean =>
  request.method === 'GET' &&
  (request.headers.get('sec-purpose')?.startsWith('prefetch') ?? false) &&
  new URL(request.url).pathname.endsWith('.data')

/**
 * Sets the cache headers and returns whether the response is cacheable. Responses that set a cookie
 * or can depend on one, failures, and pages that declare themselves private are never stored. All
 * others are cached and revalidated on each use; prefetched data is used for a moment without
 * revalidation.
 */
export function setCacheRule(headers: Headers, request: Request, status: number): boolean {
  const isPrivate = headers.get('cache-control') === cacheControl('private')
  const isCacheable =
    !isPrivate && cookieEffect(request) === 'none' && !headers.has('set-cookie') && status < 400
  headers.set(
    'Cache-Control',
    isCacheable && isPrefetch(request)
      ? `private, max-age=${prefetchedSeconds}`
      : cacheControl(isCacheable ? 'public' : 'private'),
  )
  headers.append('Vary', 'Cookie')
  return isCacheable
}
