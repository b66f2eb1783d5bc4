import { paths } from '#domain/paths.ts'
import { AppError } from '#domain/errors.ts'
import { toAppError } from '#server/errors.ts'
import { isUnexpected, statusOfCalls } from '#server/trpc/init.ts'
import { appRouter } from '#server/trpc/router.ts'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { cacheControl } from '../../http/cache.server.ts'
import { plainError } from '../../http/plain-error.server.ts'
import { readBounded } from '../../http/read-bounded.server.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { logOutage } from '../../http/log-outage.server.ts'
import type { Route } from './+types/trpc'

const endpoint = paths.trpc
const maxCalls = 20
const maxUrlCharacters = 8000
const maxBodyBytes = 1024 * 1024
const jsonType = /^application\/json\s*(;|$)/i

/**
 * The back office's tRPC endpoint. Batches are small. The back office sends every call as POST with
 * its input as JSON in the body. A query is also accepted as GET with its input in the URL.
 */
async function answer({ request, context }: Route.LoaderArgs | Route.ActionArgs): Promise<Response> {
  const { ctx } = context.get(requestContext)
  try {
    return await fetchRequestHandler({
      endpoint,
      req: await bounded(request, ctx.user !== null),
      router: appRouter,
      createContext: () => ctx,
      // Queries may be sent as POST, so that search terms stay out of URLs.
      allowMethodOverride: true,
      responseMeta: ({ errors, info }) => {
        const status = statusOfCalls(errors, info?.calls.length ?? 0)
        return {
          headers: { 'Cache-Control': cacheControl('private') },
          ...(status !== undefined && { status }),
        }
      },
      onError: ({ error, path }) => {
        logOutage(ctx, error.cause)
        if (isUnexpected(error))
          ctx.log.error({ err: error.cause ?? error, requestId: ctx.requestId, path }, 'call failed')
      },
    })
  } catch (error) {
    return plainError(toAppError(error))
  }
}

/**
 * The request with its body read. Throws TOO_LARGE for a batch or body above the limits,
 * UNSUPPORTED_TYPE for anything but JSON, BAD_REQUEST for a malformed path. A visitor's body is not
 * read: every procedure refuses visitors before it reads its input.
 */
async function bounded(request: Request, isSignedIn: boolean): Promise<Request> {
  if (request.url.length > maxUrlCharacters || callsOf(request.url) > maxCalls) {
    throw new AppError('TOO_LARGE', `A batch can have at most ${maxCalls} calls.`)
  }
  if (request.method === 'GET' || request.method === 'HEAD') return request
  if (request.method !== 'POST') throw new AppError('METHOD_NOT_ALLOWED')
  if (!jsonType.test(request.headers.get('content-type') ?? '')) throw new AppError('UNSUPPORTED_TYPE')
  const body = isSignedIn ? await readBounded(request, maxBodyBytes) : '{}'
  return new Request(request.url, { method: 'POST', headers: request.headers, body })
}

/** How many procedures a URL names. Their commas can be encoded as %2C. */
function callsOf(url: string): number {
  try {
    return decodeURIComponent(new URL(url).pathname).split(',').length
  } catch (cause) {
    throw new AppError('BAD_REQUEST', undefined, { cause })
  }
}

export const loader = answer
export const action = answer
