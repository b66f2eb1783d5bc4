import type { Db } from '#db/engine/client.ts'
import { AppError } from '#domain/errors.ts'
import { toAppError } from '#server/errors.ts'
import type { Context } from '#server/context.ts'
import type { Env } from '#server/env.ts'
import { readSession } from '#server/accounts/get-session.ts'
import { sessionRulesOf } from '#server/accounts/session-rules.ts'
import type { Payments } from '#server/integrations/payments/payments.ts'
import { shopFactsOf } from '#server/shop-facts.ts'
import type { Storage } from '#server/integrations/storage/storage.ts'
import type { ShopKeys } from '#server/crypto/key-ring.ts'
import type { Logger } from '#server/log.ts'
import { rateLimitsOf } from '#server/rate-limits.ts'
import type { HttpBindings } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { compress } from 'hono/compress'
import { Hono, type Context as HonoContext } from 'hono'
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import * as build from 'virtual:react-router/server-build'
import { isPrefetch, setCacheRule } from './http/cache.server.ts'
import { readSessionToken } from './http/cookies.server.ts'
import { plainError } from './http/plain-error.server.ts'
import { mountResourceRoutes } from './render/resource-routes.server.ts'
import { renderedPage, requestContext } from './http/request-context.server.ts'
import { clientAddressOf } from './http/middleware/client-address.ts'
import { checkHost } from './http/middleware/host.ts'
import { requestIdOf } from './http/middleware/request-id.ts'
import { checkSameOrigin } from './http/middleware/same-origin.ts'
import { contentSecurityPolicy, setSecurityHeaders } from './http/middleware/security-headers.ts'
import { dropUnreadBody } from './http/middleware/unread-body.ts'

export type AppParts = {
  env: Env
  db: Db
  log: Logger
  keys: ShopKeys
  storage: Storage
  payments: Payments
  /** The clock of every request; tests set it. */
  now?: () => Date
}

/** The bindings are missing where a request comes from no socket: in tests. */
type AppEnv = { Variables: { requestId: string }; Bindings: HttpBindings | undefined }

const routerBuild = build as ServerBuild
const newNonce = (): string => randomBytes(16).toString('base64url')

/** The browser's files, beside the built server. */
const clientFiles = resolve(import.meta.dirname, '../client')

const answerAnyHost = new Set(['/healthz', '/readyz'])

/** The whole shop behind one `fetch`: guards, static files, then React Router. */
export function createApp({
  env,
  db,
  log,
  keys,
  storage,
  payments,
  now = () => new Date(),
}: AppParts): Hono<AppEnv> {
  const handle = createRequestHandler(routerBuild, env.mode === 'dev' ? 'development' : 'production')
  const app = new Hono<AppEnv>()
  const rateLimits = rateLimitsOf(env)
  const sessionRules = sessionRulesOf(env)
  const shop = shopFactsOf(env)

  app.onError((error, c) => {
    const appError = toAppError(error)
    if (appError.code === 'INTERNAL')
      log.error({ err: error, requestId: c.get('requestId') }, 'request failed')
    return plainError(appError)
  })

  app.use(async (c, next) => {
    const started = performance.now()
    c.set('requestId', requestIdOf(c.req.raw))
    await next()
    if (c.env && !(await dropUnreadBody(c.env.incoming))) c.res.headers.set('Connection', 'close')
    setSecurityHeaders(c.res.headers, env)
    c.res.headers.set('X-Request-Id', c.get('requestId'))
    // The path without its query: a search may say something about health.
    const { method, path } = c.req
    const ms = Math.round(performance.now() - started)
    log.info({ requestId: c.get('requestId'), method, path, status: c.res.status, ms }, 'request')
  })

  app.use(async (c, next) => {
    if (!answerAnyHost.has(c.req.path)) checkHost(c.req.raw, env)
    checkSameOrigin(c.req.raw, env)
    await next()
  })

  const files = (cacheControl: string) =>
    serveStatic({
      root: clientFiles,
      precompressed: true,
      onFound: (_, c) => c.header('Cache-Control', cacheControl),
    })
  // While developing, Vite serves them.
  if (env.mode !== 'dev') {
    app.use('/assets/*', files('public, max-age=31536000, immutable'))
    app.use('/favicon.svg', files('public, max-age=86400'))
    app.use('/share.png', files('public, max-age=86400'))
  }
  // Asked for by whatever does not read the page's own link to it.
  app.get('/favicon.ico', (c) => c.redirect('/favicon.svg', 301))
  app.use(compress())

  const contextFor = async (c: HonoContext<AppEnv>, nonce: string): Promise<RouterContextProvider> => {
    const clientAddress = clientAddressOf(
      c.req.header('x-forwarded-for') ?? null,
      c.env?.incoming.socket.remoteAddress ?? null,
      env.trustedProxyHops,
    )
    const visitor: Omit<Context, 'user'> = {
      db,
      now: now(),
      requestId: c.get('requestId'),
      log,
      keys,
      storage,
      payments,
      shop,
      clientAddress,
      rateLimits,
    }
    const user = c.req.path.startsWith('/demo-payments/')
      ? // Played for a provider, who knows nobody's session here.
        null
      : await readSession(visitor, await readSessionToken(c.req.raw, env), sessionRules)
    const ctx: Context = { ...visitor, user }
    const context = new RouterContextProvider()
    context.set(requestContext, { ctx, env, nonce })
    return context
  }

  mountResourceRoutes(app, routerBuild, (c) => contextFor(c, ''))

  app.all('*', async (c) => {
    // Node takes it, but fetch knows no such request, so none can be handed on.
    if (c.req.method === 'TRACE') throw new AppError('METHOD_NOT_ALLOWED')
    // With a cookie nothing may be kept, so whatever was fetched ahead would be fetched again at the click.
    if (isPrefetch(c.req.raw) && c.req.raw.headers.has('cookie')) {
      return c.body(null, 204, { 'Cache-Control': 'private, no-store', Vary: 'Cookie' })
    }
    const nonce = newNonce()
    const context = await contextFor(c, nonce)
    const answer = await handle(fromPublicOrigin(c.req.raw, env), context)
    const page = context.get(renderedPage)
    const response = page === null ? answer : new Response(page, answer)
    if (response.status !== 304 && response.headers.get('content-type')?.startsWith('text/html')) {
      response.headers.set('Content-Security-Policy', contentSecurityPolicy(nonce, env, c.req.path))
    }
    // Pages say it themselves; a page's data and where a form leads to are as much about a person.
    if (!response.headers.has('Cache-Control')) setCacheRule(response.headers, c.req.raw, response.status)
    return response
  })
  return app
}

/**
 * The request as a browser sees it: behind TLS the socket's own URL would say http and an inner host. Set part by
 * part, for joined to an origin "//evil.example" would be a host of its own.
 */
function fromPublicOrigin(request: Request, env: Env): Request {
  const { pathname, search } = new URL(request.url)
  const url = new URL(env.publicOrigin)
  url.pathname = namable(pathname)
  url.search = search
  return new Request(url, request)
}

/** No path of ours is as deep; React Router's work grows with the square of the depth, to seconds at 15 kB. */
const maxDepth = 20

/** A path that is no text or that deep names nothing; taken letter by letter it is an ordinary one that nobody has. */
function namable(pathname: string): string {
  if (pathname.split('/').length > maxDepth) return `/${encodeURIComponent(pathname)}`
  return isText(pathname) ? pathname : pathname.replaceAll('%', '%25')
}

function isText(pathname: string): boolean {
  try {
    // Its result must be used: the bundler takes the call for one without effect.
    return decodeURIComponent(pathname) !== ''
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}
