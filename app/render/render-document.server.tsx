import { fastPathsEnabled } from '#domain/fast-paths.ts'
import { text } from 'node:stream/consumers'
import { renderToReadableStream, renderToString } from 'react-dom/server'
import { ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router'
import { setCacheRule } from '../http/cache.server.ts'
import { hasCurrentVersion, computeEtag } from '../http/etag.server.ts'
import { findRetryAfter } from '../http/page-loader.server.ts'
import { renderedPage, requestContext } from '../http/request-context.server.ts'
import { renderFragment } from './fragment-cache.server.ts'
import { setFragmentRenderer } from './fragments.tsx'
import { NonceContext } from './nonce.ts'

setFragmentRenderer(renderFragment)

/**
 * On a slow line, styles, font and images load first: a page is usable before its scripts. The
 * content security policy lets our own scripts preload without a nonce, so no link repeats it.
 */
const lowerPreloads = (html: string): string =>
  html.replaceAll(
    /<link rel="modulepreload" href="([^"]*)"(?: nonce="[^"]*")?\/>/g,
    '<link rel="modulepreload" fetchpriority="low" href="$1"/>',
  )

/**
 * React Router indents the part of the manifest in a page: a fifth of it is white space. A literal
 * start of the pattern keeps the search for it short; a lookbehind cost 3 % of a page.
 */
const packManifest = (html: string): string =>
  html.replace(/window\.__reactRouterManifest = \{\n[^]*?\n\};/, (json) => json.replaceAll(/\n\s*/g, ''))

/** Joins the parts once: copying a large page takes a tenth as long as rendering it. */
function finishDocument(html: string): string {
  const headEnd = html.indexOf('</head>')
  // renderToReadableStream writes the doctype itself.
  const doctype = html.startsWith('<!DOCTYPE') ? '' : '<!DOCTYPE html>'
  return doctype + lowerPreloads(html.slice(0, headEnd)) + packManifest(html.slice(headEnd))
}

/**
 * Renders a whole page, so that its status is known before the first byte is sent. Visitors
 * without cookies may cache the page and revalidate it; other pages are private.
 */
export async function renderDocument(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set('Content-Type', 'text/html; charset=utf-8')
  const retryAfter = findRetryAfter(entryContext.staticHandlerContext.errors)
  if (retryAfter !== undefined) headers.set('Retry-After', String(retryAfter))
  const isPublic = setCacheRule(headers, request, status)
  const { nonce } = context.get(requestContext)
  const notModified = (fingerprint: string): boolean => {
    if (!isPublic) return false
    const etag = computeEtag(`${__BUILD_ID__}\n${request.url}\n${fingerprint}`)
    headers.set('ETag', etag)
    return hasCurrentVersion(request, etag)
  }
  const document = (
    <NonceContext value={nonce}>
      <ServerRouter context={entryContext} url={request.url} nonce={nonce} />
    </NonceContext>
  )

  let html: string
  if (fastPathsEnabled()) {
    // A page is a function of the build, its URL and its data; the nonce is not part of it.
    if (notModified(await readHandoff(entryContext))) return new Response(null, { status: 304, headers })
    entryContext.manifest = matchedRoutes(entryContext)
    html = renderToString(document)
  } else {
    const stream = await renderToReadableStream(document, { nonce })
    await stream.allReady
    html = await text(stream as Parameters<typeof text>[0])
    if (notModified(html.replaceAll(nonce, ''))) return new Response(null, { status: 304, headers })
  }
  context.set(renderedPage, finishDocument(html))
  return new Response(null, { status, headers })
}

/**
 * Reads the loaders' data before rendering; all of it is available already. React Router would
 * stream it chunk by chunk inside Suspense, which only React's streaming renderer supports, at
 * three times the cost of `renderToString`.
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
 * The part of the manifest that this page needs: React Router rebuilds a route from every entry for
 * each page. The home page and its parent are always included. Without them, the browser would take
 * the root alone for a complete match of `/` and show nothing.
 */
function matchedRoutes({ manifest, staticHandlerContext }: EntryContext): EntryContext['manifest'] {
  const matched = new Set(staticHandlerContext.matches.map(({ route: { id } }) => id))
  const routes = Object.fromEntries(
    Object.entries(manifest.routes).filter(
      ([id, entry]) =>
        matched.has(id) || id === 'routes/shop-pages' || (entry?.index && entry.path === undefined),
    ),
  )
  return { ...manifest, routes }
}
