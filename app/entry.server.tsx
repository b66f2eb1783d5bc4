import { toAppError } from '#server/errors.ts'
import { text } from 'node:stream/consumers'
import { renderToString } from 'react-dom/server'
import {
  isRouteErrorResponse,
  ServerRouter,
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
} from 'react-router'
import { setCacheRule } from './http/cache.server.ts'
import { callerHas, etagOf } from './http/etag.server.ts'
import { NonceContext } from './render/nonce.ts'
import { retryAfterOf } from './http/page-loader.server.ts'
import { contextOf, renderedPage, requestContext } from './http/request-context.server.ts'

const preload = '<link rel="modulepreload"'
/** A page is read and used before its scripts: styles, font and pictures go first on a slow line. */
const latePreload = `${preload} fetchpriority="low"`

/**
 * Renders a page whole, so that its status is known before the first byte. A visitor without cookies may keep it and
 * ask again; anybody else's page is nobody else's.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const loaded = await readHandoff(entryContext)
  headers.set('Content-Type', 'text/html; charset=utf-8')
  const retryAfter = retryAfterOf(entryContext.staticHandlerContext.errors)
  if (retryAfter !== undefined) headers.set('Retry-After', String(retryAfter))
  if (setCacheRule(headers, request, status)) {
    // A page is what this build makes of its URL and its data; the nonce is no part of it.
    const etag = etagOf(`${__BUILD_ID__}\n${request.url}\n${loaded}`)
    headers.set('ETag', etag)
    if (callerHas(request, etag)) return new Response(null, { status: 304, headers })
  }
  entryContext.manifest = onlyMatched(entryContext)
  const { nonce } = context.get(requestContext)
  const html = renderToString(
    <NonceContext value={nonce}>
      <ServerRouter context={entryContext} url={request.url} nonce={nonce} />
    </NonceContext>,
  )
  context.set(renderedPage, `<!DOCTYPE html>${html.replaceAll(preload, latePreload)}`)
  return new Response(null, { status, headers })
}

/**
 * Reads the loaders' data, which are all here already, before rendering: React Router would hand them over piece by
 * piece inside Suspense, which only React's streaming renderer serves, at three times the cost of `renderToString`.
 */
async function readHandoff(entryContext: EntryContext): Promise<string> {
  const { renderMeta, serverHandoffStream } = entryContext
  if (!renderMeta || !serverHandoffStream) return ''
  const value = await text(serverHandoffStream)
  renderMeta.streamCache = { 0: Object.assign(Promise.resolve(), { result: { done: true, value } }) }
  entryContext.serverHandoffStream = new ReadableStream()
  return value
}

/**
 * What the page itself needs of the manifest: for each page React Router builds a route of every entry anew. The front
 * page is always among it: without it the browser would take the root alone for a whole match of `/`, and show nothing.
 */
function onlyMatched({ manifest, staticHandlerContext }: EntryContext): EntryContext['manifest'] {
  const matched = new Set(staticHandlerContext.matches.map(({ route: { id } }) => id))
  const routes = Object.fromEntries(
    Object.entries(manifest.routes).filter(
      ([id, entry]) => matched.has(id) || (entry?.index && entry.path === undefined),
    ),
  )
  return { ...manifest, routes }
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // Who leaves before the answer breaks it off; that is no failure of ours.
  if (request.signal.aborted || toAppError(error).code !== 'INTERNAL') return
  // React Router's own refusals, of a method that a page has not: the caller's fault, and in the log by its status.
  if (isRouteErrorResponse(error) && error.status < 500) return
  const ctx = contextOf({ context })
  ctx.log.error({ err: error, requestId: ctx.requestId }, 'page failed')
}
