import { AppError } from '#domain/errors.ts'
import type { Context, Env, Hono } from 'hono'
import type { ActionFunction, LoaderFunction, RouterContextProvider, ServerBuild } from 'react-router'
import { plainError } from '../http/plain-error.server.ts'
import { fullPath } from '../http/route-patterns.ts'

const resourceFolders = /^routes\/(api|resources)\//

/**
 * Calls resource routes straight from Hono. They render no page, and React Router's matching,
 * middleware and data strategy cost several times what the routes do
 * (docs/decisions/0008-resource-routes.md). Their modules, URLs and arguments are the ones of
 * `routes.ts`, so React Router can serve any of them instead.
 */
export function mountResourceRoutes<E extends Env>(
  app: Hono<E>,
  build: ServerBuild,
  contextFor: (c: Context<E>) => Promise<RouterContextProvider>,
): void {
  for (const route of Object.values(build.routes)) {
    if (!route || !resourceFolders.test(route.id)) continue
    const { loader, action } = route.module as { loader?: LoaderFunction; action?: ActionFunction }
    app.all(fullPath(build.routes, route.id), async (c) => {
      const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
      const handler = isRead ? loader : action
      if (!handler) return plainError(new AppError('METHOD_NOT_ALLOWED'))
      const args = { request: c.req.raw, params: c.req.param(), context: await contextFor(c) }
      return (await (handler as (args: unknown) => Promise<Response>)(args)) satisfies Response
    })
  }
}
