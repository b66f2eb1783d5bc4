import type { Context } from '#server/context.ts'
import { createMemoryLimit } from './memory-limit.ts'

/** Public lists that are complete unless `limit` asks for a page. */
const listPaths = /^\/api\/(products|product-variants|manufacturers)\/?$|^\/sitemaps\//

type Reader = Pick<Context, 'user' | 'clientAddress' | 'now' | 'rateLimits'>

/**
 * Counts the whole lists that an account or a visitor's address reads. With a full catalog, one
 * costs seconds of processor time, and comparing its ETag a walk over all variants. Counted in
 * memory, so that reads go on when nothing can be stored. Throws TOO_MANY.
 */
export function createListLimit(): (request: Request, reader: Reader) => void {
  const count = createMemoryLimit()
  return (request, { user, clientAddress, now, rateLimits }) => {
    const allowed = rateLimits?.['whole-list']
    if (!allowed || (request.method !== 'GET' && request.method !== 'HEAD')) return
    const { pathname, searchParams } = new URL(request.url)
    if (listPaths.test(pathname) && !searchParams.has('limit')) count(user?.id ?? clientAddress, allowed, now)
  }
}
