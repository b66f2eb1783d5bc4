import { routePaths } from '#tests/support/route-paths.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { paths } from '#domain/paths.ts'
import { serverPaths } from '#domain/server-paths.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { matchPath } from 'react-router'
import { expect, test } from 'vitest'

/** Every path that `paths` can build, with `x` for each argument. */
function builtPaths(group: object): string[] {
  return Object.values(group).flatMap((entry: unknown) => {
    if (typeof entry === 'string') return [entry]
    if (typeof entry === 'function') return [String((entry as (...args: unknown[]) => unknown)('x', {}))]
    return typeof entry === 'object' && entry !== null ? builtPaths(entry) : []
  })
}

/** Documented links to pages that do not exist (docs/settled-decisions.md, "Footer links"). */
const documented404 = ['/otc', '/prescription']

/** Starts of longer paths. */
const prefixes = ['/img/p', '/img/v', '/trpc']

test('every path in `paths`, `adminPaths` and `serverPaths` has a route', () => {
  const built = builtPaths({ paths, adminPaths, serverPaths }).map((path) => path.replace(/[?#].*/, ''))
  expect(built.length).toBeGreaterThan(60)
  const pages = routePaths.filter((route) => !route.endsWith('*'))
  const withoutRoute = built.filter((path) => !pages.some((route) => matchPath(route, path)))
  // Prefixes of generated addresses, and the export of a grid that does not exist.
  expect(withoutRoute.toSorted()).toEqual([...documented404, ...prefixes, '/admin/x.csv'].toSorted())
})

/**
 * Files that name URL prefixes instead of links: the route table, classes of requests, the
 * API's document, crawler rules and the payment stand-in's guard.
 */
const namesPrefixes = new Set([
  'app/routes.ts',
  'app/app.ts',
  'app/http/create-context-factory.server.ts',
  'app/http/plain-page.server.ts',
  'app/http/request-class.ts',
  'app/routes/api/openapi/operations.ts',
  'app/routes/resources/public-pages.ts',
  'server/domain/paths.ts',
  'server/domain/admin-paths.ts',
  'server/domain/server-paths.ts',
])

test('links are built by `paths`, not written as literals', () => {
  const sections = [...new Set(routePaths.map((path) => path.split('/')[1] ?? ''))].filter((name) =>
    /^[a-z-]+$/.test(name),
  )
  const literal = new RegExp(
    `(?:(?:to|href|action)=|[(=:?,[{]\\s*)["'\`]/(?:${sections.join('|')})(?![\\w.*])`,
  )
  const files = ['app', 'server'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => `${folder}/${file}`),
  )
  const literals = files
    .filter((file) => !namesPrefixes.has(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          literal.test(line) && !/^\s*(\/?\*|\/\/|\{\/\*)/.test(line)
            ? [`${file}:${index + 1} ${line.trim()}`]
            : [],
        ),
    )
  expect(literals).toEqual([])
})
