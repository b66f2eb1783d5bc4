import { getPoolState, whenDurable, type Db } from '#db/engine/client.ts'
import { getReplicaPoolState, getReplicaState, type Replica } from '#db/engine/replica.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { fastPathsEnabled } from '#domain/fast-paths.ts'
import { toAppError } from '#server/errors.ts'
import type { Context } from '#server/context.ts'
import type { Env } from '#server/env.ts'
import { recordAccessRefusals } from '#server/accounts/record-refusal.ts'
import { sharedPageVersions } from '#server/catalog/get-page-versions.ts'
import { authenticateKey } from '#server/api-keys/authenticate-key.ts'
import { getSession } from '#server/accounts/get-session.ts'
import { getSessionRules } from '#server/accounts/session-rules.ts'
import { prometheusMetrics } from '#server/integrations/metrics/prometheus.ts'
import { getShopGauges } from '#server/monitoring/get-shop-gauges.ts'
import type { Metrics } from '#server/metrics.ts'
import type { Payments } from '#server/integrations/payments/payments.ts'
import { getShopFacts } from '#server/shop-facts.ts'
import type { MalwareScanner } from '#server/integrations/malware/malware-scanner.ts'
import type { PublicFiles } from '#server/integrations/web/public-files.ts'
import type { Storage } from '#server/integrations/storage/storage.ts'
import type { ShopKeys } from '#server/crypto/key-ring.ts'
import type { Logger } from '#server/log.ts'
import { isTracing } from '#server/tracing.ts'
import { getRateLimits } from '#server/rate-limits.ts'
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context as HonoContext } from 'hono'
import { resolve } from 'node:path'
import { RouterContextProvider, type ServerBuild } from 'react-router'
import * as build from 'virtual:react-router/server-build'
import { busyReply } from './http/busy-reply.server.ts'
import { isPrefetch, setCacheRule } from './http/cache.server.ts'
import { isWrite, mayReadReplica } from './http/choose-reads.server.ts'
import { clientFileRoutes } from './http/client-files.server.ts'
import { hasCookies, hasWriteMark, readSessionToken, writeMarkHeader } from './http/cookies.server.ts'
import { mayReadMetrics, metricsReply } from './http/metrics-reply.server.ts'
import { createPageCache, findPageKey, newNonce, type PageRequest } from './http/page-cache.server.ts'
import { plainError } from './http/plain-error.server.ts'
import { readBearer } from './http/read-bearer.ts'
import { fromPublicOrigin } from './http/public-origin.server.ts'
import { classOf } from './http/request-class.ts'
import { createRoutePatterns } from './http/route-patterns.ts'
import { createGuestPages } from './render/guest-pages.server.ts'
import { createPageHandler } from './render/page-handler.server.ts'
import { mountResourceRoutes } from './render/resource-routes.server.ts'
import { renderedPage, requestContext } from './http/request-context.server.ts'
import { plainPage, wantsPage } from './http/plain-page.server.ts'
import { resolveClientAddress } from './http/middleware/client-address.ts'
import { compressStreams, compressWhole } from './http/middleware/compress-replies.ts'
import { createHostCheck } from './http/middleware/host.ts'
import { createKeyLimit } from './http/middleware/limit-keys.ts'
import { createListLimit } from './http/middleware/limit-lists.ts'
import { createWriteLimit } from './http/middleware/limit-writes.ts'
import { checkQuery } from './http/middleware/query-text.ts'
import { resolveRequestId } from './http/middleware/request-id.ts'
import { checkSameOrigin } from './http/middleware/same-origin.ts'
import { contentSecurityPolicy, setSecurityHeaders } from './http/middleware/security-headers.ts'
import { drainUnreadBody } from './http/middleware/unread-body.ts'
import { traceRequest } from './http/trace-request.server.ts'
import { admitAll, type Admission } from './http/watch-load.ts'

