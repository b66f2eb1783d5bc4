import type { Db } from '#db/client.ts'
import { toAppError } from '#server/errors.ts'
import type { Context } from '#server/context.ts'
import type { Env } from '#server/env.ts'
import type { Logger } from '#server/log.ts'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import * as build from 'virtual:react-router/server-build'
import { plainError } from './lib/plain-error.server.ts'
import { requestContext } from './lib/request-context.server.ts'
import { checkHost } from './middleware/host.ts'
import { requestIdOf } from './middleware/request-id.ts'
import { checkSameOrigin } from './middleware/same-origin.ts'
import { contentSecurityPolicy, setSecurityHeaders } from './middleware/security-headers.ts'

export type AppParts = {
  env: Env
  db: Db
  log: Logger
  /** The clock of every request; tests set it. */
  now?: () => Date
}

type AppEnv = { Variables: { requestId: string } }

const answerAnyHost = new Set(['/healthz', '/readyz'])

/** The whole shop behind one `fetch`: guards, static files, then React Router. */
export function createApp({ env, db, log, now = () => new Date() }: AppParts): Hono<AppEnv> {
  const handle = createRequestHandler(
    build as unknown as ServerBuild,
    env.mode === 'dev' ? 'development' : 'production',
  )
  const origins = new Set([env.publicOrigin])
  const app = new Hono<AppEnv>()

  app.use(async (c, next) => {
    const started = performance.now()
    const requestId = requestIdOf(c.req.raw)
    c.set('requestId', requestId)
    try {
      if (!answerAnyHost.has(c.req.path)) checkHost(c.req.raw, env)
      checkSameOrigin(c.req.raw, sameOrigins(c.req.raw, env, origins))
      await next()
    } catch (error) {
      const appError = toAppError(error)
      if (appError.code === 'INTERNAL') log.error({ err: error, requestId }, 'request failed')
      c.res = plainError(appError)
    }
    setSecurityHeaders(c.res.headers, env)
    c.res.headers.set('X-Request-Id', requestId)
    // The path without its query: a search may say something about health.
    log.info(
      {
        requestId,
        method: c.req.method,
        path: c.req.path,
        status: c.res.status,
        ms: Math.round(performance.now() - started),
      },
      'request',
    )
  })

  app.use(
    '/assets/*',
    serveStatic({
      root: './build/client',
      onFound: (_, c) => c.header('Cache-Control', 'public, max-age=31536000, immutable'),
    }),
  )
  app.use(
    '/favicon.svg',
    serveStatic({
      root: './build/client',
      onFound: (_, c) => c.header('Cache-Control', 'public, max-age=86400'),
    }),
  )

  app.all('*', async (c) => {
    const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url')
    const ctx: Context = { db, now: now(), requestId: c.get('requestId'), log }
    const context = new RouterContextProvider()
    context.set(requestContext, { ctx, env, nonce })
    const response = await handle(fromPublicOrigin(c.req.raw, env), context)
    if (response.status !== 304 && response.headers.get('content-type')?.startsWith('text/html')) {
      response.headers.set('Content-Security-Policy', contentSecurityPolicy(nonce, env))
    }
    return response
  })
  return app
}

/** Dev and demo answer on every loopback name, so a form posted from one of them is our own. */
function sameOrigins(request: Request, env: Env, origins: ReadonlySet<string>): ReadonlySet<string> {
  const host = request.headers.get('host')
  return env.mode === 'production' || !host ? origins : new Set([...origins, `http://${host}`])
}

/** The request as a browser sees it: behind TLS the socket's own URL would say http and an inner host. */
function fromPublicOrigin(request: Request, env: Env): Request {
  const { pathname, search } = new URL(request.url)
  return new Request(new URL(pathname + search, env.publicOrigin), request)
}
