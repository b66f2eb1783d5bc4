import type { Context } from '#server/context.ts'
import type { HonoRequest } from 'hono'
import { createMemoryLimit } from './memory-limit.ts'

/**
 * Public lists that are complete, the first two unless `limit` asks for a page. React Router
 * matches a path in any case, with repeated slashes and with the suffix of its data.
 */
const listPaths = /^\/+api\/+(products|product-variants|manufacturers)(\/+_)?(\.data)?\/*$|^\/+sitemaps\//i
const pagedPaths = /^\/+api\/+product/i

/** Its path is decoded, as the routes are matched. */
type ListRequest = Pick<HonoRequest, 'method' | 'path' | 'url'>
type Reader = Pick<Context, 'user' | 'clientAddress' | 'now' | 'rateLimits'>

/**
 * Counts the whole lists that an account, an API key or a visitor's address reads. With a full
 * catalog, one costs seconds of processor time, and comparing its ETag a walk over all variants.
 * Counted in memory, so that reads go on when nothing can be stored. Throws TOO_MANY.
 */
export function createListLimit(): (request: ListRequest, reader: Reader) => void {
  const count = createMemoryLimit()
  return ({ method, path, url }, { user, clientAddress, now, rateLimits }) => {
    const allowed = rateLimits?.['whole-list']
    if (!allowed || (method !== 'GET' && method !== 'HEAD') || !listPaths.test(path)) return
    if (pagedPaths.test(path) && new URL(url).searchParams.has('limit')) return
    count(user?.apiKeyId ?? user?.id ?? clientAddress, allowed, now)
  }
}
