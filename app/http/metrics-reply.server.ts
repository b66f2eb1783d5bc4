import type { Env } from '#server/env.ts'
import { isLoopback, isLoopbackHost } from '#server/loopback.ts'
import type { Metrics } from '#server/metrics.ts'
import { createHash, timingSafeEqual } from 'node:crypto'

/** Set by proxies. A request that has one did not come from this machine. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

const isLoopbackAddress = (address: string): boolean =>
  isLoopback(address.replace(/^::ffff:/, '')) || address === '::1'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

type MetricsEnv = Pick<Env, 'metricsToken' | 'publicOrigin' | 'trustedProxyHops'>

/** Whether a request comes from this machine, through no proxy and to no public name. */
const isFromThisMachine = ({ headers }: Request, remoteAddress: string | null): boolean =>
  remoteAddress !== null &&
  isLoopbackAddress(remoteAddress) &&
  proxyHeaders.every((name) => !headers.has(name)) &&
  isLoopbackHost(headers.get('host') ?? '')

/**
 * Whether a request may read the metrics. With METRICS_TOKEN, it must have the token. Without, it
 * must come from this machine and through no proxy: the shop behind a proxy sees all requests come
 * from there, so a shop with a public origin and no known proxy has no metrics without a token.
 */
export function mayReadMetrics(
  request: Request,
  { metricsToken, publicOrigin, trustedProxyHops }: MetricsEnv,
  remoteAddress: string | null,
): boolean {
  const { headers } = request
  if (metricsToken !== null) {
    const [, given = ''] = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
    return timingSafeEqual(digest(given), digest(metricsToken))
  }
  if (trustedProxyHops === 0 && !isLoopback(new URL(publicOrigin).hostname)) return false
  return isFromThisMachine(request, remoteAddress)
}

/**
 * What a person on this machine reads who may not read the metrics. Null for all others, who do not
 * learn that there are any.
 */
export function explainRefusal(
  request: Request,
  { metricsToken }: MetricsEnv,
  remoteAddress: string | null,
): string | null {
  if (!isFromThisMachine(request, remoteAddress)) return null
  if (metricsToken === null)
    return 'The metrics need METRICS_TOKEN or TRUSTED_PROXY_HOPS in the environment of the shop.'
  return request.headers.has('authorization')
    ? 'The metrics need the header "Authorization: Bearer METRICS_TOKEN", but this token doesn’t match.'
    : 'The metrics need the header "Authorization: Bearer METRICS_TOKEN".'
}

export const metricsReply = async (metrics: Metrics): Promise<Response> =>
  new Response(await metrics.read(), {
    headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
  })
