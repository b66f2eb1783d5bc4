import { paths } from '#domain/paths.ts'
import { AppError } from '#domain/errors.ts'
import type { Env } from '#server/env.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Believes nothing but a signature of the body: no cookie counts there, and nobody's browser can make one. */
const signedPath = paths.stripeWebhook

/**
 * Refuses a write that another site's page sent: an unsafe method needs `Sec-Fetch-Site` same-origin or none,
 * else an `Origin` equal to ours; neither header means no browser.
 * https://developer.mozilla.org/docs/Web/HTTP/Headers/Sec-Fetch-Site
 */
export function checkSameOrigin(request: Request, env: Env): void {
  if (safeMethods.has(request.method) || new URL(request.url).pathname === signedPath) return
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return
  const origin = request.headers.get('origin')
  if (site === null && (origin === null || isOwnOrigin(origin, request, env))) return
  throw new AppError('FORBIDDEN', 'This request came from another site.')
}

/** Dev and demo answer on every loopback name, so a form posted from the one that is asked is our own. */
const isOwnOrigin = (origin: string, request: Request, env: Env): boolean =>
  origin === env.publicOrigin ||
  (env.mode !== 'production' && origin === `http://${request.headers.get('host')}`)
