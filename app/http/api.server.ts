import { AppError } from '#domain/errors.ts'
import { toAppError } from '#server/errors.ts'
import type { Context } from '#server/context.ts'
import type { Env } from '#server/env.ts'
import { Readable } from 'node:stream'
import type { RouterContextProvider } from 'react-router'
import { cacheControl } from './cache.server.ts'
import { callerHas, etagOf } from './etag.server.ts'
import { plainError } from './plain-error.server.ts'
import { requestContext } from './request-context.server.ts'
import { streamBody } from './stream-body.server.ts'
import { warnOfOutage } from './log-outage.server.ts'

type ApiArgs = {
  request: Request
  params: Record<string, string | undefined>
  context: Readonly<RouterContextProvider>
}
/** What a call brings besides its context. */
export type ApiRequest = { url: URL; params: Record<string, string | undefined>; request: Request; env: Env }

/** The reading door of a use case under /api: errors become one plain sentence, another method 405. */
export const apiLoader =
  (answer: (ctx: Context, request: ApiRequest) => Promise<Response>) =>
  async ({ request, params, context }: ApiArgs): Promise<Response> => {
    const { ctx, env } = context.get(requestContext)
    try {
      return await answer(ctx, { request, params, url: new URL(request.url), env })
    } catch (error) {
      const appError = toAppError(error)
      warnOfOutage(ctx, error)
      if (appError.code === 'INTERNAL') ctx.log.error({ err: error, requestId: ctx.requestId }, 'call failed')
      return plainError(appError)
    }
  }

/** An answer about a person or for admins alone, which nobody keeps. */
export const privateReply = (value: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  withLength(JSON.stringify(value), status, {
    'Content-Type': 'application/json',
    ...headers,
    'Cache-Control': cacheControl(false),
  })

/** Told its length, a short answer is known to be too short to compress, and is written as it is instead of as a stream. */
const withLength = (body: string, status: number, headers: Record<string, string>): Response =>
  new Response(body, {
    status,
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
  })

/** A list about people, written as it is read: its first batch is read before it is answered, so what stands against it is told. */
export async function privateStream(rows: AsyncGenerator): Promise<Response> {
  const first = await rows.next()
  const all = async function* () {
    if (!first.done) yield first.value
    yield* rows
  }
  return new Response(streamOf(jsonArray(all())), {
    headers: {
      'Cache-Control': cacheControl(false),
      'Content-Type': 'application/json; charset=utf-8',
    },
  })
}

/** What a path answers to the methods it has not. */
export const onlyMethods =
  (...methods: string[]) =>
  async (): Promise<Response> => {
    const response = plainError(new AppError('METHOD_NOT_ALLOWED'))
    response.headers.set('Allow', methods.join(', '))
    return response
  }

const cacheHeaders = (request: Request): Record<string, string> => ({
  'Cache-Control': cacheControl(!request.headers.has('cookie')),
  Vary: 'Cookie',
})

/** A public object or list: with an ETag of its bytes, 304 when the caller has it. */
export const jsonReply = (request: Request, value: unknown, headers: Record<string, string> = {}): Response =>
  textReply(request, JSON.stringify(value), { 'Content-Type': 'application/json; charset=utf-8', ...headers })

/** The same of a text, which is plain unless its headers say otherwise. */
export function textReply(request: Request, body: string, headers: Record<string, string> = {}): Response {
  const etag = etagOf(body)
  const { 'Content-Type': type = 'text/plain; charset=utf-8', ...more } = headers
  const all = { ...cacheHeaders(request), ...more, ETag: etag }
  if (callerHas(request, etag)) return new Response(null, { status: 304, headers: all })
  return withLength(body, 200, { ...all, 'Content-Type': type })
}

/** A whole list as JSON, written as it is read. `fingerprint` is as in `streamText`. */
export const streamReply = (request: Request, fingerprint: string, rows: AsyncIterable<unknown>): Response =>
  streamText(request, { type: 'application/json', fingerprint }, jsonArray(rows))

/**
 * A long public text, written as it is read: memory stays the same however long it is.
 * @param fingerprint what changes whenever the text does; another build may write the same otherwise
 */
export function streamText(
  request: Request,
  { type, fingerprint }: { type: string; fingerprint: string },
  pieces: AsyncIterable<string>,
): Response {
  const etag = etagOf(`${__BUILD_ID__}\n${fingerprint}`)
  const headers = { ...cacheHeaders(request), ETag: etag }
  if (callerHas(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(streamOf(pieces), {
    headers: { ...headers, 'Content-Type': `${type}; charset=utf-8` },
  })
}

/** A text as a body that is read from as it is sent. */
export const streamOf = (pieces: AsyncIterable<string>): ReadableStream<Uint8Array> =>
  streamBody(Readable.from(inChunks(pieces), { objectMode: false }))

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

async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length > chunkCharacters) {
      yield encoder.encode(text)
      text = ''
    }
  }
  if (text) yield encoder.encode(text)
}

const limitPattern = /^\d{1,4}$/

/** `?limit=` and `?after=` of the long lists (contract, "Shapes"). Throws INVALID naming the parameter. */
export function readPaging(url: URL, maxLimit = 1000): { limit: number | null; after: string | null } {
  const limit = url.searchParams.get('limit')
  if (limit !== null && (!limitPattern.test(limit) || Number(limit) < 1 || Number(limit) > maxLimit)) {
    throw new AppError('INVALID', `limit must be a whole number from 1 to ${maxLimit}.`)
  }
  return { limit: limit === null ? null : Number(limit), after: url.searchParams.get('after') }
}

/** The `Link` header to the page after this one, when this one is full. */
export function nextLink(url: URL, rows: readonly { id: string }[], limit: number): Record<string, string> {
  const last = rows.at(-1)
  if (!last || rows.length < limit) return {}
  const next = new URLSearchParams(url.searchParams)
  next.set('after', last.id)
  return { Link: `<${url.pathname}?${next}>; rel="next"` }
}
