/** What any cache may keep and asks again for each time, or what nobody keeps. */
export const cacheControl = (mayBeKept: boolean): string => (mayBeKept ? 'no-cache' : 'private, no-store')

/** Between pointing at a link and following it; past that the answer could say what is no longer so. */
const prefetchedSeconds = 5

/**
 * Whether a page's data is asked for because somebody points at a link to it.
 * https://fetch.spec.whatwg.org/#sec-purpose-header
 */
export const isPrefetch = (request: Request): boolean =>
  request.method === 'GET' &&
  (request.headers.get('sec-purpose')?.startsWith('prefetch') ?? false) &&
  new URL(request.url).pathname.endsWith('.data')

/**
 * Says who may keep an answer: nobody when it is about a person (a cookie came or goes along), a failure or a page that says
 * so itself; else every cache may, and asks again each time; what was fetched ahead is used for a moment without asking.
 * Returns whether it may be kept.
 */
export function setCacheRule(headers: Headers, request: Request, status: number): boolean {
  const isPrivate = headers.get('cache-control') === cacheControl(false)
  const mayBeKept = !isPrivate && !request.headers.has('cookie') && !headers.has('set-cookie') && status < 400
  headers.set(
    'Cache-Control',
    mayBeKept && isPrefetch(request) ? `private, max-age=${prefetchedSeconds}` : cacheControl(mayBeKept),
  )
  headers.append('Vary', 'Cookie')
  return mayBeKept
}
