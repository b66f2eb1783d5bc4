import type { Env } from '#server/env.ts'
import { isLoopbackHost } from '#server/loopback.ts'

/**
 * Returns whether a request's Host is ours. Others are rejected, so that no link, cache entry or
 * cookie is created for another name.
 */
export function createHostTest({ publicOrigin, mode }: Env): (request: Request) => boolean {
  const { host, hostname, port, protocol } = new URL(publicOrigin)
  const ours = new Set([host])
  // Some proxies include the default port.
  if (port === '') ours.add(`${hostname}:${protocol === 'https:' ? 443 : 80}`)
  return (request) => {
    const requested = (request.headers.get('host') ?? new URL(request.url).host).toLowerCase()
    if (ours.has(requested)) return true
    // "127.999.0.1" looks like a loopback name but is not a valid host.
    return mode !== 'production' && isLoopbackHost(requested) && URL.canParse(`http://${requested}`)
  }
}
