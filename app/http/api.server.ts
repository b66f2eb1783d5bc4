import { AppError } from '#domain/errors.ts'
import { toAppError } from '#server/errors.ts'
import type { Context } from '#server/context.ts'
import { startStream } from '#server/files/start-stream.ts'
import type { Env } from '#server/env.ts'
import type { RouterContextProvider } from 'react-router'
import { cacheControl } from './cache.server.ts'
import { cookieEffect } from './cookies.server.ts'
import { hasCurrentVersion, computeEtag } from './etag.server.ts'
import { plainError } from './plain-error.server.ts'
import { requestContext } from './request-context.server.ts'
import { streamBody } from './stream-body.server.ts'
import { logOutage } from './log-outage.server.ts'
import { wholeListHeaders } from './deprecated-calls.ts'

type ApiArgs = {
  request: Request
  params: Record<string, string | undefined>
  context: Readonly<RouterContextProvider>
}
/** A call, without its context. */
export type ApiRequest = { url: URL; params: Record<string, string | undefined>; request: Request; env: Env }

/** The door for reads under /api: an error becomes one plain sentence, another method 405. */
export const apiLoader =
  (answer: (ctx: Context, request: ApiRequest) => Promise<Response>) =>
  async ({ request, params, context }: ApiArgs): Promise<Response> => {
    const { ctx, env } = context.get(requestContext)
    try {
      return await answer(ctx, { request, params, url: new URL(request.url), env })
    } catch (error) {
      const appError = toAppError(error)
      logOutage(ctx, error)
      if (appError.code === 'INTERNAL') ctx.log.error({ err: error, requestId: ctx.requestId }, 'call failed')
      return plainError(appError)
    }
  }

/** A response about a person or for admins only. It is never cached. */
export const privateReply = (value: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  withLength(JSON.stringify(value), status, {
    'Content-Type': 'application/json',
    ...headers,
    'Cache-Control': cacheControl('private'),
  })

/**
 * With its length known, a short response is written at once instead of streamed for compression.
 */
const withLength = (body: string, status: number, headers: Record<string, string>): Response =>
  new Response(body, {
    status,
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
  })

/** A whole list about people, as streamed JSON. */
export const privateStream = async (url: URL, rows: AsyncIterable<unknown>): Promise<Response> =>
  new Response(await toByteStream(jsonArray(rows)), {
    headers: {
      ...wholeListHeaders(url),
      'Cache-Control': cacheControl('private'),
      'Content-Type': 'application/json; charset=utf-8',
    },
  })

/** The 405 response of a path, naming its methods in `Allow`. */
export const methodNotAllowed =
  (...methods: string[]) =>
  async (): Promise<Response> => {
    const response = plainError(new AppError('METHOD_NOT_ALLOWED'))
    response.headers.set('Allow', methods.join(', '))
    return response
  }

/** A reply of the API has no frame that a cart or a theme could change. */
const cacheHeaders = (request: Request): Record<string, string> => ({
  'Cache-Control': cacheControl(cookieEffect(request) === 'any' ? 'private' : 'public'),
  Vary: 'Cookie',
})

/**
 * A public object or list, with an ETag of its content and 304 when the caller has that version.
 */
export const jsonReply = (request: Request, value: unknown, headers: Record<string, string> = {}): Response =>
  textReply(request, JSON.stringify(value), { 'Content-Type': 'application/json; charset=utf-8', ...headers })

/** The same for text, plain unless the headers say otherwise. */
export function textReply(request: Request, body: string, headers: Record<string, string> = {}): Response {
  const etag = computeEtag(body)
  const { 'Content-Type': type = 'text/plain; charset=utf-8', ...more } = headers
  const all = { ...cacheHeaders(request), ...more, ETag: etag }
  if (hasCurrentVersion(request, etag)) return new Response(null, { status: 304, headers: all })
  return withLength(body, 200, { ...all, 'Content-Type': type })
}

/** A whole public list, as streamed JSON. `fingerprint` is as in `streamText`. */
export const streamReply = (
  request: Request,
  fingerprint: string,
  rows: AsyncIterable<unknown>,
): Promise<Response> =>
  streamText(
    request,
    { type: 'application/json', fingerprint, headers: wholeListHeaders(new URL(request.url)) },
    jsonArray(rows),
  )

type TextFacts = { type: string; fingerprint: string; headers?: Record<string, string> }

/**
 * A long public text, streamed in constant memory.
 * @param fingerprint changes whenever the text does; the build is part of the ETag already
 */
export async function streamText(
  request: Request,
  { type, fingerprint, headers: more = {} }: TextFacts,
  chunks: AsyncIterable<string>,
): Promise<Response> {
  const etag = computeEtag(`${__BUILD_ID__}\n${fingerprint}`)
  const headers = { ...cacheHeaders(request), ...more, ETag: etag }
  if (hasCurrentVersion(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(await toByteStream(chunks), {
    headers: { ...headers, 'Content-Type': `${type}; charset=utf-8` },
  })
}

/**
 * Text as a response body that is produced while it is sent. What fits into its first chunk is read
 * before the headers go out. So a short text is whole, or has the status of its error.
 */
export const toByteStream = async (chunks: AsyncIterable<string>): Promise<ReadableStream<Uint8Array>> =>
  streamBody(await startStream(inChunks(chunks)))

const chunkCharacters = 64 * 1024

async function* jsonArray(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield '['
  let first = true
  for await (const row of rows) {
    yield first ? JSON.stringify(row) : `,${JSON.stringify(row)}`
    first = false
  }
  yield ']'
}

async function* inChunks(chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = ''
  for await (const chunk of chunks) {
    text += chunk
    if (text.length > chunkCharacters) {
      yield encoder.encode(text)
      text = ''
    }
  }
  if (text) yield encoder.encode(text)
}

const limitPattern = /^\d{1,4}$/

/**
 * `?limit=` and `?after=` of the long lists (contract, "Shapes"). Throws INVALID naming the
 * parameter.
 */
export function readPaging(url: URL, maxLimit = 1000): { limit: number | null; after: string | null } {
  const limit = url.searchParams.get('limit')
  if (limit !== null && (!limitPattern.test(limit) || Number(limit) < 1 || Number(limit) > maxLimit)) {
    throw new AppError('INVALID', `limit must be a whole number from 1 to ${maxLimit}.`)
  }
  return { limit: limit === null ? null : Number(limit), after: url.searchParams.get('after') }
}

/** The `Link` header to the next page, when this one is full. */
export function nextLink(url: URL, rows: readonly { id: string }[], limit: number): Record<string, string> {
  const last = rows.at(-1)
  if (!last || rows.length < limit) return {}
  const next = new URLSearchParams(url.searchParams)
  next.set('after', last.id)
  return { Link: `<${url.pathname}?${next}>; rel="next"` }
}
