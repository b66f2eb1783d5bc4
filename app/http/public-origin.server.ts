import type { Env } from '#server/env.ts'
import { withoutCampaign } from './campaign-params.ts'

/**
 * The request with the URL that the browser sees, without a campaign's parameters: behind TLS, the
 * socket's URL has http and an internal host. The URL is set part by part, because `//evil.example`
 * appended to an origin would become a host.
 */
export function fromPublicOrigin(request: Request, env: Pick<Env, 'publicOrigin'>): Request {
  const { pathname, search } = new URL(request.url)
  const url = new URL(env.publicOrigin)
  url.pathname = routablePath(pathname)
  url.search = withoutCampaign(search)
  return new Request(url, request)
}

/**
 * None of our paths is this deep. React Router's matching is quadratic in the depth: seconds at 15
 * kB.
 */
const maxDepth = 20

/**
 * Encodes a path that is malformed or too deep, so that it becomes an ordinary path without a
 * route.
 */
function routablePath(pathname: string): string {
  if (pathname.split('/').length > maxDepth) return `/${encodeURIComponent(pathname)}`
  return isDecodable(pathname) ? pathname : pathname.replaceAll('%', '%25')
}

function isDecodable(pathname: string): boolean {
  try {
    // The result must be used, or the bundler drops the call as free of side effects.
    return decodeURIComponent(pathname) !== ''
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}
