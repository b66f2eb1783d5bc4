import type { ServerBuild } from 'react-router'

type BuiltRoute = NonNullable<ServerBuild['routes'][string]>
/** What a pattern needs of the built routes. */
type Routes = Readonly<Record<string, Pick<BuiltRoute, 'parentId' | 'path' | 'index'> | undefined>>
type Node = { fixed: Map<string, Node>; param: Node | null; splat: string | null; pattern: string | null }

const newNode = (): Node => ({ fixed: new Map(), param: null, splat: null, pattern: null })

/** A route's full path: its parents' and its own. */
export function fullPath(routes: Routes, id: string): string {
  const route = routes[id]
  if (!route) return ''
  const own = route.path ? `/${route.path}` : ''
  return route.parentId ? fullPath(routes, route.parentId) + own : own
}

/** What requests outside the route table are counted as. */
const staticFile = /^\/(assets\/[^/]+|favicon\.svg|share\.png)$/
const dataSuffix = /(\/_root|\/_index)?\.data$/

/** A page's path, also for its data, which the router loads without the page. */
export const pagePath = (pathname: string): string =>
  pathname.endsWith('.data') ? pathname.replace(dataSuffix, '') : pathname

/**
 * Finds the pattern of a path in the route table, `/products/:id`, with React Router's order: fixed
 * segments before parameters before splats. React Router's own matching takes a hundred times as
 * long, and metrics need it for each request.
 */
export function createRoutePatterns(routes: Routes): (pathname: string) => string {
  const root = newNode()
  for (const id of Object.keys(routes)) {
    const pattern = fullPath(routes, id) || '/'
    // A layout without a path has its children's.
    if (routes[id]?.path === undefined && !routes[id]?.index) continue
    let node = root
    for (const segment of pattern.split('/').filter(Boolean)) {
      if (segment === '*') {
        node.splat = pattern
        break
      }
      if (segment.startsWith(':')) node = node.param ??= newNode()
      else {
        const next = node.fixed.get(segment) ?? newNode()
        node.fixed.set(segment, next)
        node = next
      }
    }
    if (!pattern.endsWith('*')) node.pattern = pattern
  }
  const find = (node: Node, segments: readonly string[], at: number): string | null => {
    const segment = segments[at]
    if (segment === undefined) return node.pattern ?? node.splat
    const fixed = node.fixed.get(segment)
    return (
      (fixed && find(fixed, segments, at + 1)) ??
      (node.param && find(node.param, segments, at + 1)) ??
      node.splat
    )
  }
  return (pathname) => {
    if (staticFile.test(pathname)) return 'static'
    // No route matches an empty segment.
    if (/^\/\/|\/\/+[^/]/.test(pathname)) return '/*'
    const segments = pagePath(pathname).split('/', maxSegments).filter(Boolean)
    return find(root, segments, 0) ?? '/*'
  }
}

/** No pattern is as long. */
const maxSegments = 20
