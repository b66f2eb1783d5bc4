import { fastPathsEnabled } from '#domain/fast-paths.ts'
import { memoize } from '#domain/memoize.ts'
import { createRequestHandler, type RequestHandler, type ServerBuild } from 'react-router'
import { pagePath } from '../http/route-patterns.ts'
import { retryHeaders } from '../http/retry-headers.ts'

type Routes = ServerBuild['routes']

/**
 * The first segment of a path as React Router compares it: decoded, in lower case, and without the
 * suffix of data requests. Null when only React Router can tell.
 */
export function firstSegment(pathname: string): string | null {
  if (pathname.includes('//')) return null
  const [, segment = ''] = pagePath(pathname).split('/', 2)
  try {
    return decodeURIComponent(segment).toLowerCase()
  } catch {
    return null
  }
}

/** Whether a route's own path can start with the segment. A path with parameters matches any. */
function canStartWith(path: string, segment: string): boolean {
  const [first = ''] = path.split('/', 1)
  return first === '*' || first.startsWith(':') || first.endsWith('?') || first.toLowerCase() === segment
}

/**
 * The routes that can match a path with this first segment: layouts and the home page always. The
 * browser needs both to know that the root alone is not a page.
 */
export function routesUnder(routes: Routes, segment: string): Routes {
  /** The first path on the way from the root to the route. */
  const outermostPath = (id: string | undefined): string | undefined => {
    const route = id === undefined ? undefined : routes[id]
    return route && (outermostPath(route.parentId) || route.path)
  }
  return Object.fromEntries(
    Object.entries(routes).filter(([id]) => {
      const path = outermostPath(id)
      return !path || canStartWith(path, segment)
    }),
  )
}

/** Any form can be refused for a while: a limit, a payment provider or a database that is away. */
const withRetryHeaders = (routes: Routes): Routes =>
  Object.fromEntries(
    Object.entries(routes).map(([id, route]) => [
      id,
      route && { ...route, module: { headers: retryHeaders, ...route.module } },
    ]),
  )

/**
 * Handles requests for pages. React Router compares a path with all routes in turn, several times
 * for each page. So each first segment has a handler of its own, which knows only its routes.
 */
export function createPageHandler(given: ServerBuild, mode: 'development' | 'production'): RequestHandler {
  const build = { ...given, routes: withRetryHeaders(given.routes) }
  const handleAny = createRequestHandler(build, mode)
  if (mode === 'development' || !fastPathsEnabled()) return handleAny
  const segments = new Set(
    Object.values(build.routes).flatMap((route) =>
      route?.path ? (firstSegment(`/${route.path}`) ?? []) : [],
    ),
  )
  // Each is made by its first request: a start needs none of them.
  const handlerOf = memoize(
    (segment: string): RequestHandler =>
      createRequestHandler({ ...build, routes: routesUnder(build.routes, segment) }, mode),
    (segment) => segment,
  )
  const manifestPath = build.routeDiscovery.manifestPath ?? '/__manifest'
  return (request, context) => {
    const { pathname } = new URL(request.url)
    const segment = pathname === manifestPath ? null : firstSegment(pathname)
    if (segment === null) return handleAny(request, context)
    // The home page, and what no route names, share one.
    return handlerOf(segments.has(segment) ? segment : '')(request, context)
  }
}
