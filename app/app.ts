import { whenDurable } from '#db/engine/client.ts'
import { AppError } from '#domain/errors.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { fastPathsEnabled } from '#domain/fast-paths.ts'
import { toAppError } from '#server/errors.ts'
import { recordAccessRefusals } from '#server/accounts/record-refusal.ts'
import { isTracing } from '#server/tracing.ts'
import { Hono } from 'hono'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { resolve } from 'node:path'
import type { ServerBuild } from 'react-router'
import * as build from 'virtual:react-router/server-build'
import type { AppContext, AppEnv, AppParts } from './app-parts.ts'
import { createMetrics } from './create-metrics.server.ts'
import { busyReply } from './http/busy-reply.server.ts'
import { isPrefetch } from './http/cache.server.ts'
import { isWrite } from './http/choose-reads.server.ts'
import { clientFileRoutes } from './http/client-files.server.ts'
import { cookieEffect, writeMarkHeader } from './http/cookies.server.ts'
import { createContextFactory } from './http/create-context-factory.server.ts'
import { explainRefusal, mayReadMetrics, metricsReply } from './http/metrics-reply.server.ts'
import { compressStreams, compressWhole } from './http/middleware/compress-replies.ts'
import { createHostTest } from './http/middleware/host.ts'
import { checkQuery } from './http/middleware/query-text.ts'
import { requestIdHeader, resolveRequestId } from './http/middleware/request-id.ts'
import { checkSameOrigin } from './http/middleware/same-origin.ts'
import { setSecurityHeaders } from './http/middleware/security-headers.ts'
import { drainUnreadBody } from './http/middleware/unread-body.ts'
import { newNonce } from './http/page-cache.server.ts'
import { checkPictureRequest } from './http/picture-requests.ts'
import { plainError } from './http/plain-error.server.ts'
import { plainPage, wantsPage } from './http/plain-page.server.ts'
import { readBearer } from './http/read-bearer.ts'
import { classOf, probePaths } from './http/request-class.ts'
import { createRoutePatterns } from './http/route-patterns.ts'
import { traceRequest } from './http/trace-request.server.ts'
import { admitAll } from './http/watch-load.ts'
import { createPageHandler } from './render/page-handler.server.ts'
import { createPageResponses } from './render/page-responses.server.ts'
import { mountResourceRoutes } from './render/resource-routes.server.ts'

const routerBuild = build as ServerBuild

/** The client build, next to the server build. */
export const clientFiles = resolve(import.meta.dirname, '../client')

const metricsPath = '/metrics'

const failedPage = {
  title: 'Something went wrong',
  text: 'Something went wrong on our end. Your cart is saved. Try again in a moment.',
}

