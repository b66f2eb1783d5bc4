import { toAppError } from '#server/errors.ts'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { renderToPipeableStream } from 'react-dom/server'
import {
  ServerRouter,
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
} from 'react-router'
import { callerHas, etagOf } from './lib/etag.server.ts'
import { NonceContext } from './lib/nonce.ts'
import { contextOf, requestContext } from './lib/request-context.server.ts'

/**
 * Renders a page whole, so that its ETag and status are known before the first byte. A visitor without cookies
 * may keep it and ask again; anybody else's page is nobody else's.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce } = context.get(requestContext)
  const html = await renderPage(
    <NonceContext value={nonce}>
      <ServerRouter context={entryContext} url={request.url} nonce={nonce} />
    </NonceContext>,
    nonce,
  )
  headers.set('Content-Type', 'text/html; charset=utf-8')
  headers.append('Vary', 'Cookie')
  if (request.headers.has('cookie') || headers.has('set-cookie') || status >= 400) {
    headers.set('Cache-Control', 'private, no-store')
    return new Response(html, { status, headers })
  }
  const etag = etagOf(html.replaceAll(nonce, ''))
  headers.set('Cache-Control', 'no-cache')
  headers.set('ETag', etag)
  if (callerHas(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(html, { status, headers })
}

function renderPage(page: React.ReactNode, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const body = new PassThrough()
    const { pipe } = renderToPipeableStream(page, {
      nonce,
      onAllReady: () => {
        pipe(body)
        text(body).then(resolve, reject)
      },
      onShellError: reject,
      onError: reject,
    })
  })
}

export const handleError: HandleErrorFunction = (error, { context }) => {
  const appError = toAppError(error)
  if (appError.code !== 'INTERNAL') return
  const ctx = contextOf({ context })
  ctx.log.error({ err: error, requestId: ctx.requestId }, 'page failed')
}
