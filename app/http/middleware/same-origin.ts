import { serverPaths } from '#domain/server-paths.ts'
import { AppError } from '#domain/errors.ts'
import type { Env } from '#server/env.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether the method changes nothing. */
export const isSafeMethod = (method: string): boolean => safeMethods.has(method)

/**
 * Authenticated by a signature of the body alone: cookies are ignored, and a browser cannot create
 * one.
 */
const signedPath = serverPaths.stripeWebhook

/**
 * Rejects a write from another site's page. An unsafe method needs `Sec-Fetch-Site` same-origin or
 * none or, without that header, an `Origin` equal to ours. A request with neither header is not
 * from a browser and passes.
 * https://developer.mozilla.org/docs/Web/HTTP/Headers/Sec-Fetch-Site
 */
export function checkSameOrigin(request: Request, env: Env): void {
  if (isSafeMethod(request.method) || new URL(request.url).pathname === signedPath) return
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return
  const origin = request.headers.get('origin')
  if (site === null && (origin === null || isOwnOrigin(origin, request, env))) return
  throw new AppError('FORBIDDEN', 'This request came from another site.')
}

/** Dev and demo accept every loopback name, so a form posted from the requested host is our own. */
const isOwnOrigin = (origin: string, request: Request, env: Env): boolean =>
  origin === env.publicOrigin ||
  (env.mode !== 'production' && origin === `http://${request.headers.get('host')}`)
