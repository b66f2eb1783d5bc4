import type { Env } from '#server/env.ts'
import { isLoopback, isLoopbackHost } from '#server/loopback.ts'
import type { Metrics } from '#server/metrics.ts'
import { createHash, timingSafeEqual } from 'node:crypto'

/** Set by proxies. A request that has one did not come from this machine. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

const isLoopbackAddress = (address: string): boolean =>
  isLoopback(address.replace(/^::ffff:/, '')) || address === '::1'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Whether a request may read the metrics. With METRICS_TOKEN, it must have the token. Without, it
 * must come from this machine and through no proxy: the shop behind a proxy sees all requests come
 * from there, so a shop with a public origin and no known proxy has no metrics without a token.
 */
export function mayReadMetrics(
  request: Request,
  {
    metricsToken,
    publicOrigin,
    trustedProxyHops,
  }: Pick<Env, 'metricsToken' | 'publicOrigin' | 'trustedProxyHops'>,
  remoteAddress: string | null,
): boolean {
  const { headers } = request
  if (metricsToken !== null) {
    const [, given = ''] = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
    return timingSafeEqual(digest(given), digest(metricsToken))
  }
  if (trustedProxyHops === 0 && !isLoopback(new URL(publicOrigin).hostname)) return false
  return (
    remoteAddress !== null &&
    isLoopbackAddress(remoteAddress) &&
    proxyHeaders.every((name) => !headers.has(name)) &&
    isLoopbackHost(headers.get('host') ?? '')
  )
}

export const metricsReply = async (metrics: Metrics): Promise<Response> =>
  new Response(await metrics.read(), {
    headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
  })
