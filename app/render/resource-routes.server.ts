import { AppError } from '#domain/errors.ts'
import type { Context, Env, Hono } from 'hono'
import { METHOD_NAME_ALL } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import { tryDecodeURIComponent } from 'hono/utils/url'
import type { ActionFunction, LoaderFunction, RouterContextProvider, ServerBuild } from 'react-router'
import { plainError } from '../http/plain-error.server.ts'
import { fullPath } from '../http/route-patterns.ts'

type ResourceRoute = { loader?: LoaderFunction; action?: ActionFunction }

const resourceFolders = /^routes\/(api|resources)\//

/**
 * Calls resource routes straight from Hono. They render no page, and React Router's matching,
 * middleware and data strategy cost several times what the routes do
 * (docs/decisions/0008-resource-routes.md). Their modules, URLs and arguments are the ones of
 * `routes.ts`, so React Router can serve any of them instead.
 *
 * They have their own router: the app's, which every request goes through, cannot combine some of
 * their paths.
 */
export function mountResourceRoutes<E extends Env>(
  app: Hono<E>,
  build: ServerBuild,
  contextFor: (c: Context<E>) => Promise<RouterContextProvider>,
): void {
  const router = new TrieRouter<ResourceRoute>()
  for (const route of Object.values(build.routes)) {
    if (!route || !resourceFolders.test(route.id)) continue
    router.add(METHOD_NAME_ALL, fullPath(build.routes, route.id), route.module)
  }
  app.use(async (c, next) => {
    const [[match]] = router.match(METHOD_NAME_ALL, c.req.path)
    if (!match) return next()
    const [{ loader, action }, params] = match
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    const handler = isRead ? loader : action
    if (!handler) return plainError(new AppError('METHOD_NOT_ALLOWED'))
    const args = { request: c.req.raw, params: decodeParams(params), context: await contextFor(c) }
    return (await (handler as (args: unknown) => Promise<Response>)(args)) satisfies Response
  })
}

/** The parameters of a path, decoded as Hono's own `c.req.param()` does. */
const decodeParams = (params: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, tryDecodeURIComponent(String(value))]),
  )
