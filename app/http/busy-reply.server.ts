import { AppError, httpStatus } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import styles from '../app.css?url'
import { readTheme } from './cookies.server.ts'
import { plainError } from './plain-error.server.ts'

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

/**
 * The 503 of a request that the shop has no time for: a page for a browser that shows one, the
 * back office's error for its calls, otherwise one plain sentence. It is written without React,
 * because refusing must cost far less than answering.
 */
export function busyReply(request: Request): Response {
  const reply = plainError(error)
  const { pathname } = new URL(request.url)
  if (pathname.startsWith(`${paths.trpc}/`)) return withBody(reply, failedCall, 'application/json')
  const isPage = request.headers.get('accept')?.includes('text/html') && !pathname.startsWith('/api/')
  return isPage ? withBody(reply, busyPage(readTheme(request)), 'text/html; charset=utf-8') : reply
}

function withBody({ status, headers }: Response, body: string, type: string): Response {
  headers.set('Content-Type', type)
  if (type.startsWith('text/html')) {
    headers.set('Content-Security-Policy', "default-src 'none'; style-src 'self'; font-src 'self'")
  }
  return new Response(body, { status, headers })
}

/** The empty address is the page's own, with its query. */
const busyPage = (theme: string): string => `<!doctype html>
<html lang="en" data-theme="pharma-${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>The shop is very busy | Meridian</title>
<link rel="stylesheet" href="${styles}">
</head>
<body>
<main class="page max-w-2xl py-16 text-center">
<p class="text-sm font-semibold text-muted">Error 503</p>
<h1 class="mt-1 text-2xl">The shop is very busy</h1>
<p class="mx-auto mt-3 max-w-prose text-muted">Nothing was changed, and your cart is saved. Try again in a few seconds.</p>
<p class="mt-6"><a class="link" href="">Try again</a></p>
</main>
</body>
</html>
`
