import routes from '#app/routes.ts'
import { firstSegment, routesUnder } from '#app/render/page-handler.server.ts'
import { routePaths } from '#tests/support/route-paths.ts'
import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router'
import { expect, test } from 'vitest'

type Routes = ServerBuild['routes']
type Entry = { id?: string; path?: string; index?: boolean; file: string; children?: Entry[] }

/** The routes as the build lists them, below a root. */
const builtRoutes = (entries: readonly Entry[], parentId = 'root'): [string, Routes[string]][] =>
  entries.flatMap(({ path, index, file, children = [] }): [string, Routes[string]][] => [
    [file, { id: file, parentId, path, index, module: { default: () => null } }],
    ...builtRoutes(children, file),
  ])
const all: Routes = {
  root: { id: 'root', path: '', module: { default: () => null } },
  ...Object.fromEntries(builtRoutes(routes)),
}

const nest = (some: Routes, parentId?: string): RouteObject[] =>
  Object.values(some).flatMap((route): RouteObject[] => {
    if (!route || route.parentId !== parentId) return []
    const { id, path, index } = route
    return [index ? { id, path, index } : { id, path, children: nest(some, id) }]
  })
const matchIds = (some: RouteObject[], pathname: string): string[] =>
  (matchRoutes(some, pathname) ?? []).map(({ route }) => route.id ?? '')
const everyRoute = nest(all)

const filled = routePaths.filter((path) => path !== '/').map((path) => path.replaceAll(/:\w+|\*/g, 'x1'))

test('the routes of a first segment match every path as all routes do', () => {
  const paths = [
    '/',
    ...filled,
    ...filled.map((path) => `${path}/`),
    ...filled.map((path) => `${path}/beyond/it`),
    ...filled.map((path) => path.toUpperCase()),
    '/%70roducts',
    '/prod%75cts/1',
    '/products.json',
    '/nothing/at/all',
  ]
  const different = paths.filter((path) => {
    const segment = firstSegment(path)
    if (segment === null) return true
    const some = nest(routesUnder(all, segment))
    return matchIds(some, path).join() !== matchIds(everyRoute, path).join()
  })
  expect(different).toEqual([])
})

test('a segment has far fewer routes than the shop', () => {
  const total = Object.keys(all).length
  expect(Object.keys(routesUnder(all, 'faq')).length).toBeLessThan(total / 5)
})

test.each([
  ['/', ''],
  ['/_root.data', ''],
  ['/products.data', 'products'],
  ['/orders/1/_index.data', 'orders'],
  ['/Admin/orders', 'admin'],
  ['/%E0%A4%A', null],
  ['//evil.example/products', null],
])('the first segment of %s is %s', (pathname, segment) => {
  expect(firstSegment(pathname)).toBe(segment)
})