export type AppParts = {
  env: Env
  db: Db
  log: Logger
  keys: ShopKeys
  storage: Storage
  scanner: MalwareScanner | null
  publicFiles: PublicFiles
  payments: Payments
  /** By default, metrics of this app alone. */
  metrics?: Metrics
  /** Who is refused under overload. By default, no request is. */
  admission?: Admission
  /** The clock of every request. Tests set it. */
  now?: () => Date
  /** Answers /readyz, so that it waits behind no other request. By default, `db`. */
  probeDb?: Db
  /** Serves reads that tolerate lag. */
  replica?: Pick<Replica, 'reads'> | null
}

/** There are no bindings when a request does not come from a socket, as in tests. */
type AppEnv = {
  Variables: {
    requestId: string
    ctx: Context | undefined
    /** Set when the cache has no response. The one that is made is stored. */
    missedPage: PageRequest | undefined
    /** Set for a guest, who gets a page from memory with a frame of their own. */
    guestPage: PageRequest | undefined
    /** The text of the page, for its compression. */
    page: string | undefined
  }
  Bindings: HttpBindings | undefined
}

const routerBuild = build as ServerBuild

/** The client build, next to the server build. */
export const clientFiles = resolve(import.meta.dirname, '../client')

const metricsPath = '/metrics'

const failedPage = {
  title: 'Something went wrong',
  text: 'Something went wrong on our end. Your cart is saved. Try again in a moment.',
}
const anyHostPaths = new Set(['/healthz', '/readyz'])

/** Metrics of a process, or of one app in a process of several. */
export const createMetrics = (
  db: Db,
  {
    process = false,
    admission = admitAll,
    jobsDb = db,
  }: { process?: boolean; admission?: Admission; jobsDb?: Db } = {},
): Metrics =>
  prometheusMetrics({
    readShop: () => getShopGauges(db, { now: new Date(), version: __BUILD_ID__ }),
    poolStates: () => ({
      requests: getPoolState(db),
      jobs: jobsDb === db ? null : getPoolState(jobsDb),
      replica: getReplicaPoolState(db),
    }),
    pressure: admission.pressure,
    replicaState: () => getReplicaState(db),
    process,
  })

