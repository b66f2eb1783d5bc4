import type { Db } from '#db/engine/client.ts'
import { fastPathsEnabled } from '#domain/fast-paths.ts'
import type { Env } from '#server/env.ts'
import { RouterContextProvider } from 'react-router'
import { loadFrame, visitorFrame } from '../http/load-frame.server.ts'
import { newNonce, type FoundPage, type PageCache, type PageRequest } from '../http/page-cache.server.ts'
import { loadedFrame, requestContext } from '../http/request-context.server.ts'
import { listFrameParts } from './frame-parts.server.tsx'

/** The same request from a visitor without cookies who has not seen the page. */
function withoutPerson({ url, headers }: Request): Request {
  const visitorHeaders = new Headers(headers)
  for (const name of ['cookie', 'if-none-match']) visitorHeaders.delete(name)
  return new Request(url, { headers: visitorHeaders })
}

/**
 * Finds a page in memory and gives it the frame of a guest, for requests whose key `isGuest`. The
 * function returns null when the page must be rendered for the request
 * (docs/decisions/0058-pages-with-a-cart.md).
 */
export function createGuestPages({
  pages,
  env,
  db,
  renderAndStore,
}: {
  pages: PageCache
  env: Env
  /** The database that the versions of `pages` are read from. */
  db: Db
  renderAndStore: (request: Request, context: RouterContextProvider, page: PageRequest) => Promise<unknown>
}): (page: PageRequest, context: RouterContextProvider) => Promise<FoundPage | null> {
  return async (page, context) => {
    if (!fastPathsEnabled()) return null
    const { ctx } = context.get(requestContext)
    const { pathname } = new URL(page.request.url)
    // The rendered page reports the error.
    const frame = await loadFrame(page.request, pathname, { ctx, env }).catch(() => null)
    if (!frame) return null
    context.set(loadedFrame, frame)
    // Messages are above the content of the page, where it has no part to replace.
    if (frame.user || frame.flash || frame.removedNames.length > 0) return null
    if (!pages.has(page)) {
      const visitor = new RouterContextProvider()
      visitor.set(requestContext, { ctx: { ...ctx, user: null, reads: db }, env, nonce: newNonce() })
      await renderAndStore(withoutPerson(page.request), visitor, page)
    }
    const path = page.key.url
    return pages.findForGuest(page, {
      visitor: () => listFrameParts(visitorFrame, path),
      guest: listFrameParts(frame, path),
    })
  }
}
