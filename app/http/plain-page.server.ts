import styles from '../app.css?url'
import { readTheme } from './cookies.server.ts'

/** Whether a browser shows the reply to this request as a page. */
export const wantsPage = (request: Request): boolean =>
  (request.headers.get('accept')?.includes('text/html') ?? false) &&
  !new URL(request.url).pathname.startsWith('/api/')

type PlainPage = { title: string; text: string }

/**
 * A page with one message in place of an error's sentence, without React: there is no time for it,
 * or no session to render the header for.
 */
export function plainPage(request: Request, { status, headers }: Response, page: PlainPage): Response {
  headers.set('Content-Type', 'text/html; charset=utf-8')
  headers.set('Content-Security-Policy', "default-src 'none'; style-src 'self'; font-src 'self'")
  return new Response(render(page, status, readTheme(request)), { status, headers })
}

/** The empty address is the page's own, with its query. */
const render = ({ title, text }: PlainPage, status: number, theme: string): string => `<!doctype html>
<html lang="en" data-theme="pharma-${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} | Meridian</title>
<link rel="stylesheet" href="${styles}">
</head>
<body>
<main class="page max-w-2xl py-16 text-center">
<p class="text-sm font-semibold text-muted">Error ${status}</p>
<h1 class="mt-1 text-2xl">${title}</h1>
<p class="mx-auto mt-3 max-w-prose text-muted">${text}</p>
<p class="mt-6"><a class="link" href="">Try again</a></p>
</main>
</body>
</html>
`
