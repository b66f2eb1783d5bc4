/** What any cache may keep and asks again for each time, or what nobody keeps. */
export const cacheControl = (mayBeKept: boolean): string => (mayBeKept ? 'no-cache' : 'private, no-store')

/**
 * Says who may keep an answer: nobody when it is about a person (a cookie came or goes along), a failure or a page that says
 * so itself; else every cache may, and asks again each time. Returns whether it may be kept.
 */
export function setCacheRule(headers: Headers, request: Request, status: number): boolean {
  const isPrivate = headers.get('cache-control') === cacheControl(false)
  const mayBeKept = !isPrivate && !request.headers.has('cookie') && !headers.has('set-cookie') && status < 400
  headers.set('Cache-Control', cacheControl(mayBeKept))
  headers.append('Vary', 'Cookie')
  return mayBeKept
}
