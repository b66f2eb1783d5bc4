import type { Db } from '#db/engine/client.ts'
import { sharedPageVersions } from '#server/catalog/get-page-versions.ts'
import type { Env } from '#server/env.ts'
import type { RequestHandler, RouterContextProvider } from 'react-router'
import type { AppContext, AppMiddleware } from '../app-parts.ts'
import { setCacheRule } from '../http/cache.server.ts'
import { requestIdHeader } from '../http/middleware/request-id.ts'
import {
  contentSecurityPolicy,
  setSecurityHeaders,
  type HeaderFields,
} from '../http/middleware/security-headers.ts'
import { createPageCache, findPageKey, type FoundPage, type PageRequest } from '../http/page-cache.server.ts'
import { fromPublicOrigin } from '../http/public-origin.server.ts'
import { renderedPage, requestContext } from '../http/request-context.server.ts'
import { createGuestPages } from './guest-pages.server.ts'

export type PageResponses = {
  /** Answers from memory. Comes before the compression: its responses are already encoded. */
  answerFromMemory: AppMiddleware
  /** Stores replies of the API. Comes after the compression, so that it sees them uncompressed. */
  storeReplies: AppMiddleware
  /** Answers with what React Router makes, and stores a page that others may get too. */
  render: (c: AppContext, context: RouterContextProvider) => Promise<Response>
}

/**
 * Pages and replies from memory, and from React Router (docs/decisions/0040-page-cache.md).
 * @param hasReplica whether reads may go to a replica; replies of the API are then not stored
 */
export function createPageResponses({
  env,
  db,
  hasReplica,
  handle,
}: {
  env: Env
  db: Db
  hasReplica: boolean
  handle: RequestHandler
}): PageResponses {
  // In development, a page changes with its code.
  const pages = env.pageCacheMb > 0 && env.mode !== 'dev' ? createPageCache(env.pageCacheMb * 2 ** 20) : null
  const readVersions = sharedPageVersions(db)

  /** Sets the policy of a page, with its nonce. A 304 has none: the browser has its copy's. */
  const setPolicy = (headers: HeaderFields, status: number, nonce: string, { req }: AppContext): void => {
    if (status !== 304 && headers.get('content-type')?.startsWith('text/html')) {
      headers.set('content-security-policy', contentSecurityPolicy(nonce, env, req.path))
    }
  }

  /** The response for a page from memory. */
  const respondWith = ({ status, headers, body, nonce }: FoundPage, c: AppContext): Response => {
    setPolicy(headers, status, nonce, c)
    setSecurityHeaders(headers, status, env)
    headers.set(requestIdHeader, c.get('requestId'))
    const response = new Response(body, { status, headers: Object.fromEntries(headers) })
    c.set('completeResponse', response)
    return response
  }

  /** Handles a request with React Router, and stores a page that was not in memory. */
  const renderAndStore = async (
    request: Request,
    context: RouterContextProvider,
    missed: PageRequest | undefined,
  ): Promise<{ response: Response; page: string | null; isStored: boolean }> => {
    const routed = await handle(fromPublicOrigin(request, env), context)
    const page = context.get(renderedPage)
    if (page === null) return { response: routed, page, isStored: false }
    const response = new Response(page, { status: routed.status, headers: routed.headers })
    const { nonce } = context.get(requestContext)
    const isStored = pages && missed ? pages.store(missed, { response, text: page, nonce }) : false
    return { response, page, isStored }
  }

  const findForGuest = pages && createGuestPages({ pages, env, db, renderAndStore })

  return {
    answerFromMemory: async (c, next) => {
      const key = pages && findPageKey(c.req.raw, c.req.path, { api: !hasReplica })
      // Read before the data. If they cannot be read, the request reports the outage itself.
      const versions = key && (await readVersions().catch(() => null))
      if (!pages || !key || !versions) return next()
      const page = { request: c.req.raw, key, versions }
      const found = key.isGuest ? null : pages.find(page)
      if (found) return respondWith(found, c)
      c.set(key.isGuest ? 'guestPage' : 'missedPage', page)
      return next()
    },

    storeReplies: async (c, next) => {
      await next()
      const missed = c.get('missedPage')
      const { res } = c
      if (!pages || !missed || !res.headers.get('content-type')?.startsWith('application/json')) return
      const { headers } = res
      if (headers.has('content-encoding') || Number(headers.get('content-length')) > pages.maxEntryBytes)
        return
      const text = await res.text()
      const response = new Response(text, { status: res.status, headers: res.headers })
      const stored = pages.store(missed, { response, text, nonce: null }) ? pages.find(missed) : null
      c.res = undefined
      c.res = stored ? respondWith(stored, c) : response
    },

    render: async (c, context) => {
      const guestPage = c.get('guestPage')
      const found = guestPage && (await findForGuest?.(guestPage, context))
      if (found) return respondWith(found, c)
      const missed = c.get('missedPage')
      const { response, page, isStored } = await renderAndStore(c.req.raw, context, missed)
      // The stored page, so that it is compressed only once.
      const stored = isStored && pages && missed ? pages.find(missed) : null
      if (stored) return respondWith(stored, c)
      setPolicy(response.headers, response.status, context.get(requestContext).nonce, c)
      // Pages set their own cache rule. Data requests and redirects after forms are as personal as
      // pages.
      if (!response.headers.has('Cache-Control')) setCacheRule(response.headers, c.req.raw, response.status)
      if (page !== null) c.set('page', page)
      return response
    },
  }
}