/** The whole shop as one `fetch`: guards, static files, then React Router. */
export function createApp(parts: AppParts): Hono<AppEnv> {
  const { env, db, log, admission = admitAll, replica = null } = parts
  const metrics = parts.metrics ?? createMetrics(db, { admission })
  // By default, one path that it cannot combine with others would bring back a slower router.
  const app = new Hono<AppEnv>({ router: new RegExpRouter() })
  const isOurHost = createHostTest(env)
  const patternOf = createRoutePatterns(routerBuild.routes)
  const contextFor = createContextFactory({ ...parts, metrics, replica }, patternOf)
  const handle = createPageHandler(routerBuild, env.mode === 'dev' ? 'development' : 'production')
  const pages = createPageResponses({ env, db, hasReplica: replica !== null, handle })

  const replyToError = (error: unknown, c: AppContext): Response => {
    const appError = toAppError(error)
    if (appError.code === 'INTERNAL')
      log.error({ err: error, requestId: c.get('requestId') }, 'request failed')
    const reply = plainError(appError)
    // Before the router, only a bearer token is refused like this (RFC 6750, section 3). A missing
    // one gets no error code (section 3.1).
    if (appError.code === 'UNAUTHENTICATED' && readBearer(c.req.raw, c.req.path).key !== '')
      reply.headers.set('WWW-Authenticate', 'Bearer error="invalid_token"')
    // The request failed before the router loaded the session, which the page's header needs.
    return reply.status >= 500 && wantsPage(c.req.raw) ? plainPage(c.req.raw, reply, failedPage) : reply
  }
  app.onError(replyToError)

  app.use((c, next) => {
    if (!isTracing()) return next()
    return traceRequest(
      { route: patternOf(c.req.path), method: c.req.method },
      env.trustedProxyHops > 0 ? c.req.header('traceparent') : undefined,
      async () => {
        await next()
        return c.res.status
      },
    )
  })

  app.use(async (c, next) => {
    const started = performance.now()
    c.set('requestId', resolveRequestId(c.req.raw, env.trustedProxyHops))
    await next()
    const ctx = c.get('ctx')
    if (ctx?.refusals?.size) await recordAccessRefusals(ctx)
    try {
      await whenDurable(db)
    } catch (error) {
      // Otherwise the file behind it would stay open. A read under way must not delay the error.
      void c.res.body?.cancel().catch(() => {})
      // Cleared first: otherwise Hono would add the old response's headers to the error.
      c.res = undefined
      c.res = replyToError(error, c)
    }
    if (replica && (ctx?.writes?.happened || isWrite(c.req))) {
      c.res.headers.append('Set-Cookie', await writeMarkHeader(env))
    }
    // Every 401 needs one (RFC 9110, section 15.5.2). Browsers open no dialog for this scheme.
    if (c.res.status === 401 && !c.res.headers.has('WWW-Authenticate'))
      c.res.headers.set('WWW-Authenticate', 'Bearer')
    if (c.env && !(await drainUnreadBody(c.env.incoming))) c.res.headers.set('Connection', 'close')
    if (c.res !== c.get('completeResponse')) {
      setSecurityHeaders(c.res.headers, c.res.status, env)
      c.res.headers.set(requestIdHeader, c.get('requestId'))
    }
    // The path is logged without its query: a search can reveal health data.
    const { method, path } = c.req
    const elapsed = performance.now() - started
    const ms = Math.round(elapsed)
    const isScrape = path === metricsPath && c.res.status === 200
    const route = isScrape ? metricsPath : patternOf(path)
    metrics.observeRequest({ route, method, status: c.res.status, seconds: elapsed / 1000 })
    // Proxies probe every second. Only a failed probe is worth a line.
    const level = probePaths.has(path) && c.res.status < 400 ? 'debug' : 'info'
    log[level]({ requestId: c.get('requestId'), method, path, status: c.res.status, ms }, 'request')
  })

  // Not in the route table: a visitor who may not read it gets the page of an unknown address. It
  // comes before admission: overload must not hide what the alerts need. And before the host check:
  // a scrape goes to the address of this process, and its refusal is about the token.
  app.get(metricsPath, async (c, next) => {
    const address = c.env?.incoming.socket.remoteAddress ?? null
    if (mayReadMetrics(c.req.raw, env, address)) return metricsReply(metrics)
    const reason = explainRefusal(c.req.raw, env, address)
    if (reason !== null) throw new AppError('NOT_FOUND', reason)
    if (!isOurHost(c.req.raw)) throw new AppError('NOT_FOUND')
    return next()
  })

  app.use(async (c, next) => {
    const { method, path } = c.req
    const requestClass = classOf({ path, route: patternOf(path), method })
    if (admission.admits(requestClass)) return next()
    metrics.countShed(requestClass)
    return busyReply(c.req.raw)
  })

  app.use(async (c, next) => {
    if (!probePaths.has(c.req.path) && !isOurHost(c.req.raw)) throw new AppError('MISDIRECTED')
    checkSameOrigin(c.req.raw, env)
    checkQuery(c.req.raw)
    await next()
  })

  // In development, Vite serves them.
  if (env.mode !== 'dev') app.route('/', clientFileRoutes(clientFiles, db))
  // Clients that ignore the page's icon link request this path.
  app.get('/favicon.ico', (c) => c.redirect('/favicon.svg', 301))
  // A short address for operators. The page itself checks who may see it.
  app.get('/status', (c) => c.redirect(adminPaths.status))
  app.use(async (c, next) => {
    checkPictureRequest(c.req.raw, c.req.path, patternOf)
    await next()
  })
  app.use(pages.answerFromMemory)
  app.use(compressStreams)
  app.use(compressWhole)
  app.use(pages.storeReplies)
  if (fastPathsEnabled()) mountResourceRoutes(app, routerBuild, (c) => contextFor(c, ''))

  app.all('*', async (c) => {
    // Node accepts TRACE, but fetch cannot represent it.
    if (c.req.method === 'TRACE') throw new AppError('METHOD_NOT_ALLOWED')
    // A response that can depend on cookies is not cacheable, so a prefetch would be fetched again
    // on click.
    if (isPrefetch(c.req.raw) && cookieEffect(c.req.raw) !== 'none') {
      return c.body(null, 204, { 'Cache-Control': 'private, no-store', Vary: 'Cookie' })
    }
    return pages.render(c, await contextFor(c, newNonce()))
  })
  return app
}
