import { AppError } from '#domain/errors.ts'
import type { Env } from '#server/env.ts'
import { isLoopbackHost } from '#server/loopback.ts'

/**
 * Returns a check that rejects a Host that is not ours, so that no link, cache entry or cookie is
 * created for another name.
 */
export function createHostCheck({ publicOrigin, mode }: Env): (request: Request) => void {
  const { host, hostname, port, protocol } = new URL(publicOrigin)
  const ours = new Set([host])
  // Some proxies include the default port.
  if (port === '') ours.add(`${hostname}:${protocol === 'https:' ? 443 : 80}`)
  return (request) => {
    const requested = (request.headers.get('host') ?? new URL(request.url).host).toLowerCase()
    if (ours.has(requested)) return
    // "127.999.0.1" looks like a loopback name but is not a valid host.
    if (mode !== 'production' && isLoopbackHost(requested) && URL.canParse(`http://${requested}`)) return
    throw new AppError('MISDIRECTED')
  }
}
