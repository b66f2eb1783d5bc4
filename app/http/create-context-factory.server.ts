import { authenticateKey, requireKeyPermission } from '#server/api-keys/authenticate-key.ts'
import { getSession } from '#server/accounts/get-session.ts'
import { isUnknownCall } from '#domain/api-keys/key-permissions.ts'
import { getSessionRules } from '#server/accounts/session-rules.ts'
import type { Context } from '#server/context.ts'
import { getRateLimits } from '#server/rate-limits.ts'
import { getShopFacts } from '#server/shop-facts.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { RouterContextProvider } from 'react-router'
import type { AppContext, AppParts } from '../app-parts.ts'
import { mayReadReplica } from './choose-reads.server.ts'
import { isBackgroundCall } from './background-calls.ts'
import { hasWriteMark, readSessionToken } from './cookies.server.ts'
import { resolveClientAddress } from './middleware/client-address.ts'
import { createKeyLimit } from './middleware/limit-keys.ts'
import { createListLimit } from './middleware/limit-lists.ts'
import { createWriteLimit } from './middleware/limit-writes.ts'
import { readBearer } from './read-bearer.ts'
import { probePaths } from './request-class.ts'
import { requestContext } from './request-context.server.ts'

type Parts = AppParts & Required<Pick<AppParts, 'metrics' | 'replica'>>

/**
 * Returns a function that makes a request's context: who calls, and what the request may use and
 * read. It throws TOO_MANY when the caller has made too many requests of its kind.
 * @param patternOf the route of a path
 */
export function createContextFactory(
  { env, db, replica, now = () => new Date(), probeDb = db, ...parts }: Parts,
  patternOf: (path: string) => string,
): (c: AppContext, nonce: string) => Promise<RouterContextProvider> {
  const { log, keys, storage, scanner, publicFiles, payments, metrics } = parts
  const shop = getShopFacts(env)
  const rateLimits = getRateLimits(env)
  const shared = { log, keys, storage, scanner, publicFiles, payments, metrics, shop, rateLimits }
  const sessionRules = getSessionRules(env)
  const limitWrites = createWriteLimit()
  const limitKeys = createKeyLimit()
  const limitLists = createListLimit()

  /** An API key in place of the session, or the session. */
  const findCaller = async (
    request: Request,
    path: string,
    visitor: Omit<Context, 'user'>,
  ): Promise<SessionUser | null> => {
    // A probe has no session, and its answer must not wait for the database that has them.
    if (probePaths.has(path)) return null
    // These routes simulate a payment provider, which has no session here.
    if (path.startsWith('/demo-payments/')) return null
    const bearer = readBearer(request, path)
    if (bearer.key !== null) {
      const call = { key: bearer.key, method: request.method, route: patternOf(path) }
      return isUnknownCall(call.method, call.route) ? null : authenticateKey(visitor, call, sessionRules)
    }
    if (bearer.ignoresSession) return null
    const token = await readSessionToken(request, env)
    return getSession(visitor, token, sessionRules, { isBackground: isBackgroundCall(path) })
  }

  return async (c, nonce) => {
    const clientAddress = resolveClientAddress(
      c.req.header('x-forwarded-for') ?? null,
      c.env?.incoming.socket.remoteAddress ?? null,
      env.trustedProxyHops,
    )
    const visitor: Omit<Context, 'user'> = {
      ...shared,
      db: c.req.path === '/readyz' ? probeDb : db,
      reads: db,
      now: now(),
      requestId: c.get('requestId'),
      clientAddress,
      userAgent: c.req.header('user-agent') ?? null,
      refusals: new Set(),
      writes: { happened: false },
    }
    const { method, path } = c.req
    const user = await findCaller(c.req.raw, path, visitor)
    const mayLag =
      replica !== null &&
      // A missed page is stored under the primary's version (docs/decisions/0040-page-cache.md).
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
    requireKeyPermission(ctx, { method, route: patternOf(path) })
    limitWrites(c.req.raw, ctx)
    limitLists(c.req, ctx)
    const context = new RouterContextProvider()
    context.set(requestContext, { ctx, env, nonce })
    return context
  }
}
