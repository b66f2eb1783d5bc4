import { AppError, httpStatus } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import { plainError } from './plain-error.server.ts'
import { plainPage, wantsPage } from './plain-page.server.ts'

const retryAfterSeconds = 5
const sentence = 'The shop is very busy. Nothing was changed. Try again in a few seconds.'
const error = new AppError('UNAVAILABLE', sentence, { retryAfter: retryAfterSeconds })

/** What the back office's calls receive, in the shape of their errors (server/trpc/init.ts). */
const failedCall = JSON.stringify({
  error: {
    code: -32_603,
    message: sentence,
    data: {
      code: error.code,
      httpStatus: httpStatus(error.code),
      fields: {},
      retryAfter: retryAfterSeconds,
      current: null,
    },
  },
})

const busyPage = {
  title: 'The shop is very busy',
  text: 'Nothing was changed, and your cart is saved. Try again in a few seconds.',
}

/**
 * The 503 of a request that the shop has no time for: a page for a browser that shows one, the
 * back office's error for its calls, otherwise one plain sentence. It is written without React,
 * because refusing must cost far less than answering.
 */
export function busyReply(request: Request): Response {
  const reply = plainError(error)
  const { pathname } = new URL(request.url)
  if (pathname.startsWith(`${paths.trpc}/`)) {
    reply.headers.set('Content-Type', 'application/json')
    return new Response(failedCall, reply)
  }
  return wantsPage(request) ? plainPage(request, reply, busyPage) : reply
}