/** The whole shop as one `fetch`: guards, static files, then React Router. */
export function createApp({
  env,
  db,
  log,
  keys,
  storage,
  scanner,
  publicFiles,
  payments,
  admission = admitAll,
  metrics = createMetrics(db, { admission }),
  now = () => new Date(),
  probeDb = db,
  replica = null,
}: AppParts): Hono<AppEnv> {
  const handle = createPageHandler(routerBuild, env.mode === 'dev' ? 'development' : 'production')
  const app = new Hono<AppEnv>()
  const rateLimits = getRateLimits(env)
  const checkHost = createHostCheck(env)
  const limitWrites = createWriteLimit()
  const limitKeys = createKeyLimit()
  const limitLists = createListLimit()
  const sessionRules = getSessionRules(env)
  const shop = getShopFacts(env)
  const patternOf = createRoutePatterns(routerBuild.routes)
  // In development, a page changes with its code.
  const pages = env.pageCacheMb > 0 && env.mode !== 'dev' ? createPageCache(env.pageCacheMb * 2 ** 20) : null
  const readVersions = sharedPageVersions(db)

  const replyToError = (error: unknown, c: HonoContext<AppEnv>): Response => {
    const appError = toAppError(error)
    if (appError.code === 'INTERNAL')
      log.error({ err: error, requestId: c.get('requestId') }, 'request failed')
    const reply = plainError(appError)
    // Failed before the router has a session, which the header needs.
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
      // Assigned alone, the error would get the headers of the response that it replaces.
      c.res = undefined
      c.res = replyToError(error, c)
    }
    if (replica && (ctx?.writes?.happened || isWrite(c.req))) {
      c.res.headers.append('Set-Cookie', await writeMarkHeader(env))
    }
    if (c.env && !(await drainUnreadBody(c.env.incoming))) c.res.headers.set('Connection', 'close')
    setSecurityHeaders(c.res, env)
    c.res.headers.set('X-Request-Id', c.get('requestId'))
    // The path is logged without its query: a search can reveal health data.
    const { method, path } = c.req
    const elapsed = performance.now() - started
    const ms = Math.round(elapsed)
    const isScrape = path === metricsPath && c.res.status === 200
    const route = isScrape ? metricsPath : patternOf(path)
    metrics.observeRequest({ route, method, status: c.res.status, seconds: elapsed / 1000 })
    log.info({ requestId: c.get('requestId'), method, path, status: c.res.status, ms }, 'request')
  })

  // Not in the route table: a request that may not read it gets the page of an unknown address. It
  // comes before admission: overload must not hide what the alerts need.
  app.get(metricsPath, async (c, next) => {
    const address = c.env?.incoming.socket.remoteAddress ?? null
    return mayReadMetrics(c.req.raw, env, address) ? metricsReply(metrics) : next()
  })

  app.use(async (c, next) => {
    const requestClass = classOf(patternOf(c.req.path), c.req.method)
    if (admission.admits(requestClass)) return next()
    metrics.countShed(requestClass)
    return busyReply(c.req.raw)
  })

  app.use(async (c, next) => {
    if (!anyHostPaths.has(c.req.path)) checkHost(c.req.raw)
    checkSameOrigin(c.req.raw, env)
    checkQuery(c.req.raw)
    await next()
  })

  // In development, Vite serves them.
  if (env.mode !== 'dev') app.route('/', clientFileRoutes(clientFiles, db))
  // Clients that ignore the page's icon link request this path.
  app.get('/favicon.ico', (c) => c.redirect('/favicon.svg', 301))
  /** Adds the policy of a page, which has its nonce. A 304 keeps the one of the stored page. */
  const withPolicy = (response: Response, nonce: string, path: string): Response => {
    if (response.status !== 304 && response.headers.get('content-type')?.startsWith('text/html')) {
      response.headers.set('Content-Security-Policy', contentSecurityPolicy(nonce, env, path))
    }
    return response
  }

  // Before the compression: a cached response brings its own.
  app.use(async (c, next) => {
    const key = pages && findPageKey(c.req.raw, c.req.path, { api: replica === null })
    // Read before the data. If they cannot be read, the request reports the outage itself.
    const versions = key && (await readVersions().catch(() => null))
    if (!pages || !key || !versions) return next()
    if (key.isGuest) {
      c.set('guestPage', { request: c.req.raw, key, versions })
      return next()
    }
    const cached = pages.find(c.req.raw, key, versions)
    if (cached) return withPolicy(cached.response, cached.nonce, c.req.path)
    c.set('missedPage', { request: c.req.raw, key, versions })
    return next()
  })
  app.use(compressStreams)
  app.use(compressWhole)
  // Stores replies of the API. Pages are stored below, with their nonce.
  app.use(async (c, next) => {
    await next()
    const missed = c.get('missedPage')
    const { res } = c
    if (!pages || !missed || !res.headers.get('content-type')?.startsWith('application/json')) return
    if (Number(res.headers.get('content-length')) > pages.maxEntryBytes) return
    const text = await res.text()
    const response = new Response(text, { status: res.status, headers: res.headers })
    pages.store(missed, { response, text, nonce: null })
    c.res = undefined
    c.res = response
  })

  /** An API key in place of the session, or the session. */
  const findCaller = async (
    request: Request,
    path: string,
    visitor: Omit<Context, 'user'>,
  ): Promise<SessionUser | null> => {
    // These routes stand in for a payment provider, which has no session here.
    if (path.startsWith('/demo-payments/')) return null
    const bearer = readBearer(request, path)
    if (bearer.key !== null) {
      const call = { key: bearer.key, method: request.method, route: patternOf(path) }
      return authenticateKey(visitor, call, sessionRules)
    }
    if (bearer.ignoresSession) return null
    return getSession(visitor, await readSessionToken(request, env), sessionRules)
  }

  const contextFor = async (c: HonoContext<AppEnv>, nonce: string): Promise<RouterContextProvider> => {
    const clientAddress = resolveClientAddress(
      c.req.header('x-forwarded-for') ?? null,
      c.env?.incoming.socket.remoteAddress ?? null,
      env.trustedProxyHops,
    )
    const visitor: Omit<Context, 'user'> = {
      db: c.req.path === '/readyz' ? probeDb : db,
      reads: db,
      now: now(),
      requestId: c.get('requestId'),
      log,
      keys,
      storage,
      scanner,
      publicFiles,
      payments,
      shop,
      clientAddress,
      userAgent: c.req.header('user-agent') ?? null,
      refusals: new Set(),
      writes: { happened: false },
      rateLimits,
      metrics,
    }
    const { method, path } = c.req
    const user = await findCaller(c.req.raw, path, visitor)
    const mayLag =
      replica !== null &&
      // The cache keeps it under the primary's version (docs/decisions/0040-page-cache.md).
      !c.get('missedPage') &&
      mayReadReplica({
        method,
        path,
        isSignedIn: user !== null,
        hasWriteMark: await hasWriteMark(c.req.raw, env),
        isBrowser: c.req.header('sec-fetch-site') !== undefined,
      })
    const ctx: Context = { ...visitor, user, ...(mayLag && { reads: replica.reads }) }
    c.set('ctx', ctx)
    limitKeys(ctx)
    limitWrites(c.req.raw, ctx)
    limitLists(c.req, ctx)
    const context = new RouterContextProvider()
    context.set(requestContext, { ctx, env, nonce })
    return context
  }

  /** Handles a request with React Router, and stores a page that was not in memory. */
  const renderAndStore = async (
    request: Request,
    context: RouterContextProvider,
    missed: PageRequest | undefined,
  ): Promise<{ response: Response; page: string | null }> => {
    const routed = await handle(fromPublicOrigin(request, env), context)
    const page = context.get(renderedPage)
    if (page === null) return { response: routed, page }
    const response = new Response(page, { status: routed.status, headers: routed.headers })
    const { nonce } = context.get(requestContext)
    if (pages && missed) pages.store(missed, { response, text: page, nonce })
    return { response, page }
  }

  const findForGuest = pages && createGuestPages({ pages, env, db, renderAndStore })

  if (fastPathsEnabled()) mountResourceRoutes(app, routerBuild, (c) => contextFor(c, ''))

  app.all('*', async (c) => {
    // Node accepts TRACE, but fetch cannot represent it.
    if (c.req.method === 'TRACE') throw new AppError('METHOD_NOT_ALLOWED')
    // A response to a request with cookies is not cacheable, so a prefetch would be fetched again
    // on click.
    if (isPrefetch(c.req.raw) && hasCookies(c.req.raw)) {
      return c.body(null, 204, { 'Cache-Control': 'private, no-store', Vary: 'Cookie' })
    }
    const nonce = newNonce()
    const context = await contextFor(c, nonce)
    const guestPage = c.get('guestPage')
    const found = guestPage && (await findForGuest?.(guestPage, context))
    if (found) return withPolicy(found.response, found.nonce, c.req.path)
    const missed = c.get('missedPage')
    const { response, page } = await renderAndStore(c.req.raw, context, missed)
    // From memory at once, so that it is compressed only once.
    const stored = pages && missed && pages.find(c.req.raw, missed.key, missed.versions)
    if (stored) return withPolicy(stored.response, stored.nonce, c.req.path)
    withPolicy(response, nonce, c.req.path)
    // Pages set their own cache rule. Data requests and redirects after forms are as personal as
    // pages.
    if (!response.headers.has('Cache-Control')) setCacheRule(response.headers, c.req.raw, response.status)
    if (page !== null) c.set('page', page)
    return response
  })
  return app
}
